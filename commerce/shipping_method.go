package commerce

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// ShippingMethod is a way of delivery with its price.
type ShippingMethod struct {
	ID    uuid.UUID
	Name  string
	Price Amount
	Tax   Percent
}

// ShippingMethod returns the method with this id, or nil.
func (s *Store) ShippingMethod(id uuid.UUID) *ShippingMethod {
	i := slices.IndexFunc(s.ShippingMethods, func(m ShippingMethod) bool { return m.ID == id })
	if i < 0 {
		return nil
	}
	return &s.ShippingMethods[i]
}

// discounted is the method's price after the discounts, each taken off the rest that the earlier
// ones left. off are the discounts with an amount.
func (m *ShippingMethod) discounted(discounts []ShippingDiscount) (price Amount, off []OrderDiscount) {
	price = m.Price
	for _, d := range discounts {
		if d.Amount = d.Value.off(price); d.Amount > 0 {
			price -= d.Amount
			off = append(off, d.OrderDiscount)
		}
	}
	return price, off
}

// DeliveryPrices are the prices of the store's methods for a cart, in the document's order.
func DeliveryPrices(c *Cart, s *Store, v Visitor, now time.Time) []Amount {
	var e Evaluation
	e.Evaluate(c, s, v, now)
	discounts := e.goods(c, s).Shipping
	prices := make([]Amount, len(s.ShippingMethods))
	for i := range s.ShippingMethods {
		prices[i], _ = s.ShippingMethods[i].discounted(discounts)
	}
	return prices
}

// RequiresShipping reports whether a product of the cart requires shipping today.
func (c *Cart) RequiresShipping(s *Store) bool {
	return c.anyProduct(s, func(_ *Line, p *Product) bool { return p.RequiresShipping })
}
