package operator

import (
	"context"
	"reflect"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
)

// eraseQuotes removes the customer's own texts from the quotes that are bound to the customer
// or have the address, and deletes their signatures in the same commit. The offer, its answer
// and the reference stay.
func eraseQuotes(ctx context.Context, e *erasure) (int, error) {
	return rewriteAll(ctx, e.rewriter, quotes, func(q *commerce.Quote) (*commerce.Quote, bool) {
		if !e.concerns(q.Customer, q.Email) {
			return q, false
		}
		next := quoteWithoutPerson(q)
		return next, !reflect.DeepEqual(next, q) || e.hasSignature(ctx, q)
	}, func(key engine.RecordKey, plan *records.Plan) error {
		plan.Write("DEL", records.SignatureKey(key))
		return nil
	})
}

// quoteWithoutPerson returns a quote without personal data.
func quoteWithoutPerson(q *commerce.Quote) *commerce.Quote {
	next := *q
	next.Email, next.SignerName, next.DeclineReason, next.Metadata = "", "", "", nil
	next.Goods.Lines, _ = withoutProperties(q.Goods.Lines, sold)
	next.QuoteDetails = commerce.QuoteDetails{Reference: q.Reference}
	if q.Customer.Guest {
		next.Customer = commerce.Binding{}
	}
	return &next
}

// hasSignature reports whether a quote's signature is in Redis. It returns true also if Redis
// does not answer: the commit then fails.
func (e *erasure) hasSignature(ctx context.Context, q *commerce.Quote) bool {
	n, err := e.Redis().Redis.Exists(ctx, records.SignatureKey(engine.RecordKey{Store: e.store, ID: q.ID})).Result()
	return n > 0 || err != nil
}
