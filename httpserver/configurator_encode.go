package httpserver

import (
	"encoding/hex"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// The shapes of the configurator's answers.
var (
	choicePriceShape = openapi.Object("ChoicePrice").
				Has("type", openapi.Names("fixed", "percent", "per_m2"), "").
				May("amount", openapi.Integer, "In minor units; for per_m2 the price of a square metre of the first two dimensions.").
				May("percent", openapi.Text, "Per cent of the matrix amount, an exact decimal.")
	configuratorShape = openapi.Object("ConfiguratorSchema").
				Has("product_id", openapi.UUID, "").
				Has("dimensions", openapi.List(openapi.Object("Dimension").
					Has("key", openapi.Text, "").Has("label", openapi.Text, "").Has("unit", openapi.Text, "").
					Has("min", openapi.Integer, "").Has("max", openapi.Integer, "").
					Has("step", openapi.Integer, "Counted from min.")), "").
				Has("groups", openapi.List(openapi.Object("ChoiceGroup").
					Has("id", openapi.Text, "").Has("label", openapi.Text, "").
					Has("required", openapi.Boolean, "").Has("multiple", openapi.Boolean, "").
					Has("choices", openapi.List(openapi.Object("Choice").
						Has("id", openapi.Text, "").Has("label", openapi.Text, "").
						Has("price", choicePriceShape, "").
						Has("requires", openapi.List(openapi.Text), "Choices that must be chosen together with this one.")), "")), "").
				Has("matrices", openapi.List(matrixShape), "")
	configurationPriceShape = openapi.Object("ConfigurationQuote").
				Has("unit_price_amount", openapi.Integer, "In minor units.").
				Has("unit_price", moneyShape, "").
				Has("breakdown", breakdownShape, "").
				Has("components", componentsShape, "").
				Has("matrix", matrixShape, "").
				Has("config_hash", openapi.Text, "The same for the same product, dimensions and choices, in any order.").
				Has("requires_quote", openapi.Boolean, "true if a choice can only be ordered with a quote.")
)

// appendSchema writes the dimensions, choices and matrices of a configurator, without an envelope.
func appendSchema(dst []byte, product uuid.UUID, c *commerce.Configurator) []byte {
	dst = appendUUID(append(dst, `{"product_id":`...), product)
	dst = append(dst, `,"dimensions":[`...)
	for i := range c.Dimensions {
		dst = appendDimension(appendComma(dst, i), &c.Dimensions[i])
	}
	dst = append(dst, `],"groups":[`...)
	for i := range c.Groups {
		dst = appendChoiceGroup(appendComma(dst, i), &c.Groups[i])
	}
	dst = append(dst, `],"matrices":[`...)
	for i := range c.Matrices {
		dst = appendMatrix(appendComma(dst, i), c.Matrices[i].ID, c.Matrices[i].Name)
	}
	return append(dst, `]}`...)
}

func appendDimension(dst []byte, d *commerce.Dimension) []byte {
	dst = appendString(append(dst, `{"key":`...), d.Key)
	dst = appendString(append(dst, `,"label":`...), d.Label)
	dst = appendString(append(dst, `,"unit":`...), d.Unit)
	dst = strconv.AppendInt(append(dst, `,"min":`...), d.Min, 10)
	dst = strconv.AppendInt(append(dst, `,"max":`...), d.Max, 10)
	dst = strconv.AppendInt(append(dst, `,"step":`...), d.Step, 10)
	return append(dst, '}')
}

func appendChoiceGroup(dst []byte, g *commerce.ChoiceGroup) []byte {
	dst = appendString(append(dst, `{"id":`...), g.ID)
	dst = appendString(append(dst, `,"label":`...), g.Label)
	dst = strconv.AppendBool(append(dst, `,"required":`...), g.Required)
	dst = strconv.AppendBool(append(dst, `,"multiple":`...), g.Multiple)
	dst = append(dst, `,"choices":[`...)
	for i := range g.Choices {
		choice := &g.Choices[i]
		dst = appendString(append(appendComma(dst, i), `{"id":`...), choice.ID)
		dst = appendString(append(dst, `,"label":`...), choice.Label)
		dst = appendChoicePrice(append(dst, `,"price":`...), choice.Price)
		dst = appendStrings(append(dst, `,"requires":`...), choice.Requires)
		dst = append(dst, '}')
	}
	return append(dst, `]}`...)
}

// appendChoicePrice writes a choice's price in the form of the store document.
func appendChoicePrice(dst []byte, p commerce.ChoicePrice) []byte {
	dst = appendString(append(dst, `{"type":`...), p.Kind.String())
	if p.Kind == commerce.PricePercent {
		dst = appendString(append(dst, `,"percent":`...), p.Percent.String())
	} else {
		dst = appendAmount(append(dst, `,"amount":`...), p.Amount)
	}
	return append(dst, '}')
}

func appendConfigurationQuote(dst []byte, q *commerce.ConfigurationQuote) []byte {
	dst = appendAmount(append(dst, `{"unit_price_amount":`...), q.UnitPrice)
	dst = appendMoney(append(dst, `,"unit_price":`...), q.UnitPrice)
	dst = append(dst, ',')
	dst = appendPriced(dst, q.Snapshot)
	dst = append(dst, `,"config_hash":"`...)
	dst = hex.AppendEncode(dst, q.Snapshot.Hash[:])
	dst = strconv.AppendBool(append(dst, `","requires_quote":`...), q.RequiresQuote)
	return append(dst, '}')
}
