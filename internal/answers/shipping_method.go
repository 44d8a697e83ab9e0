package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// OrderShippingMethod is the shipping method of an order. ShippingMethod is one that can be chosen: it begins with the same fields.
var (
	OrderShippingMethod = field.Object("OrderShippingMethod",
		field.Of(methodHead, func(s OrderShippingView) *commerce.OrderShipping { return s.OrderShipping }),
		field.Member("price_with_tax", Money, "", func(s OrderShippingView) *commerce.Amount { return &s.PriceWithTax }),
		field.Value("price_without_tax", Money, "The same as totals.shipping_total.", func(s OrderShippingView) commerce.Amount { return s.net }),
		field.Value("tax_rate", field.IfThere(Percent), "In per cent; null in a store that does not tax by country.",
			func(s OrderShippingView) field.Maybe[commerce.Percent] { return s.rate }),
	)
	ShippingMethod = field.Object("ShippingMethod",
		field.Of(methodHead, func(m *commerce.DeliveryOption) *commerce.OrderShipping {
			return &commerce.OrderShipping{ID: m.ID, Name: m.Name, Price: m.Cost}
		}),
		field.Member("price_without_tax", Money, "The totals.shipping_total of the order with this method.",
			func(m *commerce.DeliveryOption) *commerce.Amount { return &m.Net }),
		field.Member("price_with_tax", Money, "The price with its tax, rounded by itself.", func(m *commerce.DeliveryOption) *commerce.Amount { return &m.Gross }),
		field.Member("description", TextOrNull, "", func(m *commerce.DeliveryOption) *string { return &m.Description }),
		field.Member("min_days", field.Pointer(Integer), "The least number of days until delivery.", func(m *commerce.DeliveryOption) **int { return &m.MinDays }),
		field.Member("max_days", field.Pointer(Integer), "", func(m *commerce.DeliveryOption) **int { return &m.MaxDays }),
		field.Member("metadata", Metadata, "The store document's.", func(m *commerce.DeliveryOption) *commerce.Metadata { return &m.Metadata }),
		field.Member("tax_rate", Percent, "In per cent.", func(m *commerce.DeliveryOption) *commerce.Percent { return &m.TaxRate }),
		field.Member("order_total", Money, "The total of the order with this method, tax included.",
			func(m *commerce.DeliveryOption) *commerce.Amount { return &m.OrderTotal }),
	)
)

// OrderShippingView is the shipping method of an order with its price without tax.
type OrderShippingView struct {
	*commerce.OrderShipping
	net  commerce.Amount
	rate field.Maybe[commerce.Percent]
}

// shippingOf is the shipping method of an order; zero if it has none.
func shippingOf(o *commerce.Order) (v OrderShippingView) {
	if o.Shipping != nil {
		rate := field.Maybe[commerce.Percent]{Value: o.Tax.Charged(o.Shipping.TaxRate), There: o.Tax.Country != commerce.Country{}}
		v = OrderShippingView{o.Shipping, o.Totals.ShippingTotal, rate}
	}
	return v
}

var methodHead = field.Rows(
	field.Member("id", UUID, "", func(s *commerce.OrderShipping) *uuid.UUID { return &s.ID }),
	field.Member("name", Text, "", func(s *commerce.OrderShipping) *string { return &s.Name }),
	field.Member("price", Money, "After shipping discounts.", func(s *commerce.OrderShipping) *commerce.Amount { return &s.Price }),
)
