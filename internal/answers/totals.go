package answers

import (
	"slices"

	"cartd/commerce"
	"cartd/internal/field"
)

// CartTotals are the totals of a cart. Spec: totals.
var CartTotals = field.Object("CartTotals",
	field.Member("subtotal", Money, "Goods without tax.", func(e *commerce.Evaluation) *commerce.Amount { return &e.Subtotal }),
	field.Member("tax_total", Money, "", func(e *commerce.Evaluation) *commerce.Amount { return &e.TaxTotal }),
	field.Member("total", Money, "subtotal + tax_total.", func(e *commerce.Evaluation) *commerce.Amount { return &e.Total }),
	field.Member("discount_total", Money, "The sum of the discounts on goods, in the store's price basis.",
		func(e *commerce.Evaluation) *commerce.Amount { return &e.DiscountTotal }),
	field.Member("tax_breakdown", taxBreakdown, "One entry for each rate, the highest first.",
		func(e *commerce.Evaluation) *[]commerce.TaxRow { return &e.Breakdown }),
)

var taxBreakdown = field.List(field.Object("TaxBreakdown",
	field.Member("rate", Percent, "In per cent.", func(r *commerce.TaxRow) *commerce.Percent { return &r.Rate }),
	field.Member("base", Amount, "Without tax, in minor units.", func(r *commerce.TaxRow) *commerce.Amount { return &r.Base }),
	field.Member("tax", Amount, "In minor units.", func(r *commerce.TaxRow) *commerce.Amount { return &r.Tax }),
))

// The totals of an order, and those of a quote, which has no shipping.
var (
	OrderTotals = field.Object("OrderTotals", slices.Concat(field.Rows(subtotal, shippingTotal), goodsTotals)...)
	quoteTotals = field.Shaped(field.Object("", slices.Concat(field.Rows(subtotal), goodsTotals)...), CartTotals.Schema)

	subtotal      = field.Member("subtotal", Money, "Goods without tax.", func(t *commerce.OrderTotals) *commerce.Amount { return &t.Subtotal })
	shippingTotal = field.Member("shipping_total", Money, "Shipping without tax.", func(t *commerce.OrderTotals) *commerce.Amount { return &t.ShippingTotal })
	goodsTotals   = field.Rows(
		field.Member("tax_total", Money, "", func(t *commerce.OrderTotals) *commerce.Amount { return &t.TaxTotal }),
		field.Member("discount_total", Money, "The sum of the discounts on goods.", func(t *commerce.OrderTotals) *commerce.Amount { return &t.DiscountTotal }),
		field.Member("total", Money, "", func(t *commerce.OrderTotals) *commerce.Amount { return &t.Total }),
		field.Member("tax_breakdown", taxBreakdown, "", func(t *commerce.OrderTotals) *[]commerce.TaxRow { return &t.Breakdown }),
	)
)
