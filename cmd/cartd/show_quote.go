package main

import (
	"context"
	"fmt"
	"io"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/internal/field"
	"cartd/persistence"
	"cartd/persistence/operator"
)

// foundQuote is a quote with the amounts of its draft, nil without one, and its signature.
type foundQuote struct {
	*operator.Found[*commerce.Quote]
	sums      *commerce.DraftSums
	signature quoteSignature
}

// quoteSignature is the size of a signature, and the file to which it was written; empty if it was not.
type quoteSignature struct {
	bytes int
	file  string
}

var quoteShown = shownAs(
	field.Value("data", answers.StoreQuote, "", func(f foundQuote) answers.StoreQuoteView {
		return answers.StoreQuoteView{QuoteView: answers.QuoteAt(f.State, f.Now), Sums: f.sums}
	}),
	field.Of(foundShown(func(quote *commerce.Quote) commerce.Binding { return quote.Customer }),
		func(f foundQuote) *operator.Found[*commerce.Quote] { return f.Found }),
	field.Member("shipping_discounts", field.List(shippingDiscountShown), "",
		func(f foundQuote) *[]commerce.ShippingDiscount { return &f.State.Goods.Shipping }),
	field.Value("signature", field.OrNull(signatureShown), "", func(f foundQuote) quoteSignature { return f.signature }),
)

var shippingDiscountShown = field.Object("",
	field.Member("name", answers.Text, "", func(d *commerce.ShippingDiscount) *string { return &d.Name }),
	field.Member("code", answers.TextOrNull, "", func(d *commerce.ShippingDiscount) *string { return &d.Code }),
	field.NullUnless(func(d *commerce.ShippingDiscount) bool { return d.Value.Fixed },
		field.Member("amount", answers.Money, "", func(d *commerce.ShippingDiscount) *commerce.Amount { return &d.Value.Amount })),
	field.NullUnless(func(d *commerce.ShippingDiscount) bool { return !d.Value.Fixed },
		field.Member("percent", answers.Percent, "", func(d *commerce.ShippingDiscount) *commerce.Percent { return &d.Value.Percent })),
)

var signatureShown = field.Object("",
	field.Value("bytes", answers.Integer, "", func(s quoteSignature) int { return s.bytes }),
	field.Value("file", answers.TextOrNull, "", func(s quoteSignature) string { return s.file }),
)

// showQuote shows a quote as the merchant sees it now, and writes its signature to a file if one is named.
func showQuote(q *query) error {
	id, err := q.id()
	if err != nil {
		return err
	}
	found, err := operator.Find(context.Background(), q.db, persistence.Quotes, q.store, id)
	if err != nil {
		return err
	}
	if found.State.Gone {
		return operator.ErrNotFound
	}
	sums, err := draftSums(q, found)
	if err != nil {
		return err
	}
	png, err := q.db.Signature(context.Background(), engine.RecordKey{Store: found.Store.ID, ID: id})
	if err != nil {
		return err
	}
	if q.signature != "" {
		if png == "" {
			return fmt.Errorf("quote %s has no signature", id)
		}
		err = writeFile(q.signature, func(w io.Writer) error {
			_, err := io.WriteString(w, png)
			return err
		})
		if err != nil {
			return fmt.Errorf("--signature %s: %w", q.signature, withoutPath(err))
		}
	}
	return printRecord(q, quoteShown, foundQuote{found, sums, quoteSignature{len(png), q.signature}})
}

// draftSums are the amounts of a quote's draft for its customer; nil without a draft.
func draftSums(q *query, found *operator.Found[*commerce.Quote]) (*commerce.DraftSums, error) {
	quote := found.State
	if quote.Draft == nil {
		return nil, nil
	}
	contact, err := accountOf(q, found.Store, quote.Customer)
	return quote.Sums(found.Store, contact, found.Now), err
}
