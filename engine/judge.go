package engine

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// View is the record that a request is judged against.
type View[S any] struct {
	State S
	// Next is the stamp counter of the commit to come.
	Next uint64
	// Sight is what the request can have seen of the record when it came.
	Sight commerce.Sight
	// Stamp is the state's; zero if it is not committed yet.
	Stamp Stamp
	// Entry is what is remembered under the request's Idempotency-Key; nil if nothing is.
	Entry *IdempotencyEntry
	// Shortage is what a visit of this request has found too little of, in this state; nil if nothing
	// is known.
	Shortage *commerce.Shortage
	// Input is room for what a command is applied with.
	Input *commerce.Input
}

// Change is what becomes of the record. A read and a replay change nothing.
type Change[S any] struct {
	State   S
	Effects Effects
	// Replayed: nothing is changed, for the request was applied before; Existing: for another one has
	// done what this one asks for.
	Replayed, Existing bool
	// Part is the id of the part that the answer shows; zero if it shows the whole record.
	Part uuid.UUID
}

// Effects are what a commit writes beside the record. They can be compared.
type Effects struct {
	commerce.Effects
	// Idempotency is remembered with the commit; nil if no key was sent.
	Idempotency *IdempotencyKey
	// Fold is what a claim does to other carts; nil if it is none.
	Fold *Fold
}

// Judge decides a request in the one order that all routes share: design, The order of
// judgement. Without a view it judges what needs no record. The given record stays as it was.
// Judge is called again, from the start, whenever the facts or the record have changed.
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
	case !f.Budget.Granted:
		return change, commerce.TooManyAttempts // of the store
	}
	if r.Guards.Quotes && !f.Store.TakesQuotes() {
		return change, commerce.QuotesOff
	}
	for _, module := range r.Guards.Modules { // Spec: API key 4
		if !f.Store.Modules.Has(module) {
			return change, commerce.ModuleDisabled(module)
		}
	}
	switch {
	case !f.Key.Scopes.Meets(r.Guards.Scopes):
		return change, commerce.InvalidAbility // Spec: API key 3
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
	command := k.command(r) // nil for a read
	var closed *commerce.Refusal
	if command != nil {
		closed = k.closed(r, v.State)
	}
	done := closed != nil && k.done(v.State, command)
	if closed != nil && v.Entry == nil && !done {
		return change, closed
	}
	if refusal = k.owner(v.State, f); refusal != nil {
		return change, refusal
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
		Store: f.Store, Visitor: f.Visitor, Now: f.Now, Next: v.Next, Sight: v.Sight, Contact: f.ownContact(), Shortage: v.Shortage,
	}
	var fold *Fold
	if f.Carts != nil {
		fold, v.Input.Others = f.Carts.fold(r.CartID, f.Now)
	}
	next, effects, refusal := k.change(v.State, command, v.Input)
	if refusal != nil {
		return change, refusal
	}
	change = Change[S]{State: next, Effects: Effects{Effects: effects, Idempotency: r.Idempotency, Fold: fold}, Part: r.Part}
	if fold != nil {
		fold.complete(effects.Claim)
		if !fold.Last { // the claim is not done yet
			change.Effects.Idempotency = nil
		}
	}
	return change, nil
}

// Kind is what the order of judgement asks of one kind of record.
type Kind[S any] struct {
	command func(*Request) commerce.Command[S]
	// absent reports whether there is no such record at a time; missing is the answer.
	absent  func(record S, now time.Time) bool
	missing func(*Request) *commerce.Refusal
	// owner refuses a visitor who may not see the record.
	owner func(record S, f *Facts) *commerce.Refusal
	// closed says why the record takes no more writes; nil: it does. done reports whether one was what
	// a command asks for.
	closed func(r *Request, record S) *commerce.Refusal
	done   func(record S, command commerce.Command[S]) bool
	// stale is the answer to an If-Match of another version.
	stale  *commerce.Refusal
	change func(record S, command commerce.Command[S], in *commerce.Input) (S, commerce.Effects, *commerce.Refusal)
	// part refuses a replay whose part of the record is gone since.
	part func(record S, id uuid.UUID) *commerce.Refusal
}

// NoRecord is the kind of a request that no record belongs to, or of whose record nothing is
// known yet.
var NoRecord = &Kind[struct{}]{}

// replay answers a request whose Idempotency-Key has an entry with the record as it stands now.
func (k *Kind[S]) replay(r *Request, v *View[S]) (Change[S], *commerce.Refusal) {
	if v.Entry.Request != r.Idempotency.Request {
		return Change[S]{}, commerce.IdempotencyKeyReused
	}
	part := r.Part
	if v.Entry.Made != uuid.Nil {
		part = v.Entry.Made
	}
	if refusal := k.part(v.State, part); refusal != nil {
		return Change[S]{}, refusal
	}
	return Change[S]{State: v.State, Replayed: true, Part: part}, nil
}
