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
var Explanation = Object("Explanation", Self("data", Object("ExplanationSteps",
	Value("steps", steps, "In the order of the calculation. Amounts are in minor units, quantities in thousandths.",
		func(v ExplanationView) *commerce.Explanation { return v.Explanation }),
	Value("checks", List(CheckoutCheck), "The refusals that a checkout would get now, in order; empty if it would succeed.",
		func(v ExplanationView) []commerce.CheckoutCheck { return v.Checks }),
	Of(taxation, func(v ExplanationView) *commerce.Taxation { return &v.Tax }),
), ""))

// CheckoutCheck is a refusal that a checkout would get.
var CheckoutCheck = Object("CheckoutCheck",
	Member("code", TextOrNull, "", func(c *commerce.CheckoutCheck) *string { return &c.Code }),
	Member("message", Text, "", func(c *commerce.CheckoutCheck) *string { return &c.Message }),
	Member("line_id", UUIDOrNull, "The line whose product is no longer available, or the first one that asks for the item.",
		func(c *commerce.CheckoutCheck) *uuid.UUID { return &c.LineID }),
	NullUnless(func(c *commerce.CheckoutCheck) bool { return c.Short != nil },
		Of(stockShort("The item, if there is too little stock of it; the next three fields too."),
			func(c *commerce.CheckoutCheck) *commerce.StockShort { return c.Short })),
)

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

// The steps of an explanation.
var (
	LineStep = Object("LineStep",
		Constant[*commerce.LineStep]("step", "line", ""),
		Member("line_id", UUID, "", func(l *commerce.LineStep) *uuid.UUID { return &l.Line.ID }),
		Member("name", Text, "", func(l *commerce.LineStep) *string { return &l.Line.Name }),
		Value("price_from", Names("stored", "base", "group", "tier", "variant", "configuration", "period"), "",
			func(l *commerce.LineStep) string { return l.From.Source.String() }),
		If(func(l *commerce.LineStep) bool { return l.From.Tier > 0 },
			Member("tier_min_quantity_thousandths", thousandths, "", func(l *commerce.LineStep) *commerce.Quantity { return &l.From.Tier })),
		If(func(l *commerce.LineStep) bool { return l.Line.Configuration != nil },
			Member("breakdown", breakdown, "", func(l *commerce.LineStep) *[]commerce.PricePart { return &l.Line.Configuration.Breakdown })),
		Member("unit_price_amount", Amount, "", func(l *commerce.LineStep) *commerce.Amount { return &l.Line.UnitPrice }),
		Member("quantity_thousandths", thousandths, "", func(l *commerce.LineStep) *commerce.Quantity { return &l.Line.Quantity }),
		Of(division, func(l *commerce.LineStep) *commerce.Division { return &l.Division }),
		Member("amount", Amount, "", func(l *commerce.LineStep) *commerce.Amount { return &l.Amount }),
	)

	CodeStep = Object("CodeStep",
		Constant[*commerce.ExplainedCode]("step", "code", ""),
		Of(codeResult, func(c *commerce.ExplainedCode) commerce.CodeResult { return c.CodeResult }),
		If(func(c *commerce.ExplainedCode) bool { return c.Missing != nil }, Member("missing", CodeMissing,
			"What the cart lacks for the code; absent if the code applies, or if no change of the cart helps.",
			func(c *commerce.ExplainedCode) **commerce.CodeMissing { return &c.Missing })),
	)

	CodeMissing = Object("CodeMissing",
		Member("kind", Names(commerce.MissingAmount, commerce.MissingProducts, commerce.MissingGroup),
			"amount: goods for so much more. products: a quantity of some products. group: the code is for other customers.",
			func(m *commerce.CodeMissing) *string { return &m.Kind }),
		If(func(m *commerce.CodeMissing) bool { return m.Kind == commerce.MissingAmount },
			Member("amount", Amount, "Of an amount.", func(m *commerce.CodeMissing) *commerce.Amount { return &m.Amount })),
		If(func(m *commerce.CodeMissing) bool { return m.Kind == commerce.MissingProducts },
			Member("quantity_thousandths", thousandths, "Of products, what the discount asks for.",
				func(m *commerce.CodeMissing) *commerce.Quantity { return &m.Quantity }),
			Member("product_ids", Values(UUID), "Of products; with `category_ids` empty, too, every product counts.",
				func(m *commerce.CodeMissing) *[]uuid.UUID { return &m.Range.ProductIDs }),
			Member("category_ids", Values(UUID), "Of products: those of these categories and of all below them.",
				func(m *commerce.CodeMissing) *[]uuid.UUID { return &m.Range.CategoryIDs })))

	ExclusiveStep = Object("ExclusiveStep",
		Constant[*commerce.ExclusiveStep]("step", "exclusive", ""),
		Member("alternatives", List(DiscountAlternative),
			"All other discounts on the goods together, then each exclusive one that would apply. The first of the greatest ones is chosen.",
			func(s *commerce.ExclusiveStep) *[]commerce.Alternative { return &s.Alternatives }))

	DiscountAlternative = Object("DiscountAlternative",
		NullUnless(func(a *commerce.Alternative) bool { return a.Discount != nil }, Of(Rows(
			Value("discount_id", UUID, "null for all other discounts together; the next two fields too.",
				func(d commerce.OrderDiscount) uuid.UUID { return d.ID }),
			Value("name", Text, "", func(d commerce.OrderDiscount) string { return d.Name }),
			Value("code", TextOrNull, "", func(d commerce.OrderDiscount) string { return d.Code }),
		), func(a *commerce.Alternative) commerce.OrderDiscount { return a.Frozen() })),
		Member("amount", Amount, "What it takes off.", func(a *commerce.Alternative) *commerce.Amount { return &a.Amount }),
		Member("chosen", Boolean, "", func(a *commerce.Alternative) *bool { return &a.Chosen }))

	DiscountStep = Object("DiscountStep",
		Constant[*commerce.DiscountStep]("step", "discount", ""),
		Member("discount_id", UUID, "", func(s *commerce.DiscountStep) *uuid.UUID { return &s.Discount.ID }),
		Member("name", Text, "", func(s *commerce.DiscountStep) *string { return &s.Discount.Name }),
		Member("code", TextOrNull, "", func(s *commerce.DiscountStep) *string { return &s.Code }),
		Value("kind", Text, "", func(s *commerce.DiscountStep) string { return s.Discount.Kind.String() }),
		Member("before", Amount, "", func(s *commerce.DiscountStep) *commerce.Amount { return &s.Before }),
		Of(division, func(s *commerce.DiscountStep) *commerce.Division { return s.Whole }),
		If(func(s *commerce.DiscountStep) bool { return s.Whole == nil && s.Bogo == nil && s.Discount.Value.Fixed },
			Member("fixed_amount", Amount, "", func(s *commerce.DiscountStep) *commerce.Amount { return &s.Discount.Value.Amount })),
		bogo,
		Member("amount", Amount, "", func(s *commerce.DiscountStep) *commerce.Amount { return &s.Amount }),
		NullUnless(func(s *commerce.DiscountStep) bool { return s.Shares != nil }, Member("lines", List(DiscountShare),
			"Each line's share. null if the shares of all discounts are more than 5,000, or if `discount_id` names another discount.",
			func(s *commerce.DiscountStep) *[]commerce.ShareStep { return &s.Shares })))

	DiscountShare = Object("DiscountShare",
		Member("line_id", UUID, "", func(s *commerce.ShareStep) *uuid.UUID { return &s.Line.ID }),
		Member("before", Amount, "", func(s *commerce.ShareStep) *commerce.Amount { return &s.Before }),
		Of(division, func(s *commerce.ShareStep) *commerce.Division { return &s.Division }),
		Member("amount", Amount, "", func(s *commerce.ShareStep) *commerce.Amount { return &s.Amount }),
		Member("after", Amount, "", func(s *commerce.ShareStep) *commerce.Amount { return &s.After }),
	)

	TaxStep = Object("TaxStep",
		Constant[*commerce.TaxStep]("step", "tax", ""),
		Member("rate", Percent, "In per cent.", func(t *commerce.TaxStep) *commerce.Percent { return &t.Rate }),
		Member("sum", Amount, "", func(t *commerce.TaxStep) *commerce.Amount { return &t.Sum }),
		Of(division, func(t *commerce.TaxStep) *commerce.Division { return &t.Division }),
		Member("base", Amount, "", func(t *commerce.TaxStep) *commerce.Amount { return &t.Base }),
		Member("tax", Amount, "", func(t *commerce.TaxStep) *commerce.Amount { return &t.Tax }),
		Member("exempt", Boolean, "true if the cart is exempt: the rate is a home rate, and the tax is what came off the sum.",
			func(t *commerce.TaxStep) *bool { return &t.Exempt }),
	)

	TotalsStep = Object("TotalsStep",
		Constant[*commerce.TotalsStep]("step", "totals", ""),
		Member("lines", Amount, "", func(t *commerce.TotalsStep) *commerce.Amount { return &t.Lines }),
		Member("discount_total", Amount, "", func(t *commerce.TotalsStep) *commerce.Amount { return &t.DiscountTotal }),
		Member("subtotal", Amount, "", func(t *commerce.TotalsStep) *commerce.Amount { return &t.Subtotal }),
		Member("tax_total", Amount, "", func(t *commerce.TotalsStep) *commerce.Amount { return &t.TaxTotal }),
		Member("total", Amount, "", func(t *commerce.TotalsStep) *commerce.Amount { return &t.Total }))
)

// thousandths is a quantity in thousandths.
var thousandths = whole[commerce.Quantity]()

// division is a rounding; a step without one has none of its members.
var division = Rows(If(func(d *commerce.Division) bool { return d != nil },
	Member("of", bigNumber, "of × multiply = quotient × divide + remainder.", func(d *commerce.Division) **big.Int { return &d.Of }),
	Member("multiply", bigNumber, "", func(d *commerce.Division) **big.Int { return &d.Multiply }),
	Member("divide", bigNumber, "", func(d *commerce.Division) **big.Int { return &d.Divide }),
	Member("quotient", bigNumber, "", func(d *commerce.Division) **big.Int { return &d.Quotient }),
	Member("remainder", bigNumber, "", func(d *commerce.Division) **big.Int { return &d.Remainder }),
	Member("extra", LongNumber, "The amount that rounding adds to the quotient.", func(d *commerce.Division) *int64 { return &d.Extra }),
))

// bogo are the counts of a buy-and-get discount.
var bogo = If(func(s *commerce.DiscountStep) bool { return s.Whole == nil && s.Bogo != nil },
	Member("bought_thousandths", thousandths, "", func(s *commerce.DiscountStep) *commerce.Quantity { return &s.Bogo.Bought }),
	Member("buy_min_quantity_thousandths", thousandths, "", func(s *commerce.DiscountStep) *commerce.Quantity { return &s.Bogo.Minimum }),
	Member("qualifies_times", LongNumber, "", func(s *commerce.DiscountStep) *int64 { return &s.Bogo.Times }),
	Member("get_quantity_thousandths", thousandths, "", func(s *commerce.DiscountStep) *commerce.Quantity { return &s.Bogo.Each }),
	Member("get_percent", Percent, "", func(s *commerce.DiscountStep) *commerce.Percent { return &s.Discount.Get.Percent }),
	Member("reduced_thousandths", thousandths, "", func(s *commerce.DiscountStep) *commerce.Quantity { return &s.Bogo.Units }),
	Member("unit_price_amount", Amount, "", func(s *commerce.DiscountStep) *commerce.Amount { return &s.Bogo.UnitPrice }),
)

var bigNumber = Kind[*big.Int]{openapi.Integer, func(dst []byte, n *big.Int) []byte { return n.Append(dst, 10) }}
