package answers

import "cartd/commerce"

// soldFields are the fields that the lines of orders and of quotes share.
var soldFields = append(
	Of(lineFields(Quantity, "", "", ""), func(l *commerce.OrderLine) LineView { return LineView{&l.Line, l.Total} }),
	Member("tax_rate", Percent, "In per cent.", func(l *commerce.OrderLine) commerce.Percent { return l.TaxRate }),
	Member("variant_name", TextOrNull, "The variant's on that day.", func(l *commerce.OrderLine) string { return l.VariantName }),
	Member("unit", unit, "The product's on that day.", func(l *commerce.OrderLine) string { return l.Unit.String() }),
)

// OrderLine and QuoteLine are lines of an order and of a quote.
var (
	OrderLine = Object("OrderLine", append(soldFields[:len(soldFields):len(soldFields)],
		Member("attributes", soldAttributes, "", func(l *commerce.OrderLine) AttributesView { return AttributesView{l.Configuration, l} }))...)
	QuoteLine = Object("QuoteLine", append(soldFields[:len(soldFields):len(soldFields)],
		Member("attributes", soldAttributes, "", func(l *commerce.OrderLine) AttributesView { return AttributesView{Configuration: l.Configuration} }))...)
)

// soldAttributes is never null, but described as the attributes of all lines.
var soldAttributes = LineAttributes.Shaped(OrNull(LineAttributes).Schema)
