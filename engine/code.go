package engine

import "cartd/commerce"

// AttachCode attaches a discount code for a caller that may try only so many codes
// which no discount of the store has. While too many were tried every code is
// refused, known ones too: else a guess could be told from the answer. What says
// nothing about a code (an error, a replay) is not counted. Errors: *Refusal
// (TooManyAttempts), ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) AttachCode(r *Request) (Reply, error) {
	attach, _ := r.CartCommand.(commerce.AttachCode)
	if r.Fault != nil || r.Entry != nil { // a repetition under its key tells nothing new
		return e.ChangeCart(r)
	}
	if r.Store.KnowsCode(attach.Code) {
		budget, err := e.store.CodeBudget(r.Store.ID, r.Client)
		if err != nil || !budget.Granted {
			return Reply{Nested: budget}, orTooMany(err)
		}
		return e.ChangeCart(r)
	}
	guess, err := e.store.BeginCode(r.Store.ID, r.Client)
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
