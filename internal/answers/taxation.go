package answers

import (
	"cartd/commerce"
	"cartd/internal/field"
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
