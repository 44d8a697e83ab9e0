package httpserver

import (
	"strconv"

	"cartd/commerce"
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

// appendLineFields writes what lines of carts and of orders share.
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
	dst = appendMade(append(dst, ','), c)
	return append(dst, '}')
}

// appendMade writes what a configuration came to: the members breakdown, components
// and matrix.
func appendMade(dst []byte, c *commerce.Configuration) []byte {
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
