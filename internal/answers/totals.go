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

// countryOrNull is the kind of countries in upper case, null for none.
var countryOrNull = Kind[commerce.Country]{Schema: TextOrNull.Schema,
	Append: func(dst []byte, c commerce.Country) []byte { return TextOrNull.Append(dst, c.String()) }}

var exemption = field.OrNull(Names(commerce.ExemptionNames()...))

// taxation are the fields that say how amounts are taxed.
var taxation = field.Rows(
	field.Member("tax_country", countryOrNull, "The country whose tax rates count, upper case; null in a store that does not tax by country.",
		func(t *commerce.Taxation) *commerce.Country { return &t.Country }),
	field.Value("tax_exemption", exemption, "Why the tax is 0, although listed amounts have some; null if it is not.",
		func(t *commerce.Taxation) string { return t.Exemption.String() }),
)

// soldTaxation are those of an order or a quote, which are frozen.
var soldTaxation = field.Rows(
	field.Of(taxation, func(v SoldTaxationView) *commerce.Taxation { return v.Taxation }),
	field.Value("vat_id", TextOrNull, "The customer's, with reverse charge only.", func(v SoldTaxationView) string { return v.vatID }),
	field.Value("prices_include_tax", field.IfThere(Boolean), "The basis of the prices; null in a store that does not tax by country.",
		func(v SoldTaxationView) field.Maybe[bool] {
			return field.Maybe[bool]{Value: v.Included, There: v.Country != commerce.Country{}}
		}),
)

// SoldTaxationView is the taxation of an order or a quote with its VAT id.
type SoldTaxationView struct {
	*commerce.Taxation
	vatID string
}
