package commerce

import (
	"slices"

	"github.com/google/uuid"
)

// ShippingMethod is a way of delivery with its price and its limits.
type ShippingMethod struct {
	ID                uuid.UUID
	Name, Description string // the description may be empty
	Metadata          Metadata
	Price             Amount
	// Tiers take the place of Price, in the order of their goods.
	Tiers []ShippingTier
	Tax   *TaxRate
	// TaxOfGoods is true if the delivery is taxed at the highest rate of the lines that require shipping.
	TaxOfGoods bool
	// Countries are those of delivery, in the document's order; empty: everywhere.
	Countries []Country
	// MinGoods and MaxGoods bound the total of the goods, MaxWeight their weight; nil if there is no
	// limit. All are inclusive.
	MinGoods, MaxGoods *Amount
	MaxWeight          *Milligrams
	// MinDays and MaxDays are the time of the delivery; nil if it is not known.
	MinDays, MaxDays *int
}

// ShippingTier is the price of a method from a total of the goods on.
type ShippingTier struct{ MinGoods, Price Amount }

// ShippingMethod returns the method with this id, or nil.
func (s *Store) ShippingMethod(id uuid.UUID) *ShippingMethod {
	return find(s.ShippingMethods, func(m *ShippingMethod) bool { return m.ID == id })
}

// ShippingCountries are the countries that the store delivers to, in the order of their first
// appearance. It returns false if a method delivers everywhere.
func (s *Store) ShippingCountries() ([]Country, bool) {
	all := []Country{}
	seen := map[Country]bool{}
	for i := range s.ShippingMethods {
		if len(s.ShippingMethods[i].Countries) == 0 {
			return nil, false
		}
		for _, c := range s.ShippingMethods[i].Countries {
			if !seen[c] {
				seen[c] = true
				all = append(all, c)
			}
		}
	}
	return all, true
}

// delivers reports whether the method delivers to a country; nil for any.
func (m *ShippingMethod) delivers(to *Country) bool {
	return to == nil || len(m.Countries) == 0 || slices.Contains(m.Countries, *to)
}

// carries reports whether goods of a total and weight are within the method's limits.
func (m *ShippingMethod) carries(goods Amount, weight Micrograms) bool {
	return (m.MinGoods == nil || goods >= *m.MinGoods) && (m.MaxGoods == nil || goods <= *m.MaxGoods) &&
		(m.MaxWeight == nil || weight <= m.MaxWeight.times(One))
}

// priceFor is the price for goods of a total: the last tier's that is reached, else the method's.
func (m *ShippingMethod) priceFor(goods Amount) Amount {
	price := m.Price
	for i := range m.Tiers {
		if goods < m.Tiers[i].MinGoods {
			break
		}
		price = m.Tiers[i].Price
	}
	return price
}

// takeOff is a price of delivery after the discounts, each taken off the rest that the earlier ones
// left. each, which may be nil, is called for the discounts with an amount.
func takeOff(price Amount, discounts []ShippingDiscount, each func(OrderDiscount)) Amount {
	for i := range discounts {
		off := discounts[i].Value.off(price)
		if price -= off; off > 0 && each != nil {
			discount := discounts[i].OrderDiscount
			discount.Amount = off
			each(discount)
		}
	}
	return price
}

// RequiresShipping reports whether a product of the cart requires shipping today.
func (c *Cart) RequiresShipping(s *Store) bool {
	return c.anyProduct(s, func(_ *Line, p *Product) bool { return p.RequiresShipping })
}
