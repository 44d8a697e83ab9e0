package commerce

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// CheckoutCheck is one reason for which today's checkout would be refused, independent of its body.
type CheckoutCheck struct {
	Message, Code string // Code may be empty
	// LineID is the unavailable line, or the first one that asks for the item of Short; else zero.
	LineID uuid.UUID
	// Short is the item with too little stock; nil for another reason.
	Short *StockShort
}

// CheckoutChecks lists the reasons in the order in which a checkout judges. levels are those of the cart's
// items. docs/api/discounts.md#explain.
func CheckoutChecks(c *Cart, s *Store, v Visitor, now time.Time, levels StockLevels) (all []CheckoutCheck) {
	add := func(r *Refusal) { all = append(all, CheckoutCheck{Message: r.Message, Code: r.Code}) }
	switch {
	case c.Status != CartActive && c.OrderID != uuid.Nil:
		return nil
	case c.Status != CartActive:
		add(NotFound("Cart", c.ID.String()))
		return all
	}
	if s.Closed != nil {
		add(s.Closed)
	}
	if len(c.Lines) == 0 {
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
	for _, short := range c.Short(s, levels) {
		add(OutOfStock)
		all[len(all)-1].Short, all[len(all)-1].LineID = &short, c.firstAsking(s, &short)
	}
	return all
}

// firstAsking is the first line that asks for an item with too little stock.
func (c *Cart) firstAsking(s *Store, short *StockShort) uuid.UUID {
	item := short.ProductID
	if short.VariantID != uuid.Nil {
		item = short.VariantID
	}
	for i := range c.Lines {
		if slices.ContainsFunc(c.Lines[i].appendAsks(nil, s), func(ask StockAsk) bool { return ask.Item == item }) {
			return c.Lines[i].ID
		}
	}
	return uuid.Nil
}

// StockItems are the stock items of the cart, in their order.
func (c *Cart) StockItems(s *Store) (items []uuid.UUID) {
	for _, ask := range c.asks(s) {
		items = append(items, ask.Item)
	}
	return items
}

// WantedItems are the stock items of the lines of a cart in any status, in their order.
func (c *Cart) WantedItems(s *Store) (items []uuid.UUID) {
	for _, ask := range c.wanted(s) {
		items = append(items, ask.Item)
	}
	return items
}
