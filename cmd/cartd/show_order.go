package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"cartd/commerce"
	"cartd/persistence"
)

// showOrder shows an order as it was made, and what became of it: by its id, or those with a number, one a
// store.
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
	q.row("status", "%s", o.Status)
	q.payment(&o.Payment)
	q.shipment(o.Shipment)
	if o.Status == commerce.OrderCancelled {
		q.row("cancelled", "%s, stock came back: %v", shownTime(o.CancelledAt), o.Restocked)
		q.row("reason", "%s", o.CancelReason)
	}
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
	for _, take := range o.Takes {
		q.row("stock taken", "%s of %s", take.Quantity.AppendJSON(nil), take.Item)
	}
}

// payment shows an order's payment.
func (q *query) payment(p *commerce.Payment) {
	q.row("payment", "%s", p.Status())
	for _, at := range []struct {
		name      string
		time      time.Time
		reference string
	}{{"due", p.DueAt, ""}, {"paid", p.PaidAt, p.Reference}, {"refunded", p.RefundedAt, p.RefundReference}} {
		if !at.time.IsZero() {
			q.row(at.name, "%s", strings.Join(nonEmpty(shownTime(at.time), at.reference), ", "))
		}
	}
}

// shipment shows an order's shipment; nothing for nil.
func (q *query) shipment(s *commerce.Shipment) {
	if s == nil {
		return
	}
	q.row("shipped", "%s", strings.Join(nonEmpty(shownTime(s.ShippedAt), s.Carrier, s.TrackingNumber, s.TrackingURL), ", "))
	if !s.DeliveredAt.IsZero() {
		q.row("delivered", "%s", shownTime(s.DeliveredAt))
	}
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
