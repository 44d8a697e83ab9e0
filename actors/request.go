package actors

import (
	"slices"
	"sync/atomic"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// request is one command on its way through an actor.
type request[S any] struct {
	engine.Request
	judge  judgement[S]
	caller *caller[S]
	phase  atomic.Uint32
	// create is true if the command makes the record. alone is true if no other command may share its
	// visit, which may fall short.
	create, alone bool
	finished      bool // used only by the actor
	// found is the record as an earlier trip of the request found it; nil if none did, or after the
	// actor has seen it.
	found *engine.Record[S]

	// reportsChange is true if the last judgement changes the record or repeats a change. If its visit
	// stays without an outcome, the answer is that the outcome is unknown.
	reportsChange bool
	// proven is true if one visit returned the facts together with the record of the stamp at.
	proven bool
	at     engine.Stamp
	// shortage is the missing stock or discount that a visit found together with that record.
	shortage *commerce.Shortage
	// patient is true if the request has waited so long that its visit may come late.
	patient bool
}

// judgement decides a request by its view. It is called again after each conflict.
type judgement[S any] func(*engine.Request, *engine.View[S]) (engine.Change[S], error)

// judged wraps the order of judgement for one kind of record.
func judged[S any](kind *engine.Kind[S]) judgement[S] {
	return func(r *engine.Request, v *engine.View[S]) (engine.Change[S], error) {
		change, refusal := engine.Judge(kind, r, v)
		if refusal != nil {
			return change, refusal
		}
		if uncounted := change.Effects.Uncounted; uncounted != nil {
			return change, engine.UncountedUses{Uncounted: uncounted}
		}
		if unread := change.Effects.Unread; unread != uuid.Nil {
			return change, engine.UnreadAccount{ID: unread}
		}
		return change, nil
	}
}

func newRequest[S any](asked *engine.Request, judge judgement[S]) *request[S] {
	return &request[S]{Request: *asked, judge: judge}
}

// answer is the result of a request: a state with its stamp, or an error.
type answer[S any] struct {
	state       S
	part        uuid.UUID
	stamp       engine.Stamp
	commitIndex int
	// size is the length of the record, in bytes; 0 if it is not known.
	size     int
	replayed bool
	existing bool
	// sale is the order or quote that the request makes. number is its number, 0 if it is not known.
	sale   *commerce.Sale
	number int64
	ahead  []commerce.AheadTake // of the order, with what the commit left on hand
	// fold is a claim's change of other carts; nil for other commands.
	fold *engine.Fold
	// facts are those of the last judgement; nil if the request was given up.
	facts *engine.Facts
	err   error
}

// made returns the order or the quote that the request made; nil if there is none or if its number
// is not known.
func (a *answer[S]) made() (*commerce.Order, *commerce.Quote) {
	switch {
	case a.number == 0:
		return nil, nil
	case a.sale.Quote != nil:
		quote := *a.sale.Quote
		quote.Number = a.number
		return nil, &quote
	}
	order := *a.sale.Order
	order.Number, order.Ahead = a.number, a.ahead
	return &order, nil
}

// The phases of a request with reportsChange. It leaves waiting for good once: when its visit is
// sent, or at its deadline.
const (
	waiting uint32 = iota
	sent
	abandoned
)

// answer is the place of the request's answer. It belongs to the caller once the request is
// released.
func (r *request[S]) answer() *answer[S] { return &r.caller.answer }

// wait blocks until the request is answered or its deadline passes. After the deadline the error is
// ErrUnavailable if no change was sent, so that none ever will be, else ErrUnknownOutcome. reusable
// is true if no one else uses the caller's place any more; otherwise the answer may still come.
func (r *request[S]) wait(a *answer[S]) (reusable bool) {
	answered, reusable := r.caller.Wait(r.Deadline)
	if answered {
		*a = r.caller.answer
		return reusable
	}
	if r.phase.CompareAndSwap(waiting, abandoned) {
		a.err = engine.ErrUnavailable
		return false
	}
	if r.caller.Answered() {
		*a = r.caller.answer
		return true
	}
	a.err = engine.ErrUnknownOutcome
	return false
}

func (r *request[S]) abandoned() bool { return r.phase.Load() == abandoned }

// learn takes over the facts that a visit returned.
func (r *request[S]) learn(found *engine.VisitedFacts, at engine.Stamp) {
	r.Visitor, r.TokenText, r.Entry = found.Visitor, found.TokenText, found.Entry
	if found.Carts != nil {
		r.Carts = found.Carts
	}
	if found.Contact != nil {
		r.Contact.Record = found.Contact
	}
	r.proven, r.at = true, at
}

// markSent marks all requests with reportsChange as sent, or none: it returns false if one of them
// gave up.
func markSent[S any](requests []*request[S]) bool {
	if slices.ContainsFunc(requests, func(r *request[S]) bool { return r.reportsChange && r.abandoned() }) {
		return false
	}
	for i, r := range requests {
		if r.reportsChange && !r.phase.CompareAndSwap(waiting, sent) && r.abandoned() {
			unmarkSent(requests[:i])
			return false
		}
	}
	return true
}

// unmarkSent takes the mark back after a visit that certainly had no effect.
func unmarkSent[S any](requests []*request[S]) {
	for _, r := range requests {
		r.phase.CompareAndSwap(sent, waiting)
	}
}
