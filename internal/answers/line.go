package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// LineView is a line with its total after discounts.
type LineView struct {
	Line  *commerce.Line
	Total commerce.Amount
}

// CartLine is a line of a cart. Spec: lines[].
var CartLine = field.Object("CartLine",
	field.Of(lineFields(UUID, field.Shaped(Quantity, openapi.Number.AtLeast(commerce.Quantity(1))), "Up to three decimals; whole for products sold by the piece.",
		"The product's, as it was when the line was added.", "The variant's or the product's, as it was when the line was added."),
		func(v LineView) *commerce.Line { return v.Line }),
	field.Value("line_total", Money, aboutLineTotal, func(v LineView) commerce.Amount { return v.Total }),
	field.Value("attributes", field.OrNull(LineAttributes), "null on a cart's line unless the product is made to measure.",
		func(v LineView) AttributesView { return AttributesView{Configuration: v.Line.Configuration} }),
	field.If(func(v LineView) bool { return v.Line.Properties != nil }, field.Value("properties", Properties,
		"The shopper's texts, by the keys of the product's text fields, then those of the front end's own. Only on lines that have some.",
		func(v LineView) []commerce.Property { return propertiesOf(v.Line.Properties) })),
)

const aboutLineTotal = "After discounts."

// lineFields are the fields that the lines of carts, of orders and of quotes share, with the sentences that differ.
func lineFields(product Kind[uuid.UUID], quantity Kind[commerce.Quantity], aboutQuantity, aboutName, aboutSKU string) []Field[*commerce.Line] {
	return field.Rows(
		field.Member("id", UUID, "", func(l *commerce.Line) *uuid.UUID { return &l.ID }),
		field.Member("product_id", product, "", func(l *commerce.Line) *uuid.UUID { return &l.ProductID }),
		field.Member("variant_id", UUIDOrNull, "", func(l *commerce.Line) *uuid.UUID { return &l.VariantID }),
		field.Member("name", Text, aboutName, func(l *commerce.Line) *string { return &l.Name }),
		field.Member("sku", TextOrNull, aboutSKU, func(l *commerce.Line) *string { return &l.SKU }),
		field.Member("quantity", quantity, aboutQuantity, func(l *commerce.Line) *commerce.Quantity { return &l.Quantity }),
		field.Member("unit_price_amount", Amount, "In minor units.", lineUnitPrice),
		field.Member("unit_price", Money, "", lineUnitPrice),
	)
}

func lineUnitPrice(l *commerce.Line) *commerce.Amount { return &l.UnitPrice }

// AttributesView is what the attributes of a line are made from. Sold is nil unless it is a line of an order.
type AttributesView struct {
	Configuration *commerce.Configuration
	Sold          *commerce.OrderLine
}

// LineAttributes is one for the lines of carts, orders and quotes.
var LineAttributes = field.Object("LineAttributes",
	field.Value("configuration", field.OrNull(Configuration), "null unless the product is made to measure.",
		func(v AttributesView) *commerce.Configuration { return v.Configuration }),
	field.If(func(v AttributesView) bool { return v.Sold != nil },
		field.Member("returnable", Boolean, "On lines of orders.", func(v AttributesView) *bool { return &v.Sold.Returnable }),
		field.Member("lead_time_days", field.Pointer(Integer), "On lines of orders.", func(v AttributesView) **int { return &v.Sold.LeadTimeDays })),
)

// Properties is the kind of a line's texts by their keys.
var Properties = field.Map(Text, func(p *commerce.Property) (key, value string) { return p.Key, p.Value })

// PropertyLabels is the kind of the labels of those texts that a text field of the product asked for.
var PropertyLabels = field.Map(Text, func(p *commerce.Property) (key, label string) { return p.Key, p.Label })

// propertiesOf are the properties of a line; nil if it has none.
func propertiesOf(p *commerce.Properties) []commerce.Property {
	if p == nil {
		return nil
	}
	return *p
}

// propertiesOrNull is the kind of the properties of a line that is not in a cart, null if it has none.
var propertiesOrNull = Kind[*commerce.Properties]{
	Schema: Properties.Schema.OrNull(),
	Append: func(dst []byte, p *commerce.Properties) []byte {
		if p == nil {
			return append(dst, "null"...)
		}
		return Properties.Append(dst, *p)
	},
}

// TextField is a text that a shopper gives with a line.
var TextField = field.Object("TextField",
	field.Member("key", Text, "The key of the text in a line's properties.", func(f *commerce.TextField) *string { return &f.Key }),
	field.Member("label", Text, "", func(f *commerce.TextField) *string { return &f.Label }),
	field.Member("required", Boolean, "", func(f *commerce.TextField) *bool { return &f.Required }),
	field.Member("max_length", Integer, "In characters.", func(f *commerce.TextField) *int { return &f.MaxLength }),
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
