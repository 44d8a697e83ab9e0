package engine

import (
	"errors"

	"cartd/commerce"
)

// JudgeBasket judges the price of a basket ahead of its making. A caller may try only a number of unknown
// codes, and each counts as one more request of the store; Request.Budget is the rest of its limit then.
// The budget of codes is valid with an error too, and zero if the request is under none. JudgeBasket reads
// the counts of the codes' uses together with the tries. Errors: *Refusal, ErrUnavailable.
func (e *Engine) JudgeBasket(r *Request, b *commerce.Basket) (Budget, error) {
	if b.AtSent && !r.Key.Scopes.Meets(commerce.AnyOf(commerce.CatalogManage)) {
		return Budget{}, commerce.InvalidAbility
	}
	if refusal := b.Judge(r.Store, r.Now); refusal != nil {
		return Budget{}, refusal
	}
	counted := e.countBasket(r, b)
	unknown := b.UnknownCodes(r.Store)
	if len(b.Codes) == 0 || unknown == 0 && !r.Caller.Forwarded {
		return Budget{}, counted()
	}
	tries, err := e.storage.CountCodes(r, unknown)
	if err := errors.Join(err, counted()); err != nil {
		return Budget{}, err
	}
	if !r.Budget.Granted || r.Caller.Forwarded && !tries.Granted {
		return tries, commerce.TooManyAttempts
	}
	return tries, nil
}

// countBasket begins to read the counts of the uses of a basket's codes. The function that it returns waits
// for them.
func (e *Engine) countBasket(r *Request, b *commerce.Basket) func() error {
	uncounted := b.Uncounted(r.Store, r.Visitor)
	if uncounted == nil {
		return func() error { return nil }
	}
	store, deadline, read := r.Store.ID, r.Deadline, make(chan error, 1)
	go func() {
		counts, err := e.storage.UseCounts(store, uncounted.Uses, deadline)
		b.Counts = &commerce.UseCounts{Uses: uncounted.Uses, Counts: counts}
		read <- err
	}()
	return func() error { return <-read }
}
