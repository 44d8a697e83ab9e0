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
