package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// LineView is a line with its total after discounts.
type LineView struct {
	Line  *commerce.Line
	Total commerce.Amount
}

// CartLine is a line of a cart. Spec: lines[].
var CartLine = Object("CartLine", append(
	lineFields(UUID, Quantity.Shaped(openapi.Number.AtLeast(commerce.Quantity(1))), "Up to three decimals; whole for products sold by the piece.",
		"The product's, as it was when the line was added.", "The variant's or the product's, as it was when the line was added."),
	Member("attributes", OrNull(LineAttributes), "null on a cart's line unless the product is made to measure.", configured),
	Member("properties", Properties, "The shopper's texts, by the keys of the product's text fields, then those of the front end's own. Only on lines that "+
		"have some.",
		func(v LineView) []commerce.Property { return propertiesOf(v.Line.Properties) }).If(func(v LineView) bool { return v.Line.Properties != nil }))...)

// lineFields are the fields that the lines of carts, of orders and of quotes share, with the sentences that differ.
func lineFields(product Kind[uuid.UUID], quantity Kind[commerce.Quantity], aboutQuantity, aboutName, aboutSKU string) []Field[LineView] {
	return Rows(
		Member("id", UUID, "", func(v LineView) uuid.UUID { return v.Line.ID }),
		Member("product_id", product, "", func(v LineView) uuid.UUID { return v.Line.ProductID }),
		Member("variant_id", UUIDOrNull, "", func(v LineView) uuid.UUID { return v.Line.VariantID }),
		Member("name", Text, aboutName, func(v LineView) string { return v.Line.Name }),
		Member("sku", TextOrNull, aboutSKU, func(v LineView) string { return v.Line.SKU }),
		Member("quantity", quantity, aboutQuantity, func(v LineView) commerce.Quantity { return v.Line.Quantity }),
		Member("unit_price_amount", Amount, "In minor units.", func(v LineView) commerce.Amount { return v.Line.UnitPrice }),
		Member("unit_price", Money, "", func(v LineView) commerce.Amount { return v.Line.UnitPrice }),
		Member("line_total", Money, "After discounts.", func(v LineView) commerce.Amount { return v.Total }),
	)
}

// AttributesView is what the attributes of a line are made from. Sold is nil unless it is a line of an order.
type AttributesView struct {
	Configuration *commerce.Configuration
	Sold          *commerce.OrderLine
}

// LineAttributes is one for the lines of carts, orders and quotes.
var LineAttributes = Object("LineAttributes",
	Member("configuration", OrNull(Configuration), "null unless the product is made to measure.",
		func(v AttributesView) *commerce.Configuration { return v.Configuration }),
	Member("returnable", Boolean, "On lines of orders.", func(v AttributesView) bool { return v.Sold.Returnable }).If(ofOrder),
	Member("lead_time_days", Pointer(Integer), "On lines of orders.", func(v AttributesView) *int { return v.Sold.LeadTimeDays }).If(ofOrder),
)

func ofOrder(v AttributesView) bool { return v.Sold != nil }

// configured are the attributes of a cart's line.
func configured(v LineView) AttributesView {
	return AttributesView{Configuration: v.Line.Configuration}
}
