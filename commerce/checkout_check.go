package commerce

import (
	"time"

	"github.com/google/uuid"
)

// CheckoutCheck is one reason for which a checkout would be refused today, whatever its body says.
type CheckoutCheck struct {
	Message, Code string    // no code: empty
	LineID        uuid.UUID // of an unavailable line; else zero
	// Short is the item that is short; nil if it is another reason.
	Short *StockShort
}

// CheckoutChecks lists them in the order in which a checkout judges. available is what the cart can
// have of each of its items. The routes page, Explain.
func CheckoutChecks(c *Cart, s *Store, v Visitor, now time.Time, available map[uuid.UUID]Micros) (all []CheckoutCheck) {
	add := func(r *Refusal) { all = append(all, CheckoutCheck{Message: r.Message, Code: r.Code}) }
	switch {
	case c.Status != CartActive && c.OrderID != uuid.Nil:
		return nil
	case c.Status != CartActive:
		add(NotFound("Cart", c.ID.String()))
		return all
	case len(c.Lines) == 0:
		add(&Refusal{Message: MsgRequired("lines")})
	}
	t := newTill(c, s, v, now)
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

// StockItems are the items that the cart asks for, in their order.
func (c *Cart) StockItems(s *Store) (items []uuid.UUID) {
	for _, ask := range c.asks(s) {
		items = append(items, ask.Item)
	}
	return items
}
