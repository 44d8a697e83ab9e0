package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
)

// showCart shows a cart with its current totals, for a guest.
func showCart(q *query) error {
	id, err := q.id()
	if err != nil {
		return err
	}
	found, err := q.db.FindCart(context.Background(), q.store, id)
	if err != nil {
		return err
	}
	c := found.State
	var e commerce.Evaluation
	e.Evaluate(c, found.Store, commerce.Visitor{}, found.Now)
	q.row("cart", "%s", c.ID)
	q.row("store", "%s %s", found.Store.ID, shownName(found.Store.Name))
	q.row("status", "%s, version %d", c.Status, found.Version)
	q.row("made", "%s", shownTime(c.CreatedAt))
	q.row("last write", "%s", shownTime(c.UpdatedAt))
	q.row("expires", "%s", shownTime(c.ExpiresAt))
	q.row("customer", "%s", shownBinding(c.Customer))
	q.row("e-mail", "%s", c.Email)
	for _, entry := range c.Metadata {
		q.row("metadata", "%s = %s", entry.Key, entry.Value.Text)
	}
	for i := range c.Lines {
		l := &c.Lines[i]
		q.row(fmt.Sprintf("line %d", i+1), "%s", shownLine(l, e.LineTotals[i]))
	}
	for _, ask := range c.Hold.Asks {
		q.row("stock held", "%s of %s of %s, until %s", ask.Granted, ask.Quantity, ask.Item, shownTime(c.Hold.Until))
	}
	if c.DiscountCode != nil {
		q.row("code", "%s %s", *c.DiscountCode, e.DiscountError)
	}
	for _, d := range e.Discounts {
		q.row("discount", "%s (%s): %s", d.Discount.Name, d.Discount.Kind, shownAmount(d.Amount))
	}
	q.row("subtotal", "%s", shownAmount(e.Subtotal))
	for _, row := range e.Breakdown {
		q.row("tax", "%s", shownTax(row))
	}
	q.row("total", "%s", shownAmount(e.Total))
	q.row("quote", "%s", strings.Join(e.QuoteReasons, ", "))
	return nil
}

func shownBinding(b commerce.Binding) string {
	switch {
	case !b.Bound():
		return ""
	case b.Guest:
		return b.ID.String() + " (guest)"
	}
	return b.ID.String() + " (account)"
}

// shownProduct returns the product of a line.
func shownProduct(l *commerce.Line) string {
	parts := []string{l.Name}
	if l.SKU != "" {
		parts = append(parts, "["+l.SKU+"]")
	}
	parts = append(parts, l.ProductID.String())
	if l.VariantID != uuid.Nil {
		parts = append(parts, "variant "+l.VariantID.String())
	}
	return strings.Join(parts, " ")
}
