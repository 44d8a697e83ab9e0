package engine

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// View is a record with all else that one judgement needs.
type View[S any] struct {
	State S
	// Next is the stamp counter of the next commit.
	Next uint64
	// Stamp belongs to the state; zero if the state is not committed yet.
	Stamp Stamp
	// Entry is the idempotency entry of the request's key; nil if none is known.
	Entry *IdempotencyEntry
	// Shortage has the stock and the discounts that a visit found missing in this state; nil if none
	// is known.
	Shortage *commerce.Shortage
	// Input is memory for the input of a command, to be used again.
	Input *commerce.Input
}

// Change is the next state of a record with its effects. A read and a replay change nothing.
type Change[S any] struct {
	State   S
	Effects Effects
	// Replayed is true if an earlier sending of this request made the change. Existing is true if
	// another request did.
	Replayed, Existing bool
	// Part is the id of the part that the answer shows; zero if it shows the whole record.
	Part uuid.UUID
}

// Effects are the writes of a commit beside the record. Values of the type are comparable.
type Effects struct {
	commerce.Effects
	// Idempotency is the key of the entry to write; nil if none was sent.
	Idempotency *IdempotencyKey
	// Fold is the change of other carts by a claim; nil for other commands.
	Fold *Fold
	// Act is for the store's history; nil if it gets none.
	Act *Act
}

// UncountedUses means that a change needs counts of uses of discounts, which are to be read first.
type UncountedUses struct{ *commerce.Uncounted }

func (UncountedUses) Error() string { return "uses of discounts are to be counted first" }

// UnreadAccount means that a change needs the contact of an account, which is to be read first.
type UnreadAccount struct{ ID uuid.UUID }

func (UnreadAccount) Error() string { return "an account is to be read first" }

// Judge decides a request in the one order that all routes share:
// docs/api/contract.md#the-order-of-judgement. Without a view it judges all that needs no record. It
// does not change the given record. A change with Uncounted uses is not to be made. Judge is called
// again, from the start, whenever the facts or the record have changed.
func Judge[S any](k *Kind[S], r *Request, v *View[S]) (change Change[S], refusal *commerce.Refusal) {
	defer r.Timing.End(PhaseJudge, r.Timing.Begin())
	f, known := &r.Facts, r.Key != nil && r.Store != nil && !r.Key.Revoked
	switch {
	case !known && !f.Budget.Granted:
		return change, commerce.TooManyAttempts // by address
	case !known:
		return change, commerce.Unauthenticated // Spec: API key 1
	case f.Store.Suspended:
		return change, commerce.TenantSuspended // Spec: API key 5
	case r.Client.Limit > 0 && !r.Client.Granted:
		return change, commerce.TooManyAttempts // of the client
	case !f.Budget.Granted:
		return change, commerce.TooManyAttempts // of the store
	}
	if refusal = denied(r); refusal != nil {
		return change, refusal
	}
	switch {
	case r.Guards.Token != nil && !f.Visitor.Known, r.Guards.Customers && !f.Store.Modules.Has(commerce.ModuleCustomers):
		return change, r.Guards.Token // Spec: Customer token
	case r.Guards.SentToken != nil && r.Token != nil && !f.Visitor.Known && f.Store.Modules.Has(commerce.ModuleCustomers):
		return change, r.Guards.SentToken
	case v == nil:
		return change, nil
	}

	if k.absent(v.State, f.Now) {
		return change, k.missing(r)
	}
	command := commandOf[S](r)
	var closed *commerce.Refusal
	if command != nil && k.closed != nil {
		closed = k.closed(r, v.State)
	}
	done := closed != nil && k.done != nil && k.done(v.State, command)
	if closed != nil && v.Entry == nil && !done {
		return change, closed
	}
	if k.owner != nil {
		if refusal = k.owner(v.State, r); refusal != nil {
			return change, refusal
		}
	}
	if command == nil {
		return Change[S]{State: v.State, Part: r.Part}, nil
	}
	switch same := v.Entry != nil && r.Idempotency != nil && v.Entry.Request == r.Idempotency.Request; {
	case done && !same:
		return Change[S]{State: v.State, Replayed: true, Existing: true}, nil
	case v.Entry != nil && r.Idempotency != nil:
		return k.replay(r, v)
	case closed != nil:
		return change, closed
	case r.Guards.Sells && f.Store.Closed != nil: // what was done before stays done: a replay is answered
		return change, f.Store.Closed
	}
	if refusal = command.Locate(v.State); refusal != nil {
		return change, refusal
	}
	switch {
	case !r.Match.allows(v.Stamp):
		return change, k.stale
	case r.Fault != nil: // 400 and 422 of the body
		return change, r.Fault
	}
	*v.Input = commerce.Input{
		Store: f.Store, Visitor: f.Visitor, Now: f.Now, Next: v.Next, Came: f.Came, Seen: r.Seen,
		Contact: f.ownContact(), Customer: f.customer(), By: f.Key.Name, Shortage: v.Shortage, Counts: f.Counts,
	}
	var fold *Fold
	if f.Carts != nil {
		fold, v.Input.Others = f.Carts.fold(r.CartID, f.Now)
		v.Input.Folding = !fold.Last
	}
	next, effects, refusal := k.change(v.State, command, v.Input)
	if refusal != nil {
		return change, refusal
	}
	if effects.Uncounted != nil {
		return Change[S]{Effects: Effects{Effects: commerce.Effects{Uncounted: effects.Uncounted}}}, nil
	}
	if effects.Unread != uuid.Nil {
		return Change[S]{Effects: Effects{Effects: commerce.Effects{Unread: effects.Unread}}}, nil
	}
	change = Change[S]{State: next, Effects: Effects{Effects: effects, Idempotency: r.Idempotency, Fold: fold}, Part: r.Part}
	if r.Operation != "" && k.acts(v.State, next) {
		change.Effects.Act = r.Act(k.ID(r))
	}
	if fold != nil {
		fold.complete(effects.Claim)
		if !fold.Last { // the claim is not done yet
			change.Effects.Idempotency = nil
		}
	}
	return change, nil
}

// commandOf is the request's command; nil for a read.
func commandOf[S any](r *Request) (command commerce.Command[S]) {
	if r.Command != nil {
		command = r.Command.(commerce.Command[S]) // another kind's command is a fault of the server
	}
	return command
}

// denied refuses a request whose store does not serve the route, or whose key may not use it.
func denied(r *Request) *commerce.Refusal {
	if r.Guards.Quotes && !r.Store.TakesQuotes() {
		return commerce.QuotesOff
	}
	for _, module := range r.Guards.Modules { // Spec: API key 4
		if !r.Store.Modules.Has(module) {
			return commerce.ModuleDisabled(module)
		}
	}
	if !r.Key.Scopes.Meets(r.Guards.Scopes) {
		return commerce.InvalidAbility // Spec: API key 3
	}
	return nil
}

// replay answers a request whose Idempotency-Key has an entry. The answer shows the record's
// current state.
func (k *Kind[S]) replay(r *Request, v *View[S]) (Change[S], *commerce.Refusal) {
	if v.Entry.Request != r.Idempotency.Request {
		return Change[S]{}, commerce.IdempotencyKeyReused
	}
	part := r.Part
	if v.Entry.Made != uuid.Nil {
		part = v.Entry.Made
	}
	if k.part != nil {
		if refusal := k.part(v.State, part); refusal != nil {
			return Change[S]{}, refusal
		}
	}
	return Change[S]{State: v.State, Replayed: true, Part: part}, nil
}
