package main

import (
	"net/netip"

	"cartd/commerce"
)

// AttachCode attaches a discount code for a caller that may try only so many codes on a
// cart which no active discount of the store has. While too many were tried every code is
// refused on that cart, known ones too: else a guess could be told from the answer. What
// says nothing about a code (an error, a replay) is not counted. Errors: *Refusal
// (TooManyAttempts), ErrUnavailable, ErrUnknownOutcome.
func (e *engine) AttachCode(r *commerce.CartRequest, caller netip.Addr) (commerce.Reply, commerce.Budget, error) {
	attach, _ := r.Command.(commerce.AttachCode)
	if r.Fault != nil || r.Entry != nil { // a repetition under its key tells nothing new
		reply, err := e.ChangeCart(r)
		return reply, commerce.Budget{}, err
	}
	cart := commerce.RecordKey{Store: r.Store.ID, ID: r.Cart}
	if r.Store.KnowsCode(attach.Code) {
		budget, err := e.db.CodeBudget(cart, caller)
		if err != nil || !budget.Granted {
			return commerce.Reply{}, budget, orTooMany(err)
		}
		reply, err := e.ChangeCart(r)
		return reply, commerce.Budget{}, err
	}
	guess, err := e.db.BeginCode(cart, caller)
	if err != nil || !guess.Budget.Granted {
		return commerce.Reply{}, guess.Budget, orTooMany(err)
	}
	reply, err := e.ChangeCart(r)
	if err != nil || reply.Replayed {
		guess.End(false)
		return reply, commerce.Budget{}, err
	}
	guess.Budget.Remaining = max(0, guess.Budget.Remaining-1)
	return reply, guess.Budget, nil
}

// orTooMany is what an attempt that was not granted is answered with.
func orTooMany(err error) error {
	if err == nil {
		err = commerce.TooManyAttempts
	}
	return err
}
