package engine

import "cartd/commerce"

// AttachCode attaches a discount code for a caller that may try only so many codes on a
// cart which no active discount of the store has. While too many were tried every code is
// refused on that cart, known ones too: else a guess could be told from the answer. What
// says nothing about a code (an error, a replay) is not counted. Errors: *Refusal
// (TooManyAttempts), ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) AttachCode(r *Request) (Reply, error) {
	attach, _ := r.CartCommand.(commerce.AttachCode)
	if r.Fault != nil || r.Entry != nil { // a repetition under its key tells nothing new
		return e.ChangeCart(r)
	}
	cart := RecordKey{Store: r.Store.ID, ID: r.CartID}
	if r.Store.KnowsCode(attach.Code) {
		budget, err := e.store.CodeBudget(cart, r.Caller.Addr)
		if err != nil || !budget.Granted {
			return Reply{Nested: budget}, orTooMany(err)
		}
		return e.ChangeCart(r)
	}
	guess, err := e.store.BeginCode(cart, r.Caller.Addr)
	if err != nil {
		return Reply{}, err
	}
	budget := guess.Budget()
	if !budget.Granted {
		return Reply{Nested: budget}, commerce.TooManyAttempts
	}
	reply, err := e.ChangeCart(r)
	if err != nil || reply.Replayed {
		guess.End(false)
		return reply, err
	}
	reply.Nested = budget
	reply.Nested.Remaining = max(0, budget.Remaining-1)
	return reply, nil
}

// orTooMany is what an attempt that was not granted is answered with.
func orTooMany(err error) error {
	if err == nil {
		err = commerce.TooManyAttempts
	}
	return err
}
