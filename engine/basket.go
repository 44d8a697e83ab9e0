package engine

import "cartd/commerce"

// JudgeBasket judges the price of a basket ahead of its making, and reads the counts of uses that the price
// needs, in the trip that counts the codes. A caller may try only a number of unknown codes, and each counts
// as one more request of the store; Request.Budget is the rest of its limit then. The budget of codes is
// valid with an error too, and zero if the request is under none. Errors: *Refusal, ErrUnavailable.
func (e *Engine) JudgeBasket(r *Request, b *commerce.Basket) (Budget, error) {
	if b.AtSent && !r.Key.Scopes.Meets(commerce.AnyOf(commerce.CatalogManage)) {
		return Budget{}, commerce.InvalidAbility
	}
	if refusal := b.Judge(r.Store, r.Now); refusal != nil {
		return Budget{}, refusal
	}
	if len(b.Codes) == 0 {
		return Budget{}, nil
	}
	unknown, uses := b.UnknownCodes(r.Store), b.Uses(r.Store, r.Visitor)
	if unknown == 0 && uses == nil && !r.Caller.Forwarded {
		return Budget{}, nil
	}
	tries, err := e.storage.CountCodes(r, unknown, uses)
	if err != nil {
		return Budget{}, err
	}
	if !r.Budget.Granted || r.Caller.Forwarded && !tries.Granted {
		return tries, commerce.TooManyAttempts
	}
	return tries, nil
}
