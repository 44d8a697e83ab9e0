package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// CartDetails is what a page shows of a cart beside its envelope. docs/api/carts.md#details.
var CartDetails = field.Object("CartDetails",
	field.Value("requires_shipping", Boolean, "true if a line's product is shipped: the order then needs a method and an address.",
		func(v CartAnswerView) bool { return v.Cart.RequiresShipping(v.Store) }),
	field.Member("merged_into", UUIDOrNull, "Of a merged cart the cart that it was folded into. Follow it until one is active or 404.",
		func(v CartAnswerView) *uuid.UUID { return &v.Cart.MergedInto }),
	field.Value("discount_codes", discountCodes, "All attached codes, in the order of attaching.",
		func(v CartAnswerView) *commerce.Evaluation { return v.Evaluation }),
	field.Of(taxation, func(v CartAnswerView) *commerce.Taxation { return &v.Tax }),
	field.Self("lines", Kind[CartAnswerView]{Schema: openapi.Map(CartLineDetails.Schema), Append: appendLineDetails}, "By the line's id."),
)

// CartLineDetails are the details of a line.
var CartLineDetails = field.Object("CartLineDetails",
	field.NullUnless(hasProduct, field.Member("slug", Text, "The product's. This field and the next seven are null if the product is gone.",
		func(d *commerce.LineDetails) *string { return &d.Product.Slug })),
	field.NullUnless(hasVariant, field.Member("variant_name", Text, "null also without variant.",
		func(d *commerce.LineDetails) *string { return &d.Variant.Name })),
	field.NullUnless(hasProduct,
		field.Value("unit", unit, "", func(d *commerce.LineDetails) string { return d.Product.Unit.String() }),
		field.Member("tax_rate", Percent, "In per cent.", func(d *commerce.LineDetails) *commerce.Percent { return &d.Rate })),
	field.Member("media", field.OrNull(Picture), "The variant's first picture, else the product's; null if there is none.",
		func(d *commerce.LineDetails) **commerce.Media { return &d.Picture }),
	field.NullUnless(hasVariant, field.Member("attributes", Attributes, "The variant's; null without variant.",
		func(d *commerce.LineDetails) *[]commerce.Attribute { return &d.Variant.Attributes })),
	field.NullUnless(hasProduct, field.Member("requires_shipping", Boolean, "", func(d *commerce.LineDetails) *bool { return &d.Product.RequiresShipping })),
	field.NullUnless(showsOriginal, field.Member("original_unit_price", Money,
		"The base price, or the group's, if the policy shows it, it is above the unit price, and "+
			"a present price for the line's quantity equals the unit price.", func(d *commerce.LineDetails) *commerce.Amount { return &d.Original })),
	field.Member("stored_unit_price", Money, "What the last add, change or claim stored.", func(d *commerce.LineDetails) *commerce.Amount { return &d.Stored }),
	field.NullUnless(hasCurrent, field.Member("current_unit_price", Money, "What a PATCH of the line with its own quantity would store now, "+
		"also where prices are hidden from guests. null for a configured line, and if the product cannot be priced.",
		func(d *commerce.LineDetails) *commerce.Amount { return &d.Current })),
	field.Value("price_changed", Boolean, "`current_unit_price` is not null and differs from `stored_unit_price`.", (*commerce.LineDetails).PriceChanged),
	field.Member("full_total", Money, "The line before discounts.", func(d *commerce.LineDetails) *commerce.Amount { return &d.Full }),
	field.Member("discount_amount", Money, "The line's share of the discounts: full_total − discount_amount = line_total.",
		func(d *commerce.LineDetails) *commerce.Amount { return &d.Discount }),
	field.Member("unit_price_without_tax", Money, "For display; rounded by itself. The totals stay the truth.",
		func(d *commerce.LineDetails) *commerce.Amount { return &d.UnitNet }),
	field.Member("line_total_without_tax", Money, "For display, as above; so are the next ones.",
		func(d *commerce.LineDetails) *commerce.Amount { return &d.TotalNet }),
	field.Member("full_total_without_tax", Money, "", func(d *commerce.LineDetails) *commerce.Amount { return &d.FullNet }),
	field.Member("discount_amount_without_tax", Money, "", func(d *commerce.LineDetails) *commerce.Amount { return &d.DiscountNet }),
	field.NullUnless(showsOriginal,
		field.Member("original_unit_price_without_tax", Money, "", func(d *commerce.LineDetails) *commerce.Amount { return &d.OriginalNet })),
	field.Member("stored_unit_price_without_tax", Money, "", func(d *commerce.LineDetails) *commerce.Amount { return &d.StoredNet }),
	field.NullUnless(hasCurrent,
		field.Member("current_unit_price_without_tax", Money, "", func(d *commerce.LineDetails) *commerce.Amount { return &d.CurrentNet })),
	field.Of(pack, (*commerce.LineDetails).Pack),
	field.Value("purchasable", Boolean, "false if a checkout would refuse the line today. It knows about too little stock only with `include=details,stock`.",
		func(d *commerce.LineDetails) bool { return d.Refused == nil }),
	field.NullUnless(func(d *commerce.LineDetails) bool { return d.Refused != nil }, field.Value("reason", Text,
		"Why not: the code of the refusal, or its message if it has none.", func(d *commerce.LineDetails) string { return d.Refused.Reason() })),
	field.If(func(d *commerce.LineDetails) bool { return d.StockRead },
		field.NullUnless(func(d *commerce.LineDetails) bool { return d.HasLevel },
			field.Value("available", Stock, "With `include=details,stock`: what the cart can have of the line's product or variant, what it holds included; "+
				"null if its stock is not tracked.", func(d *commerce.LineDetails) commerce.Micros { return d.Level.Available() }),
			field.Value("available_now", Stock, "With `include=details,stock`: what is there already of it.",
				func(d *commerce.LineDetails) commerce.Micros { return d.Level.Now() })),
		field.Member("available_from", DateOrNull, "With `include=details,stock`: the day on which it is expected, while nothing is there and it can be ordered; "+
			"else null.", func(d *commerce.LineDetails) *commerce.Date { return &d.State.From })),
)

func hasProduct(d *commerce.LineDetails) bool    { return d.Product != nil }
func hasVariant(d *commerce.LineDetails) bool    { return d.Variant != nil }
func hasCurrent(d *commerce.LineDetails) bool    { return d.HasCurrent }
func showsOriginal(d *commerce.LineDetails) bool { return d.ShowsOriginal }

// appendLineDetails writes the details of the lines by their ids.
func appendLineDetails(dst []byte, v CartAnswerView) []byte {
	prices := v.Store.PriceView(v.Visitor, v.Evaluation.Tax.Country, v.Evaluation.Now)
	dst = append(dst, '{')
	for i := range v.Cart.Lines {
		dst = append(UUID.Append(field.Comma(dst, i), v.Cart.Lines[i].ID), ':')
		dst = CartLineDetails.Append(dst, v.Evaluation.LineDetails(v.Store, prices, i, v.Stock))
	}
	return append(dst, '}')
}
