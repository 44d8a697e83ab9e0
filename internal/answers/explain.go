package answers

import (
	"math/big"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// ExplanationView is the calculation of a cart's amounts, with the refusals that a checkout would get now.
type ExplanationView struct {
	*commerce.Explanation
	Checks []commerce.CheckoutCheck
}

// Explanation shows how a cart's amounts are calculated. Amounts are in minor units, quantities in thousandths.
var Explanation = Object("Explanation", Self("data", Object("ExplanationSteps", Join(Rows(
	Member("steps", steps, "In the order of the calculation. Amounts are in minor units, quantities in thousandths.",
		func(v ExplanationView) *commerce.Explanation { return v.Explanation }),
	Member("checks", List(CheckoutCheck, itself[*commerce.CheckoutCheck]), "The refusals that a checkout would get now, in order; empty if it would succeed.",
		func(v ExplanationView) []commerce.CheckoutCheck { return v.Checks }),
), Of(taxation, func(v ExplanationView) *commerce.Taxation { return &v.Tax }))...), ""))

// CheckoutCheck is a refusal that a checkout would get.
var CheckoutCheck = Object("CheckoutCheck",
	Member("code", TextOrNull, "", func(c *commerce.CheckoutCheck) string { return c.Code }),
	Member("message", Text, "", func(c *commerce.CheckoutCheck) string { return c.Message }),
	Member("line_id", UUIDOrNull, "The line whose product is no longer available, or the first one that asks for the item.",
		func(c *commerce.CheckoutCheck) uuid.UUID { return c.LineID }),
	Member("product_id", UUIDOrNull, "The item, if there is too little stock of it; the next three fields too.",
		func(c *commerce.CheckoutCheck) uuid.UUID { return shortOf(c).Value.ProductID }),
	Member("variant_id", UUIDOrNull, "", func(c *commerce.CheckoutCheck) uuid.UUID { return shortOf(c).Value.VariantID }),
	Member("requested", IfThere(Stock), "",
		func(c *commerce.CheckoutCheck) Maybe[commerce.Micros] {
			s := shortOf(c)
			return Maybe[commerce.Micros]{s.Value.Requested, s.There}
		}),
	Member("available", IfThere(Stock), "",
		func(c *commerce.CheckoutCheck) Maybe[commerce.Micros] {
			s := shortOf(c)
			return Maybe[commerce.Micros]{s.Value.Available, s.There}
		}),
)

func shortOf(c *commerce.CheckoutCheck) (s Maybe[commerce.StockShort]) {
	if c.Short != nil {
		s = Maybe[commerce.StockShort]{*c.Short, true}
	}
	return s
}

// steps are the lines, the codes, the choice of an exclusive discount, the discounts in the order of their application, the tax rates, the totals.
var steps = Kind[*commerce.Explanation]{
	openapi.List(openapi.Either(LineStep.Schema, CodeStep.Schema, ExclusiveStep.Schema, DiscountStep.Schema, TaxStep.Schema, TotalsStep.Schema)), appendSteps,
}

func appendSteps(dst []byte, x *commerce.Explanation) []byte {
	dst = append(dst, '[')
	for i := range x.Lines {
		dst = append(LineStep.Append(dst, &x.Lines[i]), ',')
	}
	for i := range x.Codes {
		dst = append(CodeStep.Append(dst, &x.Codes[i]), ',')
	}
	if x.Exclusive != nil {
		dst = append(ExclusiveStep.Append(dst, x.Exclusive), ',')
	}
	for i := range x.Discounts {
		dst = append(DiscountStep.Append(dst, &x.Discounts[i]), ',')
	}
	for i := range x.Taxes {
		dst = append(TaxStep.Append(dst, &x.Taxes[i]), ',')
	}
	return append(TotalsStep.Append(dst, &x.Totals), ']')
}

func ofProducts(m *commerce.CodeMissing) bool { return m.Kind == commerce.MissingProducts }

// The steps of an explanation.
var (
	LineStep = Object("LineStep", Join(
		Rows(
			Constant[*commerce.LineStep]("step", "line", ""),
			Member("line_id", UUID, "", func(l *commerce.LineStep) uuid.UUID { return l.Line.ID }),
			Member("name", Text, "", func(l *commerce.LineStep) string { return l.Line.Name }),
			Member("price_from", Names("stored", "base", "group", "tier", "variant", "configuration", "period"), "",
				func(l *commerce.LineStep) string { return l.From.Source.String() }),
			Member("tier_min_quantity_thousandths", thousandths, "", func(l *commerce.LineStep) commerce.Quantity { return l.From.Tier }).
				If(func(l *commerce.LineStep) bool { return l.From.Tier > 0 }),
			Member("breakdown", breakdown, "", func(l *commerce.LineStep) []commerce.PricePart { return l.Line.Configuration.Breakdown }).
				If(func(l *commerce.LineStep) bool { return l.Line.Configuration != nil }),
			Member("unit_price_amount", Amount, "", func(l *commerce.LineStep) commerce.Amount { return l.Line.UnitPrice }),
			Member("quantity_thousandths", thousandths, "", func(l *commerce.LineStep) commerce.Quantity { return l.Line.Quantity })),
		Of(division, func(l *commerce.LineStep) *commerce.Division { return &l.Division }),
		Rows(Member("amount", Amount, "", func(l *commerce.LineStep) commerce.Amount { return l.Amount })))...)

	CodeStep = Object("CodeStep", Join(
		Rows(Constant[*commerce.ExplainedCode]("step", "code", "")),
		Of(codeResult, func(c *commerce.ExplainedCode) commerce.CodeResult { return c.CodeResult }),
		Rows(Member("missing", CodeMissing, "What the cart lacks for the code; absent if the code applies, or if no change of the cart helps.",
			func(c *commerce.ExplainedCode) *commerce.CodeMissing { return c.Missing }).
			If(func(c *commerce.ExplainedCode) bool { return c.Missing != nil })))...)

	CodeMissing = Object("CodeMissing",
		Member("kind", Names(commerce.MissingAmount, commerce.MissingProducts, commerce.MissingGroup),
			"amount: goods for so much more. products: a quantity of some products. group: the code is for other customers.",
			func(m *commerce.CodeMissing) string { return m.Kind }),
		Member("amount", Amount, "Of an amount.", func(m *commerce.CodeMissing) commerce.Amount { return m.Amount }).
			If(func(m *commerce.CodeMissing) bool { return m.Kind == commerce.MissingAmount }),
		Member("quantity_thousandths", thousandths, "Of products, what the discount asks for.",
			func(m *commerce.CodeMissing) commerce.Quantity { return m.Quantity }).If(ofProducts),
		Member("product_ids", List(UUID, deref[uuid.UUID]), "Of products; with `category_ids` empty, too, every product counts.",
			func(m *commerce.CodeMissing) []uuid.UUID { return m.Range.ProductIDs }).If(ofProducts),
		Member("category_ids", List(UUID, deref[uuid.UUID]), "Of products: those of these categories and of all below them.",
			func(m *commerce.CodeMissing) []uuid.UUID { return m.Range.CategoryIDs }).If(ofProducts))

	ExclusiveStep = Object("ExclusiveStep",
		Constant[*commerce.ExclusiveStep]("step", "exclusive", ""),
		Member("alternatives", List(DiscountAlternative, itself[*commerce.Alternative]),
			"All other discounts on the goods together, then each exclusive one that would apply. The first of the greatest ones is chosen.",
			func(s *commerce.ExclusiveStep) []commerce.Alternative { return s.Alternatives }))

	DiscountAlternative = Object("DiscountAlternative",
		Member("discount_id", UUIDOrNull, "null for all other discounts together; the next two fields too.",
			func(a *commerce.Alternative) uuid.UUID { return alternative(a).ID }),
		Member("name", TextOrNull, "", func(a *commerce.Alternative) string { return alternative(a).Name }),
		Member("code", TextOrNull, "", func(a *commerce.Alternative) string { return alternative(a).Code }),
		Member("amount", Amount, "What it takes off.", func(a *commerce.Alternative) commerce.Amount { return a.Amount }),
		Member("chosen", Boolean, "", func(a *commerce.Alternative) bool { return a.Chosen }))

	DiscountStep = Object("DiscountStep", Join(
		Rows(
			Constant[*commerce.DiscountStep]("step", "discount", ""),
			Member("discount_id", UUID, "", func(s *commerce.DiscountStep) uuid.UUID { return s.Discount.ID }),
			Member("name", Text, "", func(s *commerce.DiscountStep) string { return s.Discount.Name }),
			Member("code", TextOrNull, "", func(s *commerce.DiscountStep) string { return s.Code }),
			Member("kind", Text, "", func(s *commerce.DiscountStep) string { return s.Discount.Kind.String() }),
			Member("before", Amount, "", func(s *commerce.DiscountStep) commerce.Amount { return s.Before })),
		Of(division, func(s *commerce.DiscountStep) *commerce.Division { return s.Whole }),
		Rows(Member("fixed_amount", Amount, "", func(s *commerce.DiscountStep) commerce.Amount { return s.Discount.Value.Amount }).
			If(func(s *commerce.DiscountStep) bool { return s.Whole == nil && s.Bogo == nil && s.Discount.Value.Fixed })),
		bogo,
		Rows(
			Member("amount", Amount, "", func(s *commerce.DiscountStep) commerce.Amount { return s.Amount }),
			Member("lines", IfThere(List(DiscountShare, itself[*commerce.ShareStep])),
				"Each line's share. null if the shares of all discounts are more than 5,000, or if `discount_id` names another discount.",
				func(s *commerce.DiscountStep) Maybe[[]commerce.ShareStep] {
					return Maybe[[]commerce.ShareStep]{s.Shares, s.Shares != nil}
				})))...)

	DiscountShare = Object("DiscountShare", Join(
		Rows(
			Member("line_id", UUID, "", func(s *commerce.ShareStep) uuid.UUID { return s.Line.ID }),
			Member("before", Amount, "", func(s *commerce.ShareStep) commerce.Amount { return s.Before })),
		Of(division, func(s *commerce.ShareStep) *commerce.Division { return &s.Division }),
		Rows(
			Member("amount", Amount, "", func(s *commerce.ShareStep) commerce.Amount { return s.Amount }),
			Member("after", Amount, "", func(s *commerce.ShareStep) commerce.Amount { return s.After })))...)

	TaxStep = Object("TaxStep", Join(
		Rows(
			Constant[*commerce.TaxStep]("step", "tax", ""),
			Member("rate", Percent, "In per cent.", func(t *commerce.TaxStep) commerce.Percent { return t.Rate }),
			Member("sum", Amount, "", func(t *commerce.TaxStep) commerce.Amount { return t.Sum })),
		Of(division, func(t *commerce.TaxStep) *commerce.Division { return &t.Division }),
		Rows(
			Member("base", Amount, "", func(t *commerce.TaxStep) commerce.Amount { return t.Base }),
			Member("tax", Amount, "", func(t *commerce.TaxStep) commerce.Amount { return t.Tax }),
			Member("exempt", Boolean, "true if the cart is exempt: the rate is a home rate, and the tax is what came off the sum.",
				func(t *commerce.TaxStep) bool { return t.Exempt })))...)

	TotalsStep = Object("TotalsStep",
		Constant[*commerce.TotalsStep]("step", "totals", ""),
		Member("lines", Amount, "", func(t *commerce.TotalsStep) commerce.Amount { return t.Lines }),
		Member("discount_total", Amount, "", func(t *commerce.TotalsStep) commerce.Amount { return t.DiscountTotal }),
		Member("subtotal", Amount, "", func(t *commerce.TotalsStep) commerce.Amount { return t.Subtotal }),
		Member("tax_total", Amount, "", func(t *commerce.TotalsStep) commerce.Amount { return t.TaxTotal }),
		Member("total", Amount, "", func(t *commerce.TotalsStep) commerce.Amount { return t.Total }))
)

// alternative is an exclusive discount as a cart would show it, zero for all others.
func alternative(a *commerce.Alternative) (d commerce.OrderDiscount) {
	if a.Discount != nil {
		d = a.Frozen()
	}
	return d
}

// thousandths is a quantity in thousandths.
var thousandths = whole[commerce.Quantity]()

// division is a rounding; a step without one has none of its members.
var division = onlyIf(func(d *commerce.Division) bool { return d != nil },
	Member("of", bigNumber, "of × multiply = quotient × divide + remainder.", func(d *commerce.Division) *big.Int { return d.Of }),
	Member("multiply", bigNumber, "", func(d *commerce.Division) *big.Int { return d.Multiply }),
	Member("divide", bigNumber, "", func(d *commerce.Division) *big.Int { return d.Divide }),
	Member("quotient", bigNumber, "", func(d *commerce.Division) *big.Int { return d.Quotient }),
	Member("remainder", bigNumber, "", func(d *commerce.Division) *big.Int { return d.Remainder }),
	Member("extra", LongNumber, "The amount that rounding adds to the quotient.", func(d *commerce.Division) int64 { return d.Extra }),
)

// bogo are the counts of a buy-and-get discount.
var bogo = onlyIf(func(s *commerce.DiscountStep) bool { return s.Whole == nil && s.Bogo != nil },
	Member("bought_thousandths", thousandths, "", func(s *commerce.DiscountStep) commerce.Quantity { return s.Bogo.Bought }),
	Member("buy_min_quantity_thousandths", thousandths, "", func(s *commerce.DiscountStep) commerce.Quantity { return s.Bogo.Minimum }),
	Member("qualifies_times", LongNumber, "", func(s *commerce.DiscountStep) int64 { return s.Bogo.Times }),
	Member("get_quantity_thousandths", thousandths, "", func(s *commerce.DiscountStep) commerce.Quantity { return s.Bogo.Each }),
	Member("get_percent", Percent, "", func(s *commerce.DiscountStep) commerce.Percent { return s.Discount.Get.Percent }),
	Member("reduced_thousandths", thousandths, "", func(s *commerce.DiscountStep) commerce.Quantity { return s.Bogo.Units }),
	Member("unit_price_amount", Amount, "", func(s *commerce.DiscountStep) commerce.Amount { return s.Bogo.UnitPrice }),
)

var bigNumber = Kind[*big.Int]{openapi.Integer, func(dst []byte, n *big.Int) []byte { return n.Append(dst, 10) }}
