package commerce

import (
	"slices"
	"time"
)

// consignment has the goods of a cart or a quote as shipping methods judge them.
type consignment struct {
	store *Store
	// goods are the totals of the goods. included is the basis of their prices.
	goods    *Evaluation
	included bool
	// discounts are those on the delivery.
	discounts []ShippingDiscount
	// shipped is true if a line requires shipping. weight is that of all lines.
	shipped bool
	weight  Micrograms
	// promised is true for the goods of a quote: it can be delivered by any method if none suits it.
	promised bool
}

// DeliveryOption is a shipping method that can be chosen.
type DeliveryOption struct {
	*ShippingMethod
	// Cost is the price after discounts, in the basis of the goods' prices. Net is the ShippingTotal that the
	// order has with this method: tax is rounded for each rate, not for each line. Gross is the price with tax,
	// rounded by itself, as the order has it.
	Cost, Net, Gross Amount
	// OrderTotal is the total of the order with this method.
	OrderTotal Amount
}

// consignment is the cart's goods as it was evaluated.
func (t *evaluatedCart) consignment() *consignment {
	c := &consignment{
		store: t.store, goods: &t.Evaluation, included: t.store.PricesIncludeTax, discounts: t.shippingDiscounts(),
		shipped: t.Cart.RequiresShipping(t.store),
	}
	for i := range t.Cart.Lines {
		l := &t.Cart.Lines[i]
		if p := t.store.Product(l.ProductID); p != nil {
			c.weigh(l, UnitWeight(p, p.Variant(l.VariantID)))
		}
	}
	return c
}

// consignment is the quote's goods, delivered by today's methods.
func (q *Quote) consignment(s *Store) *consignment {
	c := &consignment{store: s, goods: new(Evaluation), included: q.PricesIncludeTax, discounts: q.Goods.Shipping, promised: true}
	for i := range q.Goods.Lines {
		l := &q.Goods.Lines[i]
		c.goods.sum(l.Total, l.TaxRate)
		c.shipped = c.shipped || l.Freight.RequiresShipping
		c.weigh(&l.Line, l.Freight.UnitWeight)
	}
	c.goods.splitRows(q.PricesIncludeTax)
	c.goods.addUp()
	return c
}

func (c *consignment) weigh(l *Line, unit Milligrams) {
	c.weight = c.weight.plus(unit.times(l.Quantity))
}

// options are the methods that can be chosen for a country, in the document's order; nil stands for
// any country. There are none if no line requires shipping. Delivery.
func (c *consignment) options(country *Country) []DeliveryOption {
	if !c.shipped {
		return nil
	}
	suitable := c.those(func(m *ShippingMethod) bool { return m.delivers(country) && m.carries(c.goods.Total, c.weight) })
	if len(suitable) == 0 && c.promised {
		return c.those(func(*ShippingMethod) bool { return true })
	}
	return suitable
}

// offers reports whether a method is among the options.
func (c *consignment) offers(m *ShippingMethod, country *Country) bool {
	return slices.ContainsFunc(c.options(country), func(o DeliveryOption) bool { return o.ShippingMethod == m })
}

// those are the methods that a rule accepts. A method whose order would exceed MaxAmount is left
// out.
func (c *consignment) those(accepted func(*ShippingMethod) bool) []DeliveryOption {
	all := make([]DeliveryOption, 0, len(c.store.ShippingMethods))
	for i := range c.store.ShippingMethods {
		m := &c.store.ShippingMethods[i]
		if !accepted(m) {
			continue
		}
		cost := takeOff(c.price(m), c.discounts, nil)
		if net, total, ok := c.goods.delivered(cost, m.Tax, c.included); ok {
			own, tax := splitTax(cost, m.Tax, c.included)
			all = append(all, DeliveryOption{ShippingMethod: m, Cost: cost, Net: net, Gross: own + tax, OrderTotal: total})
		}
	}
	return all
}

// price is the price of a method before discounts, in the basis of the goods' prices; 0 for nil.
func (c *consignment) price(m *ShippingMethod) Amount {
	if m == nil {
		return 0
	}
	price := m.priceFor(c.goods.Total)
	if c.included == c.store.PricesIncludeTax {
		return price
	}
	base, tax := splitTax(price, m.Tax, c.store.PricesIncludeTax)
	if c.included {
		return base + tax
	}
	return base
}

// delivered is the total of goods with a delivery at a price, and what the delivery adds to the sum without
// tax. Only the row of the delivery's rate differs from the goods'. It returns false if the total exceeds
// MaxAmount.
func (e *Evaluation) delivered(price Amount, rate Percent, included bool) (net, total Amount, ok bool) {
	total, sum := e.Total, price
	for _, row := range e.Breakdown {
		if row.Rate != rate {
			continue
		}
		total, net = total-row.Base-row.Tax, net-row.Base
		if sum += row.Base; included {
			sum += row.Tax
		}
	}
	base, tax := splitTax(sum, rate, included)
	total, net = total+base+tax, net+base
	return net, total, !e.Overflow && total <= MaxAmount
}

// DeliveryOptions are the methods that the visitor can choose for a cart and a country, nil for any.
func DeliveryOptions(c *Cart, s *Store, v Visitor, now time.Time, country *Country) []DeliveryOption {
	return evaluateForCheckout(c, s, v, now).consignment().options(country)
}

// DeliveryOptions are the methods that can be chosen for the quote and a country, nil for any.
func (q *Quote) DeliveryOptions(s *Store, country *Country) []DeliveryOption {
	return q.consignment(s).options(country)
}
