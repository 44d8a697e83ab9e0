package answers

import "cartd/commerce"

// CartTotals are the totals of a cart. Spec: totals.
var CartTotals = Object("CartTotals",
	Member("subtotal", Money, "Goods without tax.", func(e *commerce.Evaluation) *commerce.Amount { return &e.Subtotal }),
	Member("tax_total", Money, "", func(e *commerce.Evaluation) *commerce.Amount { return &e.TaxTotal }),
	Member("total", Money, "subtotal + tax_total.", func(e *commerce.Evaluation) *commerce.Amount { return &e.Total }),
	Member("discount_total", Money, "The sum of the discounts on goods, in the store's price basis.",
		func(e *commerce.Evaluation) *commerce.Amount { return &e.DiscountTotal }),
	Member("tax_breakdown", taxBreakdown, "One entry for each rate, the highest first.",
		func(e *commerce.Evaluation) *[]commerce.TaxRow { return &e.Breakdown }),
)

var taxBreakdown = List(Object("TaxBreakdown",
	Member("rate", Percent, "In per cent.", func(r *commerce.TaxRow) *commerce.Percent { return &r.Rate }),
	Member("base", Amount, "Without tax, in minor units.", func(r *commerce.TaxRow) *commerce.Amount { return &r.Base }),
	Member("tax", Amount, "In minor units.", func(r *commerce.TaxRow) *commerce.Amount { return &r.Tax }),
))

// The totals of an order, and those of a quote, which has no shipping.
var (
	OrderTotals = Object("OrderTotals", Join(Rows(subtotal, shippingTotal), goodsTotals)...)
	quoteTotals = Shaped(Object("", Join(Rows(subtotal), goodsTotals)...), CartTotals.Schema)

	subtotal      = Member("subtotal", Money, "Goods without tax.", func(t *commerce.OrderTotals) *commerce.Amount { return &t.Subtotal })
	shippingTotal = Member("shipping_total", Money, "Shipping without tax.", func(t *commerce.OrderTotals) *commerce.Amount { return &t.ShippingTotal })
	goodsTotals   = Rows(
		Member("tax_total", Money, "", func(t *commerce.OrderTotals) *commerce.Amount { return &t.TaxTotal }),
		Member("discount_total", Money, "The sum of the discounts on goods.", func(t *commerce.OrderTotals) *commerce.Amount { return &t.DiscountTotal }),
		Member("total", Money, "", func(t *commerce.OrderTotals) *commerce.Amount { return &t.Total }),
		Member("tax_breakdown", taxBreakdown, "", func(t *commerce.OrderTotals) *[]commerce.TaxRow { return &t.Breakdown }),
	)
)
