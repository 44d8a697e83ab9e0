package commerce

import (
	"time"

	"github.com/google/uuid"
)

// CheckoutCheck is one reason for which today's checkout would be refused, independent of its body.
type CheckoutCheck struct {
	Message, Code string    // Code may be empty
	LineID        uuid.UUID // an unavailable line; else zero
	// Short is the item with too little stock; nil for another reason.
	Short *StockShort
}

// CheckoutChecks lists the reasons in the order in which a checkout judges. available is the available
// stock of each of the cart's items. docs/api/discounts.md#explain.
func CheckoutChecks(c *Cart, s *Store, v Visitor, now time.Time, available map[uuid.UUID]Micros) (all []CheckoutCheck) {
	add := func(r *Refusal) { all = append(all, CheckoutCheck{Message: r.Message, Code: r.Code}) }
	switch {
	case c.Status != CartActive && c.OrderID != uuid.Nil:
		return nil
	case c.Status != CartActive:
		add(NotFound("Cart", c.ID.String()))
		return all
	case len(c.Lines) == 0:
		add(&Refusal{Message: MsgRequired("lines").Text()})
	}
	t := evaluateForCheckout(c, s, v, now)
	for i, r := range t.unavailable() {
		add(r)
		all[len(all)-1].LineID = c.Lines[i].ID
	}
	for _, r := range t.refusals() {
		add(r)
	}
	for _, short := range t.short(func(item uuid.UUID) (Micros, bool) { free, known := available[item]; return free, known }) {
		add(OutOfStock)
		all[len(all)-1].Short = &short
	}
	return all
}

// StockItems are the stock items of the cart, in their order.
func (c *Cart) StockItems(s *Store) (items []uuid.UUID) {
	for _, ask := range c.asks(s) {
		items = append(items, ask.Item)
	}
	return items
}
