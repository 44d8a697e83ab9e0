package engine

import "cartd/commerce"

// AttachCode attaches a discount code. A caller may try only a number of unknown codes on one cart.
// After too many tries, every code is refused on that cart, known ones too, or the answer would
// show which guess is right. An error or a replay is not counted. Errors: *Refusal
// (TooManyAttempts), ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) AttachCode(r *Request) (Reply, error) {
	attach, _ := r.CartCommand.(commerce.AttachCode)
	if r.Fault != nil {
		return e.ChangeCart(r)
	}
	cart := RecordKey{Store: r.Store.ID, ID: r.CartID}
	if r.Store.KnowsCode(attach.Code) {
		budget, err := e.store.CodeBudget(cart, r.Caller.Addr)
		if err != nil {
			return Reply{}, err
		}
		return e.attach(r, attach, budget)
	}
	guess, err := e.store.BeginCode(cart, r.Caller.Addr)
	if err != nil {
		return Reply{}, err
	}
	budget := guess.Budget()
	reply, err := e.attach(r, attach, budget)
	switch {
	case err != nil || reply.Replayed:
		guess.End(false)
	case budget.Granted:
		reply.Nested = budget
		reply.Nested.Remaining = max(0, budget.Remaining-1)
	}
	return reply, err
}

// attach serves the command; it is refused if the budget of unknown codes is spent.
func (e *Engine) attach(r *Request, command commerce.AttachCode, budget Budget) (Reply, error) {
	command.Spent = !budget.Granted
	r.CartCommand = command
	reply, err := e.ChangeCart(r)
	if command.Spent && err == error(commerce.TooManyAttempts) && reply.Facts != nil && reply.Facts.Budget.Granted {
		reply.Nested = budget
	}
	return reply, err
}
