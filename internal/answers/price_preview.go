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
var PricedBasket = Object("PricedBasket", Self("data", Object("BasketPrice", Join(Rows(
	Member("at", Time, "The moment of the prices.", func(v BasketView) time.Time { return v.Evaluation.Now }),
	Self("lines", Counted(BasketLine, func(v BasketView) int { return len(v.Rows) }, basketLine), "One row for each line that was sent, in their order."),
	Member("discounts", List(Discount, (*commerce.AppliedDiscount).Frozen), "In the order of their application.",
		func(v BasketView) []commerce.AppliedDiscount { return v.Evaluation.Discounts }),
	Member("discount_codes", discountCodes, "The codes that a cart would have, in the order of attaching.",
		func(v BasketView) *commerce.Evaluation { return v.Evaluation }),
	Member("totals", CartTotals, "", func(v BasketView) *commerce.Evaluation { return v.Evaluation }),
), Of(taxation, func(v BasketView) *commerce.Taxation { return &v.Tax }), Rows(
	Member("requires_quote", Boolean, "If true, a cart could be ordered with a quote only.", func(v BasketView) bool { return v.RequiresQuote }),
	Member("quote_reasons", quoteReasons, "", func(v BasketView) []string { return v.QuoteReasons }),
	Member("shipping_methods", IfThere(List(ShippingMethod, itself[*commerce.DeliveryOption])),
		"The methods that can be chosen for `country`; null without it. Empty if no line requires shipping.",
		func(v BasketView) Maybe[[]commerce.DeliveryOption] {
			return Maybe[[]commerce.DeliveryOption]{v.Deliveries, v.Asked}
		}),
))...), ""))

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
var BasketLine = Object("BasketLine", Join(
	Rows(
		Member("index", Integer, "From 0.", func(v BasketLineView) int { return v.index }),
		Member("same_as", IfThere(Integer), "The index of the earlier row to which this line was added, because they are equal; null if there is none.",
			func(v BasketLineView) Maybe[int] { return Maybe[int]{v.SameAs, v.SameAs >= 0} }),
		Member("product_id", UUIDOrNull, "null if what was sent is faulty; so are the next one and the quantity.",
			func(v BasketLineView) uuid.UUID { return v.ProductID }),
		Member("variant_id", UUIDOrNull, "", func(v BasketLineView) uuid.UUID { return v.VariantID }),
		Member("properties", propertiesOrNull, "The line's texts as a cart keeps them; null without texts, and where the next amounts are null.",
			func(v BasketLineView) (texts *commerce.Properties) {
				if v.Line != nil {
					texts = v.Line.Properties
				}
				return texts
			}),
		Member("quantity", OrNull(Quantity), "With that of the rows that were added to this one.", func(v BasketLineView) commerce.Quantity {
			if v.Line != nil {
				return v.Line.Quantity
			}
			return v.Quantity
		}),
		basketAmount("unit_price", "null if the line is refused or was added to another; so are the next amounts.",
			func(v BasketLineView) commerce.Amount { return v.Unit }),
		basketAmount("full_total", "The line before discounts.", func(v BasketLineView) commerce.Amount { return v.Full }),
		basketAmount("discount_amount", "The line's share of the discounts.", func(v BasketLineView) commerce.Amount { return v.Discount }),
		basketAmount("line_total", "full_total − discount_amount.", func(v BasketLineView) commerce.Amount { return v.Total }),
		basketAmount("unit_price_without_tax", "For display; rounded by itself. The totals stay the truth.",
			func(v BasketLineView) commerce.Amount { return v.UnitNet }),
		basketAmount("full_total_without_tax", "For display, as above.", func(v BasketLineView) commerce.Amount { return v.FullNet }),
		basketAmount("discount_amount_without_tax", "For display, as above.", func(v BasketLineView) commerce.Amount { return v.DiscountNet }),
		basketAmount("line_total_without_tax", "For display, as above.", func(v BasketLineView) commerce.Amount { return v.TotalNet }),
		Member("tax_rate", IfThere(Percent), "In per cent; null where the amounts are null.", func(v BasketLineView) (m Maybe[commerce.Percent]) {
			if v.Line != nil {
				m = Maybe[commerce.Percent]{v.Rate, true}
			}
			return m
		}),
	),
	Of(lineRefusal, func(v BasketLineView) RefusalView {
		view := RefusalView{Refusal: v.Refused, Codes: v.codes}
		if v.Refused != nil {
			view.Message = v.Refused.Message
		}
		return view
	}))...)

// basketAmount is an amount of a row whose line has one.
func basketAmount(name, about string, get func(v BasketLineView) commerce.Amount) Field[BasketLineView] {
	return Member(name, IfThere(Money), about, func(v BasketLineView) Maybe[commerce.Amount] {
		return Maybe[commerce.Amount]{get(v), v.Line != nil}
	})
}
