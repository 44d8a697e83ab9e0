package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// CartDetails is what a page shows of a cart beside its envelope. docs/api/carts.md#details.
var CartDetails = Object("CartDetails", Join(Rows(
	Member("requires_shipping", Boolean, "true if a line's product is shipped: the order then needs a method and an address.",
		func(v CartAnswerView) bool { return v.Cart.RequiresShipping(v.Store) }),
	Member("merged_into", UUIDOrNull, "Of a merged cart the cart that it was folded into. Follow it until one is active or 404.",
		func(v CartAnswerView) uuid.UUID { return v.Cart.MergedInto }),
	Member("discount_codes", discountCodes, "All attached codes, in the order of attaching.",
		func(v CartAnswerView) *commerce.Evaluation { return v.Evaluation }),
), Of(taxation, func(v CartAnswerView) *commerce.Taxation { return &v.Evaluation.Tax }), Rows(
	Self("lines", Kind[CartAnswerView]{openapi.Map(CartLineDetails.Schema), appendLineDetails}, "By the line's id."),
))...)

// CartLineDetails are the details of a line.
var CartLineDetails = Object("CartLineDetails", Join(Rows(
	Member("slug", IfThere(Text), "The product's. This field and the next seven are null if the product is gone.",
		ofProduct(func(p *commerce.Product) string { return p.Slug })),
	Member("variant_name", IfThere(Text), "null also without variant.", ofVariant(func(v *commerce.Variant) string { return v.Name })),
	Member("unit", IfThere(unit), "", ofProduct(func(p *commerce.Product) string { return p.Unit.String() })),
	Member("tax_rate", IfThere(Percent), "In per cent.", func(d *commerce.LineDetails) Maybe[commerce.Percent] {
		return Maybe[commerce.Percent]{d.Rate, d.Product != nil}
	}),
	Member("media", OrNull(Picture), "The variant's first picture, else the product's; null if there is none.",
		func(d *commerce.LineDetails) *commerce.Media { return d.Picture }),
	Member("attributes", IfThere(Attributes), "The variant's; null without variant.",
		ofVariant(func(v *commerce.Variant) []commerce.Attribute { return v.Attributes })),
	Member("requires_shipping", IfThere(Boolean), "", ofProduct(func(p *commerce.Product) bool { return p.RequiresShipping })),
	Member("original_unit_price", IfThere(Money), "The base price, or the group's, if the policy shows it, it is above the unit price, and "+
		"a present price for the line's quantity equals the unit price.",
		func(d *commerce.LineDetails) Maybe[commerce.Amount] {
			return Maybe[commerce.Amount]{d.Original, d.ShowsOriginal}
		}),
	Member("stored_unit_price", Money, "What the last add, change or claim stored.", func(d *commerce.LineDetails) commerce.Amount { return d.Stored }),
	Member("current_unit_price", IfThere(Money), "What a PATCH of the line with its own quantity would store now, also where prices are hidden from guests. "+
		"null for a configured line, and if the product cannot be priced.",
		func(d *commerce.LineDetails) Maybe[commerce.Amount] {
			return Maybe[commerce.Amount]{d.Current, d.HasCurrent}
		}),
	Member("price_changed", Boolean, "`current_unit_price` is not null and differs from `stored_unit_price`.",
		func(d *commerce.LineDetails) bool { return d.PriceChanged() }),
	Member("full_total", Money, "The line before discounts.", func(d *commerce.LineDetails) commerce.Amount { return d.Full }),
	Member("discount_amount", Money, "The line's share of the discounts: full_total − discount_amount = line_total.",
		func(d *commerce.LineDetails) commerce.Amount { return d.Discount }),
	Member("unit_price_without_tax", Money, "For display; rounded by itself. The totals stay the truth.",
		func(d *commerce.LineDetails) commerce.Amount { return d.UnitNet }),
	Member("line_total_without_tax", Money, "For display, as above; so are the next ones.", func(d *commerce.LineDetails) commerce.Amount { return d.TotalNet }),
	Member("full_total_without_tax", Money, "", func(d *commerce.LineDetails) commerce.Amount { return d.FullNet }),
	Member("discount_amount_without_tax", Money, "", func(d *commerce.LineDetails) commerce.Amount { return d.DiscountNet }),
	Member("original_unit_price_without_tax", IfThere(Money), "", func(d *commerce.LineDetails) Maybe[commerce.Amount] {
		return Maybe[commerce.Amount]{d.OriginalNet, d.ShowsOriginal}
	}),
	Member("stored_unit_price_without_tax", Money, "", func(d *commerce.LineDetails) commerce.Amount { return d.StoredNet }),
	Member("current_unit_price_without_tax", IfThere(Money), "", func(d *commerce.LineDetails) Maybe[commerce.Amount] {
		return Maybe[commerce.Amount]{d.CurrentNet, d.HasCurrent}
	}),
), Of(pack, func(d *commerce.LineDetails) commerce.Pack { return d.Pack() }), Rows(
	Member("purchasable", Boolean, "false if a checkout would refuse the line today. It knows about too little stock only with `include=details,stock`.",
		func(d *commerce.LineDetails) bool { return d.Refused == nil }),
	Member("reason", TextOrNull, "Why not: the code of the refusal, or its message if it has none.", func(d *commerce.LineDetails) string {
		if d.Refused == nil {
			return ""
		}
		return d.Refused.Reason()
	}),
	Member("available", IfThere(Stock), "With `include=details,stock`: what the cart can have of the line's product or variant, what it holds included; "+
		"null if its stock is not tracked.", func(d *commerce.LineDetails) Maybe[commerce.Micros] {
		return Maybe[commerce.Micros]{d.Level.Available(), d.HasLevel}
	}).If(stockRead),
	Member("available_now", IfThere(Stock), "With `include=details,stock`: what is there already of it.",
		func(d *commerce.LineDetails) Maybe[commerce.Micros] {
			return Maybe[commerce.Micros]{d.Level.Now(), d.HasLevel}
		}).If(stockRead),
	Member("available_from", DateOrNull, "With `include=details,stock`: the day on which it is expected, while nothing is there and it can be ordered; else null.",
		func(d *commerce.LineDetails) commerce.Date { return d.State.From }).If(stockRead),
))...)

func stockRead(d *commerce.LineDetails) bool { return d.StockRead }

// ofProduct is a value of a line's product, which may be gone. ofVariant is one of its variant.
func ofProduct[V any](get func(*commerce.Product) V) func(*commerce.LineDetails) Maybe[V] {
	return func(d *commerce.LineDetails) (v Maybe[V]) {
		if d.Product != nil {
			v = Maybe[V]{get(d.Product), true}
		}
		return v
	}
}

func ofVariant[V any](get func(*commerce.Variant) V) func(*commerce.LineDetails) Maybe[V] {
	return func(d *commerce.LineDetails) (v Maybe[V]) {
		if d.Variant != nil {
			v = Maybe[V]{get(d.Variant), true}
		}
		return v
	}
}

// appendLineDetails writes the details of the lines by their ids.
func appendLineDetails(dst []byte, v CartAnswerView) []byte {
	prices := v.Store.PriceView(v.Visitor, v.Evaluation.Tax.Country, v.Evaluation.Now)
	dst = append(dst, '{')
	for i := range v.Cart.Lines {
		dst = append(UUID.Append(comma(dst, i), v.Cart.Lines[i].ID), ':')
		dst = CartLineDetails.Append(dst, v.Evaluation.LineDetails(v.Store, prices, i, v.Stock))
	}
	return append(dst, '}')
}
