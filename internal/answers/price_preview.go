package answers

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// BasketView is a priced basket for an answer. Codes is true if the answer has the codes of its errors.
type BasketView struct {
	*commerce.PricedBasket
	Codes bool
}

// PricedBasket is what a basket would cost. docs/api/price.md#rules.
var PricedBasket = field.Object("PricedBasket", field.Self("data", field.Object("BasketPrice",
	field.Member("at", Time, "The moment of the prices.", func(v BasketView) *time.Time { return &v.Evaluation.Now }),
	field.Self("lines", field.Counted(BasketLine,
		func(v BasketView) int { return len(v.Rows) }, basketLine), "One row for each line that was sent, in their order."),
	field.Of(basketSums, func(v BasketView) *commerce.Evaluation { return v.Evaluation }),
	field.Of(taxation, func(v BasketView) *commerce.Taxation { return &v.Tax }),
	field.Of(basketQuote, func(v BasketView) *commerce.PricedBasket { return v.PricedBasket }),
), ""))

var basketSums = field.Rows(
	appliedDiscounts,
	field.Self("discount_codes", discountCodes, "The codes that a cart would have, in the order of attaching."),
	field.Self("totals", CartTotals, ""),
)

var basketQuote = field.Rows(
	field.Member("requires_quote", Boolean, "If true, a cart could be ordered with a quote only.",
		func(b *commerce.PricedBasket) *bool { return &b.RequiresQuote }),
	field.Member("quote_reasons", quoteReasons, "", func(b *commerce.PricedBasket) *[]string { return &b.QuoteReasons }),
	field.NullUnless(func(b *commerce.PricedBasket) bool { return b.Asked }, field.Member("shipping_methods", field.List(ShippingMethod),
		"The methods that can be chosen for `country`; null without it. Empty if no line requires shipping.",
		func(b *commerce.PricedBasket) *[]commerce.DeliveryOption { return &b.Deliveries })),
)

// BasketLineView is a row of a priced basket.
type BasketLineView struct {
	*commerce.BasketRow
	index int
	codes bool
}

func basketLine(v BasketView, i int) BasketLineView {
	return BasketLineView{&v.Rows[i], i, v.Codes}
}

// BasketLine is what became of one line of a basket.
var BasketLine = field.Object("BasketLine",
	field.Value("index", Integer, "From 0.", func(v BasketLineView) int { return v.index }),
	field.Of(basketRow, func(v BasketLineView) *commerce.BasketRow { return v.BasketRow }),
	field.Of(lineRefusal, func(v BasketLineView) RefusalView {
		view := RefusalView{Refusal: v.Refused, Codes: v.codes}
		if v.Refused != nil {
			view.Message = v.Refused.Message
		}
		return view
	}))

var basketRow = field.Rows(
	field.NullUnless(func(r *commerce.BasketRow) bool { return r.SameAs >= 0 },
		field.Member("same_as", Integer, "The index of the earlier row to which this line was added, because they are equal; null if there is none.",
			func(r *commerce.BasketRow) *int { return &r.SameAs })),
	field.Member("product_id", UUIDOrNull, "null if what was sent is faulty; so are the next one and the quantity.",
		func(r *commerce.BasketRow) *uuid.UUID { return &r.ProductID }),
	field.Member("variant_id", UUIDOrNull, "", func(r *commerce.BasketRow) *uuid.UUID { return &r.VariantID }),
	field.Value("properties", propertiesOrNull, "The line's texts as a cart keeps them; null without texts, and where the next amounts are null.",
		func(r *commerce.BasketRow) (texts *commerce.Properties) {
			if r.Line != nil {
				texts = r.Line.Properties
			}
			return texts
		}),
	field.Value("quantity", field.OrNull(Quantity), "With that of the rows that were added to this one.", func(r *commerce.BasketRow) commerce.Quantity {
		if r.Line != nil {
			return r.Line.Quantity
		}
		return r.Quantity
	}),
	field.NullUnless(func(r *commerce.BasketRow) bool { return r.Line != nil },
		field.Member("unit_price", Money, "null if the line is refused or was added to another; so are the next amounts.",
			func(r *commerce.BasketRow) *commerce.Amount { return &r.Unit }),
		field.Member("full_total", Money, "The line before discounts.", func(r *commerce.BasketRow) *commerce.Amount { return &r.Full }),
		field.Member("discount_amount", Money, "The line's share of the discounts.", func(r *commerce.BasketRow) *commerce.Amount { return &r.Discount }),
		field.Member("line_total", Money, "full_total − discount_amount.", func(r *commerce.BasketRow) *commerce.Amount { return &r.Total }),
		field.Member("unit_price_without_tax", Money, "For display; rounded by itself. The totals stay the truth.",
			func(r *commerce.BasketRow) *commerce.Amount { return &r.UnitNet }),
		field.Member("full_total_without_tax", Money, "For display, as above.", func(r *commerce.BasketRow) *commerce.Amount { return &r.FullNet }),
		field.Member("discount_amount_without_tax", Money, "For display, as above.", func(r *commerce.BasketRow) *commerce.Amount { return &r.DiscountNet }),
		field.Member("line_total_without_tax", Money, "For display, as above.", func(r *commerce.BasketRow) *commerce.Amount { return &r.TotalNet }),
		field.Member("tax_rate", Percent, "In per cent; null where the amounts are null.", func(r *commerce.BasketRow) *commerce.Percent { return &r.Rate })),
)
