package answers

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// BasketView is a priced basket for an answer. Codes is true if the answer has the codes of its errors.
type BasketView struct {
	*commerce.PricedBasket
	Codes bool
}

// PricedBasket is what a basket would cost. docs/api/price.md#rules.
var PricedBasket = Object("PricedBasket", Self("data", Object("BasketPrice",
	Member("at", Time, "The moment of the prices.", func(v BasketView) *time.Time { return &v.Evaluation.Now }),
	Self("lines", Counted(BasketLine, func(v BasketView) int { return len(v.Rows) }, basketLine), "One row for each line that was sent, in their order."),
	Of(basketSums, func(v BasketView) *commerce.Evaluation { return v.Evaluation }),
	Of(taxation, func(v BasketView) *commerce.Taxation { return &v.Tax }),
	Of(basketQuote, func(v BasketView) *commerce.PricedBasket { return v.PricedBasket }),
), ""))

var basketSums = Rows(
	appliedDiscounts,
	Self("discount_codes", discountCodes, "The codes that a cart would have, in the order of attaching."),
	Self("totals", CartTotals, ""),
)

var basketQuote = Rows(
	Member("requires_quote", Boolean, "If true, a cart could be ordered with a quote only.", func(b *commerce.PricedBasket) *bool { return &b.RequiresQuote }),
	Member("quote_reasons", quoteReasons, "", func(b *commerce.PricedBasket) *[]string { return &b.QuoteReasons }),
	NullUnless(func(b *commerce.PricedBasket) bool { return b.Asked }, Member("shipping_methods", List(ShippingMethod),
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
var BasketLine = Object("BasketLine",
	Value("index", Integer, "From 0.", func(v BasketLineView) int { return v.index }),
	Of(basketRow, func(v BasketLineView) *commerce.BasketRow { return v.BasketRow }),
	Of(lineRefusal, func(v BasketLineView) RefusalView {
		view := RefusalView{Refusal: v.Refused, Codes: v.codes}
		if v.Refused != nil {
			view.Message = v.Refused.Message
		}
		return view
	}))

var basketRow = Rows(
	NullUnless(func(r *commerce.BasketRow) bool { return r.SameAs >= 0 },
		Member("same_as", Integer, "The index of the earlier row to which this line was added, because they are equal; null if there is none.",
			func(r *commerce.BasketRow) *int { return &r.SameAs })),
	Member("product_id", UUIDOrNull, "null if what was sent is faulty; so are the next one and the quantity.",
		func(r *commerce.BasketRow) *uuid.UUID { return &r.ProductID }),
	Member("variant_id", UUIDOrNull, "", func(r *commerce.BasketRow) *uuid.UUID { return &r.VariantID }),
	Value("properties", propertiesOrNull, "The line's texts as a cart keeps them; null without texts, and where the next amounts are null.",
		func(r *commerce.BasketRow) (texts *commerce.Properties) {
			if r.Line != nil {
				texts = r.Line.Properties
			}
			return texts
		}),
	Value("quantity", OrNull(Quantity), "With that of the rows that were added to this one.", func(r *commerce.BasketRow) commerce.Quantity {
		if r.Line != nil {
			return r.Line.Quantity
		}
		return r.Quantity
	}),
	NullUnless(func(r *commerce.BasketRow) bool { return r.Line != nil },
		Member("unit_price", Money, "null if the line is refused or was added to another; so are the next amounts.",
			func(r *commerce.BasketRow) *commerce.Amount { return &r.Unit }),
		Member("full_total", Money, "The line before discounts.", func(r *commerce.BasketRow) *commerce.Amount { return &r.Full }),
		Member("discount_amount", Money, "The line's share of the discounts.", func(r *commerce.BasketRow) *commerce.Amount { return &r.Discount }),
		Member("line_total", Money, "full_total − discount_amount.", func(r *commerce.BasketRow) *commerce.Amount { return &r.Total }),
		Member("unit_price_without_tax", Money, "For display; rounded by itself. The totals stay the truth.",
			func(r *commerce.BasketRow) *commerce.Amount { return &r.UnitNet }),
		Member("full_total_without_tax", Money, "For display, as above.", func(r *commerce.BasketRow) *commerce.Amount { return &r.FullNet }),
		Member("discount_amount_without_tax", Money, "For display, as above.", func(r *commerce.BasketRow) *commerce.Amount { return &r.DiscountNet }),
		Member("line_total_without_tax", Money, "For display, as above.", func(r *commerce.BasketRow) *commerce.Amount { return &r.TotalNet }),
		Member("tax_rate", Percent, "In per cent; null where the amounts are null.", func(r *commerce.BasketRow) *commerce.Percent { return &r.Rate })),
)
