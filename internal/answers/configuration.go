package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// Configuration is the configuration of a line that is made to measure. Spec: attributes.configuration.
var Configuration = field.Object("Configuration", append(field.Rows(
	field.Member("dimensions", field.Map(LongNumber, dimension), "Millimetres by the dimension's key.",
		func(c *commerce.Configuration) *[]commerce.DimensionValue { return &c.Dimensions }),
	field.Member("choices", Texts, "Ids of choices.", func(c *commerce.Configuration) *[]string { return &c.Choices }),
	field.Member("breakdown", breakdown, "The parts of the unit price.", func(c *commerce.Configuration) *[]commerce.PricePart { return &c.Breakdown }),
), made("The stock that one unit needs.", "The price matrix that was used.")...)...)

// made is what a configuration is made of, with a sentence about each of its fields.
func made(aboutComponents, aboutMatrix string) []Field[*commerce.Configuration] {
	return field.Rows(
		field.Member("components", field.List(field.Object("Component",
			field.Member("product_id", UUID, "", func(u *commerce.ComponentUse) *uuid.UUID { return &u.ProductID }),
			field.Member("qty", Text, "An exact decimal, for each unit of the line.", func(u *commerce.ComponentUse) *string { return &u.Quantity }),
		)), aboutComponents, func(c *commerce.Configuration) *[]commerce.ComponentUse { return &c.Components }),
		field.Self("matrix", matrix(
			func(c *commerce.Configuration) *string { return &c.MatrixID },
			func(c *commerce.Configuration) *string { return &c.MatrixName }), aboutMatrix),
	)
}

var breakdown = field.List(field.Object("PricePart",
	field.Member("label", Text, "", func(p *commerce.PricePart) *string { return &p.Label }),
	field.Member("amount", Amount, "In minor units.", func(p *commerce.PricePart) *commerce.Amount { return &p.Amount }),
))

// matrix is a price matrix of a configurator, or the one that a configuration has used.
func matrix[T any](id, name func(v T) *string) Kind[T] {
	return field.Object("Matrix", field.Member("id", Text, "", id), field.Member("name", Text, "", name))
}

func dimension(d *commerce.DimensionValue) (string, int64) { return d.Key, d.Value }
