package engine

import (
	"time"

	"cartd/commerce"
)

// FurtherRequests is the number of further requests that the request counts as, by a store and a key of it:
// the unknown codes of its basket. It is 0 if the request is refused ahead of its codes.
func (r *Request) FurtherRequests(s *commerce.Store, key *commerce.APIKey, now time.Time) int {
	if r.Basket == nil {
		return 0
	}
	b := r.Basket()
	if b == nil || len(b.Codes) == 0 || denied(&Request{Guards: r.Guards, Facts: Facts{Store: s, Key: key}}) != nil || refuseBasket(s, key, b, now) != nil {
		return 0
	}
	return b.UnknownCodes(s)
}

// refuseBasket is the refusal of a basket ahead of its codes; nil if there is none.
func refuseBasket(s *commerce.Store, key *commerce.APIKey, b *commerce.Basket, now time.Time) *commerce.Refusal {
	if b.AtSent && !key.Scopes.Meets(commerce.AnyOf(commerce.CatalogManage)) {
		return commerce.InvalidAbility
	}
	return b.Judge(s, now)
}

// JudgeBasket judges the price of a basket ahead of its making, and reads the counts of uses that the price
// needs, in the trip that counts the codes. A caller may try only a number of unknown codes, and each counts
// as one more request of the store; Request.Budget is the rest of its limit then. The admission has counted
// them for the client. The budget of codes is valid with an error too, and zero if the request is under none.
// Errors: *Refusal, ErrUnavailable.
func (e *Engine) JudgeBasket(r *Request, b *commerce.Basket) (Budget, error) {
	if refusal := refuseBasket(r.Store, r.Key, b, r.Now); refusal != nil {
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
