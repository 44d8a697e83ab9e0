package answers

import (
	"math/big"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// ExplanationView is the calculation of a cart's amounts, with the refusals that a checkout would get now.
type ExplanationView struct {
	*commerce.Explanation
	Checks []commerce.CheckoutCheck
}

// Explanation shows how a cart's amounts are calculated. Amounts are in minor units, quantities in thousandths.
var Explanation = field.Object("Explanation", field.Self("data", field.Object("ExplanationSteps",
	field.Value("steps", steps, "In the order of the calculation. Amounts are in minor units, quantities in thousandths.",
		func(v ExplanationView) *commerce.Explanation { return v.Explanation }),
	field.Value("checks", field.List(CheckoutCheck), "The refusals that a checkout would get now, in order; empty if it would succeed.",
		func(v ExplanationView) []commerce.CheckoutCheck { return v.Checks }),
	field.Of(taxation, func(v ExplanationView) *commerce.Taxation { return &v.Tax }),
), ""))

// CheckoutCheck is a refusal that a checkout would get.
var CheckoutCheck = field.Object("CheckoutCheck",
	field.Member("code", TextOrNull, "", func(c *commerce.CheckoutCheck) *string { return &c.Code }),
	field.Member("message", Text, "", func(c *commerce.CheckoutCheck) *string { return &c.Message }),
	field.Member("line_id", UUIDOrNull, "The line whose product is no longer available, or the first one that asks for the item.",
		func(c *commerce.CheckoutCheck) *uuid.UUID { return &c.LineID }),
	field.NullUnless(func(c *commerce.CheckoutCheck) bool { return c.Short != nil },
		field.Of(stockShort("The item, if there is too little stock of it; the next three fields too."),
			func(c *commerce.CheckoutCheck) *commerce.StockShort { return c.Short })),
)

// steps are the lines, the codes, the choice of an exclusive discount, the discounts in the order of their application, the tax rates, the totals.
var steps = Kind[*commerce.Explanation]{
	Schema: openapi.List(openapi.Either(LineStep.Schema, CodeStep.Schema, ExclusiveStep.Schema, DiscountStep.Schema, TaxStep.Schema, TotalsStep.Schema)),
	Append: appendSteps,
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
	LineStep = field.Object("LineStep",
		Constant[*commerce.LineStep]("step", "line", ""),
		field.Member("line_id", UUID, "", func(l *commerce.LineStep) *uuid.UUID { return &l.Line.ID }),
		field.Member("name", Text, "", func(l *commerce.LineStep) *string { return &l.Line.Name }),
		field.Value("price_from", Names("stored", "base", "group", "tier", "variant", "configuration", "period"), "",
			func(l *commerce.LineStep) string { return l.From.Source.String() }),
		field.If(func(l *commerce.LineStep) bool { return l.From.Tier > 0 },
			field.Member("tier_min_quantity_thousandths", thousandths, "", func(l *commerce.LineStep) *commerce.Quantity { return &l.From.Tier })),
		field.If(func(l *commerce.LineStep) bool { return l.Line.Configuration != nil },
			field.Member("breakdown", breakdown, "", func(l *commerce.LineStep) *[]commerce.PricePart { return &l.Line.Configuration.Breakdown })),
		field.Member("unit_price_amount", Amount, "", func(l *commerce.LineStep) *commerce.Amount { return &l.Line.UnitPrice }),
		field.Member("quantity_thousandths", thousandths, "", func(l *commerce.LineStep) *commerce.Quantity { return &l.Line.Quantity }),
		field.Of(division, func(l *commerce.LineStep) *commerce.Division { return &l.Division }),
		field.Member("amount", Amount, "", func(l *commerce.LineStep) *commerce.Amount { return &l.Amount }),
	)

	CodeStep = field.Object("CodeStep",
		Constant[*commerce.ExplainedCode]("step", "code", ""),
		field.Of(codeResult, func(c *commerce.ExplainedCode) commerce.CodeResult { return c.CodeResult }),
		field.If(func(c *commerce.ExplainedCode) bool { return c.Missing != nil }, field.Member("missing", CodeMissing,
			"What the cart lacks for the code; absent if the code applies, or if no change of the cart helps.",
			func(c *commerce.ExplainedCode) **commerce.CodeMissing { return &c.Missing })),
	)

	CodeMissing = field.Object("CodeMissing",
		field.Member("kind", Names(commerce.MissingAmount, commerce.MissingProducts, commerce.MissingGroup),
			"amount: goods for so much more. products: a quantity of some products. group: the code is for other customers.",
			func(m *commerce.CodeMissing) *string { return &m.Kind }),
		field.If(func(m *commerce.CodeMissing) bool { return m.Kind == commerce.MissingAmount },
			field.Member("amount", Amount, "Of an amount.", func(m *commerce.CodeMissing) *commerce.Amount { return &m.Amount })),
		field.If(func(m *commerce.CodeMissing) bool { return m.Kind == commerce.MissingProducts },
			field.Member("quantity_thousandths", thousandths, "Of products, what the discount asks for.",
				func(m *commerce.CodeMissing) *commerce.Quantity { return &m.Quantity }),
			field.Member("product_ids", field.Values(UUID), "Of products; with `category_ids` empty, too, every product counts.",
				func(m *commerce.CodeMissing) *[]uuid.UUID { return &m.Range.ProductIDs }),
			field.Member("category_ids", field.Values(UUID), "Of products: those of these categories and of all below them.",
				func(m *commerce.CodeMissing) *[]uuid.UUID { return &m.Range.CategoryIDs })))

	ExclusiveStep = field.Object("ExclusiveStep",
		Constant[*commerce.ExclusiveStep]("step", "exclusive", ""),
		field.Member("alternatives", field.List(DiscountAlternative),
			"All other discounts on the goods together, then each exclusive one that would apply. The first of the greatest ones is chosen.",
			func(s *commerce.ExclusiveStep) *[]commerce.Alternative { return &s.Alternatives }))

	DiscountAlternative = field.Object("DiscountAlternative",
		field.NullUnless(func(a *commerce.Alternative) bool { return a.Discount != nil }, field.Of(field.Rows(
			field.Value("discount_id", UUID, "null for all other discounts together; the next two fields too.",
				func(d commerce.OrderDiscount) uuid.UUID { return d.ID }),
			field.Value("name", Text, "", func(d commerce.OrderDiscount) string { return d.Name }),
			field.Value("code", TextOrNull, "", func(d commerce.OrderDiscount) string { return d.Code }),
		), func(a *commerce.Alternative) commerce.OrderDiscount { return a.Frozen() })),
		field.Member("amount", Amount, "What it takes off.", func(a *commerce.Alternative) *commerce.Amount { return &a.Amount }),
		field.Member("chosen", Boolean, "", func(a *commerce.Alternative) *bool { return &a.Chosen }))

	DiscountStep = field.Object("DiscountStep",
		Constant[*commerce.DiscountStep]("step", "discount", ""),
		field.Member("discount_id", UUID, "", func(s *commerce.DiscountStep) *uuid.UUID { return &s.Discount.ID }),
		field.Member("name", Text, "", func(s *commerce.DiscountStep) *string { return &s.Discount.Name }),
		field.Member("code", TextOrNull, "", func(s *commerce.DiscountStep) *string { return &s.Code }),
		field.Value("kind", Text, "", func(s *commerce.DiscountStep) string { return s.Discount.Kind.String() }),
		field.Member("before", Amount, "", func(s *commerce.DiscountStep) *commerce.Amount { return &s.Before }),
		field.Of(division, func(s *commerce.DiscountStep) *commerce.Division { return s.Whole }),
		field.If(func(s *commerce.DiscountStep) bool { return s.Whole == nil && s.Bogo == nil && s.Discount.Value.Fixed },
			field.Member("fixed_amount", Amount, "", func(s *commerce.DiscountStep) *commerce.Amount { return &s.Discount.Value.Amount })),
		bogo,
		field.Member("amount", Amount, "", func(s *commerce.DiscountStep) *commerce.Amount { return &s.Amount }),
		field.NullUnless(func(s *commerce.DiscountStep) bool { return s.Shares != nil }, field.Member("lines", field.List(DiscountShare),
			"Each line's share. null if the shares of all discounts are more than 5,000, or if `discount_id` names another discount.",
			func(s *commerce.DiscountStep) *[]commerce.ShareStep { return &s.Shares })))

	DiscountShare = field.Object("DiscountShare",
		field.Member("line_id", UUID, "", func(s *commerce.ShareStep) *uuid.UUID { return &s.Line.ID }),
		field.Member("before", Amount, "", func(s *commerce.ShareStep) *commerce.Amount { return &s.Before }),
		field.Of(division, func(s *commerce.ShareStep) *commerce.Division { return &s.Division }),
		field.Member("amount", Amount, "", func(s *commerce.ShareStep) *commerce.Amount { return &s.Amount }),
		field.Member("after", Amount, "", func(s *commerce.ShareStep) *commerce.Amount { return &s.After }),
	)

	TaxStep = field.Object("TaxStep",
		Constant[*commerce.TaxStep]("step", "tax", ""),
		field.Member("rate", Percent, "In per cent.", func(t *commerce.TaxStep) *commerce.Percent { return &t.Rate }),
		field.Member("sum", Amount, "", func(t *commerce.TaxStep) *commerce.Amount { return &t.Sum }),
		field.Of(division, func(t *commerce.TaxStep) *commerce.Division { return &t.Division }),
		field.Member("base", Amount, "", func(t *commerce.TaxStep) *commerce.Amount { return &t.Base }),
		field.Member("tax", Amount, "", func(t *commerce.TaxStep) *commerce.Amount { return &t.Tax }),
		field.Member("exempt", Boolean, "true if the cart is exempt: the rate is a home rate, and the tax is what came off the sum.",
			func(t *commerce.TaxStep) *bool { return &t.Exempt }),
	)

	TotalsStep = field.Object("TotalsStep",
		Constant[*commerce.TotalsStep]("step", "totals", ""),
		field.Member("lines", Amount, "", func(t *commerce.TotalsStep) *commerce.Amount { return &t.Lines }),
		field.Member("discount_total", Amount, "", func(t *commerce.TotalsStep) *commerce.Amount { return &t.DiscountTotal }),
		field.Member("subtotal", Amount, "", func(t *commerce.TotalsStep) *commerce.Amount { return &t.Subtotal }),
		field.Member("tax_total", Amount, "", func(t *commerce.TotalsStep) *commerce.Amount { return &t.TaxTotal }),
		field.Member("total", Amount, "", func(t *commerce.TotalsStep) *commerce.Amount { return &t.Total }))
)

// thousandths is a quantity in thousandths.
var thousandths = whole[commerce.Quantity]()

// division is a rounding; a step without one has none of its members.
var division = field.Rows(field.If(func(d *commerce.Division) bool { return d != nil },
	field.Member("of", bigNumber, "of × multiply = quotient × divide + remainder.", func(d *commerce.Division) **big.Int { return &d.Of }),
	field.Member("multiply", bigNumber, "", func(d *commerce.Division) **big.Int { return &d.Multiply }),
	field.Member("divide", bigNumber, "", func(d *commerce.Division) **big.Int { return &d.Divide }),
	field.Member("quotient", bigNumber, "", func(d *commerce.Division) **big.Int { return &d.Quotient }),
	field.Member("remainder", bigNumber, "", func(d *commerce.Division) **big.Int { return &d.Remainder }),
	field.Member("extra", LongNumber, "The amount that rounding adds to the quotient.", func(d *commerce.Division) *int64 { return &d.Extra }),
))

// bogo are the counts of a buy-and-get discount.
var bogo = field.If(func(s *commerce.DiscountStep) bool { return s.Whole == nil && s.Bogo != nil },
	field.Member("bought_thousandths", thousandths, "", func(s *commerce.DiscountStep) *commerce.Quantity { return &s.Bogo.Bought }),
	field.Member("buy_min_quantity_thousandths", thousandths, "", func(s *commerce.DiscountStep) *commerce.Quantity { return &s.Bogo.Minimum }),
	field.Member("qualifies_times", LongNumber, "", func(s *commerce.DiscountStep) *int64 { return &s.Bogo.Times }),
	field.Member("get_quantity_thousandths", thousandths, "", func(s *commerce.DiscountStep) *commerce.Quantity { return &s.Bogo.Each }),
	field.Member("get_percent", Percent, "", func(s *commerce.DiscountStep) *commerce.Percent { return &s.Discount.Get.Percent }),
	field.Member("reduced_thousandths", thousandths, "", func(s *commerce.DiscountStep) *commerce.Quantity { return &s.Bogo.Units }),
	field.Member("unit_price_amount", Amount, "", func(s *commerce.DiscountStep) *commerce.Amount { return &s.Bogo.UnitPrice }),
)

var bigNumber = Kind[*big.Int]{Schema: openapi.Integer, Append: func(dst []byte, n *big.Int) []byte { return n.Append(dst, 10) }}
