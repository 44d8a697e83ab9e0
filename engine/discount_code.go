package engine

import (
	"errors"

	"cartd/commerce"
)

// AttachCode attaches a discount code. A caller may try only a number of unknown codes on one cart.
// After too many tries, every code is refused on that cart, known ones too, or the answer would
// show which guess is right. An error or a replay is not counted. Errors: *Refusal
// (TooManyAttempts), ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) AttachCode(r *Request) (Reply, error) {
	attach, _ := r.Command.(commerce.AttachCode)
	if r.Fault != nil {
		return e.ChangeCart(r)
	}
	cart := RecordKey{Store: r.Store.ID, ID: r.CartID}
	var takeBack func() // nil unless the code was unknown in a round
	var budget Budget
	known := false
	reply, err := e.write(r, func(r *Request) (_ Reply, err error) {
		known = r.Store.KnowsCode(attach.Code) // by the document of this round
		switch {
		case takeBack != nil:
		case known:
			budget, err = e.storage.CodeBudget(cart, r.Caller.Addr, r.Deadline)
		default:
			budget, takeBack, err = e.storage.BeginCode(cart, r.Caller.Addr, r.Deadline)
		}
		if err != nil {
			return Reply{}, err
		}
		attach.Spent = !budget.Granted
		r.Command = attach
		return e.changeCart(r)
	})
	if err == nil && !reply.Replayed && !known { // the guess stays counted
		reply.Nested = budget
		reply.Nested.Remaining = max(0, budget.Remaining-1)
		return reply, nil
	}
	if attach.Spent && errors.Is(err, commerce.TooManyAttempts) && reply.Facts != nil && reply.Facts.Budget.Granted {
		reply.Nested = budget
	}
	if takeBack != nil {
		takeBack()
	}
	return reply, err
}

// GivenCodes are codes of a batch, from a serial on.
type GivenCodes struct {
	Discount *commerce.Discount
	Batch    *commerce.CodeBatch
	// First is the serial of the first code.
	First, Count int64
	// Replayed is true if an earlier sending of the request gave the same codes.
	Replayed bool
}

// Codes are the printed forms.
func (g *GivenCodes) Codes() []string {
	codes := make([]string, 0, g.Count)
	for code := range g.Discount.Codes(g.Batch, uint32(g.First)) {
		if codes = append(codes, code); int64(len(codes)) == g.Count {
			break
		}
	}
	return codes
}

// Next is the serial after the last code.
func (g *GivenCodes) Next() int64 { return g.First + g.Count }

// GiveCodes gives codes of a batch. A replay waits for the replicas, as its first request did.
func (e *Engine) GiveCodes(r *Request, q *commerce.CodeRequest) (given GivenCodes, err error) {
	_, err = e.write(r, func(r *Request) (_ Reply, err error) {
		given, err = e.storage.GiveCodes(r, q)
		return Reply{Replayed: given.Replayed}, err
	})
	return given, err
}
