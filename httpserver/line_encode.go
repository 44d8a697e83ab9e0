package httpserver

import (
	"strconv"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// The shapes of a cart's lines. Spec: lines[].
var (
	breakdownShape = openapi.List(openapi.Object("PricePart").
			Has("label", openapi.Text, "").
			Has("amount", openapi.Integer, "In minor units."))
	componentsShape = openapi.List(openapi.Object("Component").
			Has("product_id", openapi.UUID, "").
			Has("qty", openapi.Text, "An exact decimal, for each unit of the line."))
	matrixShape        = openapi.Object("Matrix").Has("id", openapi.Text, "").Has("name", openapi.Text, "")
	configurationShape = openapi.Object("Configuration").
				Has("dimensions", openapi.Map(openapi.Integer), "Millimetres by the dimension's key.").
				Has("choices", openapi.List(openapi.Text), "Ids of choices.").
				Has("breakdown", breakdownShape, "The parts of the unit price.").
				Has("components", componentsShape, "The stock that one unit needs.").
				Has("matrix", matrixShape, "The price matrix that was used.")
	// lineAttributesShape is one for the lines of carts, orders and quotes.
	lineAttributesShape = openapi.Object("LineAttributes").
				Has("configuration", configurationShape.OrNull(), "null unless the product is made to measure.").
				May("returnable", openapi.Boolean, "On lines of orders.").
				May("lead_time_days", openapi.Integer.OrNull(), "On lines of orders.").OrNull()
	lineShape = openapi.Object("CartLine").
			Has("id", openapi.UUID, "").
			Has("product_id", openapi.UUID, "").
			Has("variant_id", openapi.UUID.OrNull(), "").
			Has("name", openapi.Text, "The product's, as it was when the line was added.").
			Has("sku", openapi.Text.OrNull(), "The variant's or the product's, as it was when the line was added.").
			Has("quantity", openapi.Number.Above(0), "Up to three decimals; whole for products sold by the piece.").
			Has("unit_price_amount", openapi.Integer, "In minor units.").
			Has("unit_price", moneyShape, "").
			Has("line_total", moneyShape, "After discounts.").
			Has("attributes", lineAttributesShape, "null on a cart's line unless the product is made to measure.")
)

// appendLines writes the lines with their evaluated totals. Spec: lines[].
func appendLines(dst []byte, lines []commerce.Line, totals []commerce.Amount) []byte {
	dst = append(dst, '[')
	for i := range lines {
		dst = appendLine(appendComma(dst, i), &lines[i], totals[i])
	}
	return append(dst, ']')
}

func appendLine(dst []byte, l *commerce.Line, total commerce.Amount) []byte {
	dst = appendLineFields(dst, l, total)
	dst = append(dst, `,"attributes":`...)
	if l.Configuration == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendConfiguration(append(dst, `{"configuration":`...), l.Configuration)
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// appendLineFields writes the fields that lines of carts and of orders share.
func appendLineFields(dst []byte, l *commerce.Line, total commerce.Amount) []byte {
	dst = appendUUID(append(dst, `{"id":`...), l.ID)
	dst = appendUUID(append(dst, `,"product_id":`...), l.ProductID)
	dst = appendUUIDOrNull(append(dst, `,"variant_id":`...), l.VariantID)
	dst = appendString(append(dst, `,"name":`...), l.Name)
	dst = appendText(append(dst, `,"sku":`...), l.SKU)
	dst = l.Quantity.AppendJSON(append(dst, `,"quantity":`...))
	dst = appendAmount(append(dst, `,"unit_price_amount":`...), l.UnitPrice)
	dst = appendMoney(append(dst, `,"unit_price":`...), l.UnitPrice)
	return appendMoney(append(dst, `,"line_total":`...), total)
}

// Spec: attributes.configuration (made-to-measure lines).
func appendConfiguration(dst []byte, c *commerce.Configuration) []byte {
	dst = append(dst, `{"dimensions":{`...)
	for i, d := range c.Dimensions {
		dst = append(appendString(appendComma(dst, i), d.Key), ':')
		dst = strconv.AppendInt(dst, d.Value, 10)
	}
	dst = appendStrings(append(dst, `},"choices":`...), c.Choices)
	dst = appendPriced(append(dst, ','), c)
	return append(dst, '}')
}

// appendPriced writes the result of a configuration: the members breakdown, components and matrix.
func appendPriced(dst []byte, c *commerce.Configuration) []byte {
	dst = append(dst, `"breakdown":[`...)
	for i, part := range c.Breakdown {
		dst = appendString(append(appendComma(dst, i), `{"label":`...), part.Label)
		dst = appendAmount(append(dst, `,"amount":`...), part.Amount)
		dst = append(dst, '}')
	}
	dst = append(dst, `],"components":[`...)
	for i, use := range c.Components {
		dst = appendUUID(append(appendComma(dst, i), `{"product_id":`...), use.ProductID)
		dst = appendString(append(dst, `,"qty":`...), use.Quantity)
		dst = append(dst, '}')
	}
	return appendMatrix(append(dst, `],"matrix":`...), c.MatrixID, c.MatrixName)
}

func appendMatrix(dst []byte, id, name string) []byte {
	dst = appendString(append(dst, `{"id":`...), id)
	dst = appendString(append(dst, `,"name":`...), name)
	return append(dst, '}')
}
