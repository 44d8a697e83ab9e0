package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// OrderShippingMethod is the shipping method of an order. ShippingMethod is one that can be chosen: it begins with the same fields.
var (
	OrderShippingMethod = Object("OrderShippingMethod",
		Of(methodHead, func(s OrderShippingView) *commerce.OrderShipping { return s.OrderShipping }),
		Member("price_with_tax", Money, "", func(s OrderShippingView) *commerce.Amount { return &s.PriceWithTax }),
		Value("price_without_tax", Money, "The same as totals.shipping_total.", func(s OrderShippingView) commerce.Amount { return s.net }),
		Value("tax_rate", IfThere(Percent), "In per cent; null in a store that does not tax by country.",
			func(s OrderShippingView) Maybe[commerce.Percent] { return s.rate }),
	)
	ShippingMethod = Object("ShippingMethod",
		Of(methodHead, func(m *commerce.DeliveryOption) *commerce.OrderShipping {
			return &commerce.OrderShipping{ID: m.ID, Name: m.Name, Price: m.Cost}
		}),
		Member("price_without_tax", Money, "The totals.shipping_total of the order with this method.",
			func(m *commerce.DeliveryOption) *commerce.Amount { return &m.Net }),
		Member("price_with_tax", Money, "The price with its tax, rounded by itself.", func(m *commerce.DeliveryOption) *commerce.Amount { return &m.Gross }),
		Member("description", TextOrNull, "", func(m *commerce.DeliveryOption) *string { return &m.Description }),
		Member("min_days", Pointer(Integer), "The least number of days until delivery.", func(m *commerce.DeliveryOption) **int { return &m.MinDays }),
		Member("max_days", Pointer(Integer), "", func(m *commerce.DeliveryOption) **int { return &m.MaxDays }),
		Member("metadata", Metadata, "The store document's.", func(m *commerce.DeliveryOption) *commerce.Metadata { return &m.Metadata }),
		Member("tax_rate", Percent, "In per cent.", func(m *commerce.DeliveryOption) *commerce.Percent { return &m.TaxRate }),
		Member("order_total", Money, "The total of the order with this method, tax included.",
			func(m *commerce.DeliveryOption) *commerce.Amount { return &m.OrderTotal }),
	)
)

// OrderShippingView is the shipping method of an order with its price without tax.
type OrderShippingView struct {
	*commerce.OrderShipping
	net  commerce.Amount
	rate Maybe[commerce.Percent]
}

// shippingOf is the shipping method of an order; zero if it has none.
func shippingOf(o *commerce.Order) (v OrderShippingView) {
	if o.Shipping != nil {
		v = OrderShippingView{o.Shipping, o.Totals.ShippingTotal, Maybe[commerce.Percent]{o.Tax.Charged(o.Shipping.TaxRate), o.Tax.Country != commerce.Country{}}}
	}
	return v
}

var methodHead = Rows(
	Member("id", UUID, "", func(s *commerce.OrderShipping) *uuid.UUID { return &s.ID }),
	Member("name", Text, "", func(s *commerce.OrderShipping) *string { return &s.Name }),
	Member("price", Money, "After shipping discounts.", func(s *commerce.OrderShipping) *commerce.Amount { return &s.Price }),
)
