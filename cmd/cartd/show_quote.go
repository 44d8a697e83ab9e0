package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"cartd/commerce"
	"cartd/engine"
)

// showQuote shows a quote in its current status, and writes its signature to a file if one is
// named.
func showQuote(q *query) error {
	id, err := q.id()
	if err != nil {
		return err
	}
	found, err := q.db.FindQuote(context.Background(), q.store, id)
	if err != nil {
		return err
	}
	quote := found.State
	q.row("quote", "%s, number %d", quote.ID, quote.Number)
	q.row("store", "%s %s", found.Store.ID, shownName(found.Store.Name))
	q.row("status", "%s, version %d", quote.Status(found.Now), found.Version)
	q.row("accepted by", "a %s", quote.AcceptanceMode())
	q.row("made", "%s", shownTime(quote.CreatedAt))
	q.row("valid until", "%s", shownTime(quote.ValidUntil))
	q.row("cart", "%s", quote.CartID)
	q.row("customer", "%s", shownBinding(quote.Customer))
	q.row("e-mail", "%s", quote.Email)
	q.row("name", "%s", quote.Name)
	q.row("company", "%s", quote.CompanyName)
	q.row("phone", "%s", quote.Phone)
	q.row("message", "%s", quote.Message)
	q.row("reference", "%s", quote.Reference)
	q.row("reasons", "%s", strings.Join(quote.Reasons, ", "))
	q.goods(quote.Goods.Lines, quote.Goods.Discounts)
	for i := range quote.Goods.Shipping {
		d := &quote.Goods.Shipping[i]
		q.row("discount", "%s (%s): %s", d.Name, d.Kind, shownValue(d.Value))
	}
	q.totals(quote.Totals())
	q.row("accepted", "%s", shownTime(quote.AcceptedAt))
	if quote.Status(found.Now) == commerce.QuoteAccepted {
		q.row("order", "%s", quote.OrderID)
	}
	q.row("signer", "%s", quote.SignerName)
	q.row("declined", "%s", shownTime(quote.DeclinedAt))
	q.row("why", "%s", quote.DeclineReason)
	return q.quoteSignature(engine.RecordKey{Store: found.Store.ID, ID: id})
}

// quoteSignature shows the size of a quote's signature, or writes it to the named file.
func (q *query) quoteSignature(key engine.RecordKey) error {
	png, err := q.db.Signature(context.Background(), key)
	switch {
	case err != nil:
		return err
	case png == "" && q.signature != "":
		return fmt.Errorf("quote %s has no signature", key.ID)
	case png == "":
		return nil
	case q.signature == "":
		q.row("signature", "%d bytes of PNG: --signature FILE writes them", len(png))
		return nil
	}
	err = writeFile(q.signature, func(w io.Writer) error {
		_, err := io.WriteString(w, png)
		return err
	})
	if err != nil {
		return fmt.Errorf("--signature %s: %w", q.signature, withoutPath(err))
	}
	q.row("signature", "%d bytes of PNG, written to %s", len(png), q.signature)
	return nil
}

// shownValue returns the amount or percentage of a shipping discount.
func shownValue(v commerce.DiscountValue) string {
	if v.Fixed {
		return shownAmount(v.Amount)
	}
	return v.Percent.String() + " %"
}
