package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"cartd/commerce"
	"cartd/persistence"
)

// showOrder shows an order as it was made: by its id, or those with a number, one a store.
func showOrder(q *query) error {
	if number, err := strconv.ParseInt(q.word, 10, 64); err == nil && number > 0 {
		all, err := q.db.FindOrders(context.Background(), q.store, number)
		for i, found := range all {
			if i > 0 {
				fmt.Fprintln(q.out)
			}
			q.order(found)
		}
		return err
	}
	id, err := q.id()
	if err != nil {
		return fmt.Errorf("%w or the number", err)
	}
	found, err := q.db.FindOrder(context.Background(), q.store, id)
	if err != nil {
		return err
	}
	q.order(found)
	return nil
}

func (q *query) order(found *persistence.Found[*commerce.Order]) {
	o := found.State
	q.row("order", "%s, number %d", o.ID, o.Number)
	q.row("store", "%s %s", found.Store.ID, shownName(found.Store.Name))
	q.row("placed", "%s", shownTime(o.PlacedAt))
	q.row("cart", "%s", o.CartID)
	q.row("customer", "%s", shownBinding(o.Customer))
	q.row("e-mail", "%s", o.Email)
	q.row("reference", "%s", o.Reference)
	q.row("note", "%s", o.CustomerNote)
	q.goods(o.Lines, o.Discounts)
	if o.Shipping != nil {
		q.row("shipping", "%s", o.Shipping.Name)
	}
	q.row("shipped to", "%s", shownAddress(o.ShippingAddress))
	q.row("billed to", "%s", shownAddress(o.BillingAddress))
	q.totals(o.Totals)
}

// goods shows the lines and discounts of an order or a quote.
func (q *query) goods(lines []commerce.OrderLine, discounts []commerce.OrderDiscount) {
	for i := range lines {
		l := &lines[i]
		q.row(fmt.Sprintf("line %d", i+1), "%s", shownLine(&l.Line, l.Total))
	}
	for _, d := range discounts {
		q.row("discount", "%s (%s): %s", d.Name, d.Kind, shownAmount(d.Amount))
	}
}

// totals shows the totals of an order or a quote: subtotal, shipping total and
// taxes add up to the total.
func (q *query) totals(t commerce.OrderTotals) {
	q.row("subtotal", "%s", shownAmount(t.Subtotal))
	if t.ShippingTotal != 0 {
		q.row("shipping total", "%s", shownAmount(t.ShippingTotal))
	}
	for _, row := range t.Breakdown {
		q.row("tax", "%s", shownTax(row))
	}
	q.row("total", "%s", shownAmount(t.Total))
}

// shownLine returns a line with its total after discounts.
func shownLine(l *commerce.Line, total commerce.Amount) string {
	discount := ""
	if full, _ := l.UnitPrice.Times(l.Quantity); full != total {
		discount = fmt.Sprintf(" − %s discount", shownAmount(full-total))
	}
	return fmt.Sprintf("%s %s %s: %s × %s%s = %s", l.Quantity, l.Unit, shownProduct(l), l.Quantity, shownAmount(l.UnitPrice), discount, shownAmount(total))
}

func shownTax(row commerce.TaxRow) string {
	return fmt.Sprintf("%s %% of %s: %s", row.Rate, shownAmount(row.Base), shownAmount(row.Tax))
}

// shownAddress returns an address on one line; "" for nil.
func shownAddress(a *commerce.Address) string {
	if a == nil {
		return ""
	}
	return strings.Join(nonEmpty(a.Label, a.Name, a.Street, a.PostalCode+" "+a.City, a.Country, a.Phone), ", ")
}
