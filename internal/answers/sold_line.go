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
		soldLine(func(l *commerce.OrderLine) AttributesView { return AttributesView{l.Configuration, l} })...)...)
	QuoteLine = Object("QuoteLine", append(soldFields[:len(soldFields):len(soldFields)],
		soldLine(func(l *commerce.OrderLine) AttributesView { return AttributesView{Configuration: l.Configuration} })...)...)
)

// soldLine are the fields that follow, with the line's attributes.
func soldLine(attributes func(l *commerce.OrderLine) AttributesView) []Field[*commerce.OrderLine] {
	return Rows(
		Member("attributes", soldAttributes, "", attributes),
		Member("properties", Properties, "The shopper's texts, as in the cart. Only on lines that have some.",
			func(l *commerce.OrderLine) []commerce.Property { return propertiesOf(l.Properties) }).If(hasProperties),
		Member("property_labels", PropertyLabels, "The labels of the texts on that day, but for keys of the front end's own. Only on lines with properties.",
			func(l *commerce.OrderLine) []commerce.Property { return l.Properties.Labelled() }).If(hasProperties),
	)
}

func hasProperties(l *commerce.OrderLine) bool { return l.Properties != nil }

// soldAttributes is never null, but described as the attributes of all lines.
var soldAttributes = LineAttributes.Shaped(OrNull(LineAttributes).Schema)
