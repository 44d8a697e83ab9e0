package commerce

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Evaluation has the computed part of a cart's envelope, in a store and a context at a moment. It
// can be used for many carts; its slices are reused.
type Evaluation struct {
	// Cart is the evaluated cart, with the unit prices that count. Stored is the cart as it was given,
	// with the prices of the last adds and changes.
	Cart, Stored *Cart
	// Now is the moment of the evaluation. Tax is the taxation of the cart.
	Now time.Time
	Tax Taxation
	// LineTotals has each line's total after discounts, in the cart's order.
	LineTotals []Amount
	// Discounts are the applied discounts, in the order in which they apply.
	Discounts []AppliedDiscount
	// CodeErrors has, for each of the cart's codes, the reason why it does not apply; empty if it
	// applies.
	CodeErrors []string

	Subtotal, TaxTotal, Total, DiscountTotal Amount
	// Breakdown has one row for each tax rate, highest rate first; one row of rate 0 if the cart is exempt.
	Breakdown []TaxRow
	// groups has one row for each rate that is applied: the Breakdown or, if the cart is exempt, the home rates
	// with the tax that comes off.
	groups []TaxRow

	RequiresQuote bool
	// QuoteReasons are in their fixed order; empty if RequiresQuote is false.
	QuoteReasons []string
	// VATDisplay is inc or ex in this context.
	VATDisplay string

	// Overflow is true if an amount exceeds MaxAmount. The amounts are then cut off there.
	Overflow bool

	// lines is memory for those of Cart, unless it is Stored. details is that of LineDetails.
	lines   []Line
	details LineDetails
	// lists has the lists of each line's product: rangeIndex. lineDiscounts are the current discount's
	// amounts, coded the discounts of the cart's codes, exclusive the best exclusive discount, and before
	// the line totals that it begins with. They are used only while discounts are applied.
	lists         [][]rangeNumber
	coded         []codedDiscount
	exclusive     exclusiveChoice
	before        []Amount
	lineDiscounts []lineDiscount
	// account is the visitor's; zero if there is none.
	account uuid.UUID
	// shortage has the discounts that a commit found used up; nil if none did.
	shortage *Shortage
	// trace records the computation; nil if no explanation is needed.
	trace *Explanation
}

// AppliedDiscount is one discount on a cart. Spec: discounts.
type AppliedDiscount struct {
	Discount *Discount
	// Code is the code of the cart by which the discount applies; nil if it is automatic.
	Code *AttachedCode
	// BatchCode is that code's batch and serial; zero if it is the discount's own code.
	BatchCode BatchCode
	Amount    Amount
}

// Spelling is the code as the store spells it: the document's spelling, or the printed form of a code of
// a batch; empty if the discount is automatic.
func (a *AppliedDiscount) Spelling() string {
	if a.BatchCode.Batch != nil {
		return a.BatchCode.String()
	}
	return a.Discount.Code
}

// Frozen is the discount in the form of orders. An automatic one has no code.
func (a *AppliedDiscount) Frozen() OrderDiscount {
	d := a.Discount
	return OrderDiscount{ID: d.ID, Name: d.Name, Code: a.Spelling(), Kind: d.Kind, Amount: a.Amount}
}

// FirstCodeError is the reason why the cart's first code does not apply; empty if it applies or there
// is none. Spec: Cart, discount_code_error.
func (e *Evaluation) FirstCodeError() string {
	if len(e.CodeErrors) == 0 {
		return ""
	}
	return e.CodeErrors[0]
}

// CodeResult is an attached code with the reason why it does not apply; the reason is empty if it applies.
type CodeResult struct{ Code, Error string }

// CodeResults are the cart's codes with their reasons, in the order of attaching; empty, not nil, if there
// are none.
func (e *Evaluation) CodeResults() []CodeResult {
	all := make([]CodeResult, len(e.Cart.Codes))
	for i := range all {
		all[i] = e.CodeResult(i)
	}
	return all
}

// CodeResult is the cart's i-th code with its reason.
func (e *Evaluation) CodeResult(i int) CodeResult {
	return CodeResult{e.Cart.Codes[i].Code, e.CodeErrors[i]}
}

// Evaluate computes the whole evaluation of a cart. It never fails: every cart has totals, whatever an import
// changed. The time decides which discounts run, and what the cart keeps decides its tax country.
// Spec: Cart, totals.
func (e *Evaluation) Evaluate(c *Cart, s *Store, v Visitor, now time.Time) {
	e.evaluateIn(s.taxCountry(c, c.Checkout.at(now).destination()), c, s, v, now)
}

// evaluateIn is Evaluate in a tax country.
func (e *Evaluation) evaluateIn(country Country, c *Cart, s *Store, v Visitor, now time.Time) {
	ctx := v.pricing(now)
	e.Tax = s.Taxation(country, &v)
	e.Overflow, e.account = false, uuid.Nil
	if v.Known {
		e.account = v.CustomerID
	}
	e.Now, e.Stored, e.Cart = now, c, c.priced(s, ctx, e.lines)
	if c = e.Cart; c != e.Stored {
		e.lines = c.Lines
	}
	e.lineTotals(c)
	e.applyDiscounts(s, ctx)
	e.taxRows(c, s)
	e.addUp()
	e.VATDisplay = s.vatDisplay(ctx)
	e.quoteTriggers(c, s, ctx)
}

// VATDisplay says whether a visitor is shown prices with tax (inc) or without (ex). Spec: policy.
func (s *Store) VATDisplay(v *Visitor) string { return s.vatDisplay(v.pricing(time.Time{})) }

func (s *Store) vatDisplay(ctx Pricing) string {
	if ctx.B2B {
		return "ex"
	}
	return s.Policy.Pricing.VATDisplay
}

// evaluateFull computes the totals without discounts, which are the maximum for the cart.
func (e *Evaluation) evaluateFull(c *Cart, in *Input) {
	s := in.Store
	e.Overflow, e.Tax = false, s.Taxation(s.taxCountry(c, c.Checkout.at(in.Now).destination()), &in.Visitor)
	e.lineTotals(c)
	e.taxRows(c, s)
	e.addUp()
}

// lineTotals prices every line, without discounts. Spec: Quantity rules 5.
func (e *Evaluation) lineTotals(c *Cart) {
	e.LineTotals = e.LineTotals[:0]
	for i := range c.Lines {
		total, ok := c.Lines[i].UnitPrice.Times(c.Lines[i].Quantity)
		e.Overflow = e.Overflow || !ok
		e.LineTotals = append(e.LineTotals, total)
	}
}

// addUp computes the totals from the tax rows. Subtotal + tax = total holds also where amounts are
// cut off.
func (e *Evaluation) addUp() {
	e.Subtotal, e.TaxTotal = 0, 0
	for _, row := range e.Breakdown {
		e.Subtotal = e.add(e.Subtotal, row.Base)
		e.TaxTotal = e.add(e.TaxTotal, row.Tax)
	}
	e.Total = e.add(e.Subtotal, e.TaxTotal)
	e.TaxTotal = e.Total - e.Subtotal
}

// add returns the sum of two amounts, cut off at MaxAmount.
func (e *Evaluation) add(a, b Amount) Amount {
	if sum := a + b; sum <= MaxAmount {
		return sum
	}
	e.Overflow = true
	return MaxAmount
}

// LinePrices is a store's rule for the unit price of a line whose product has another price now than at
// the line's last add or change. docs/api/lines.md#prices-that-move.
type LinePrices uint8

const (
	KeepPrices   LinePrices = iota // the stored price
	LowerPrices                    // the lower of the stored and the current price
	FollowPrices                   // the current price
	linePricesCount
)

var linePricesNames = [linePricesCount]string{"keep", "lower", "follow"}

// String returns the rule as the API spells it.
func (p LinePrices) String() string { return linePricesNames[p] }

// LinePricesNames lists the rules' names, in the order of the rules.
func LinePricesNames() []string { return slices.Clone(linePricesNames[:]) }

// priced is the cart with the unit prices at which the store sells its lines now. It is the cart
// itself if those are the stored ones by the store's rule, else a copy with its lines in the memory of
// room. Every evaluation begins with it, and nothing behind it knows the stored prices.
func (c *Cart) priced(s *Store, ctx Pricing, room []Line) *Cart {
	if s.Policy.LinePrices == KeepPrices {
		return c
	}
	next := *c
	next.Lines = append(room[:0], c.Lines...)
	for i := range next.Lines {
		l := &next.Lines[i]
		current, found := l.current(s.Product(l.ProductID), ctx)
		if found && (s.Policy.LinePrices == FollowPrices || current < l.UnitPrice) {
			l.UnitPrice = current
		}
	}
	return &next
}

// current returns the price that a change of the line with its own quantity would store. It returns
// false if that change would leave the price as it is: the line is configured, its product or variant
// is gone or inactive, or there is no price at this quantity. Spec: Line behaviour 4.
func (l *Line) current(p *Product, ctx Pricing) (Amount, bool) {
	if l.Configuration != nil || p == nil || !p.Active {
		return 0, false
	}
	var variant *Variant
	if l.VariantID != uuid.Nil {
		if variant = p.Variant(l.VariantID); variant == nil || !variant.Active {
			return 0, false
		}
	}
	return UnitPrice(p, variant, ctx, l.Quantity)
}

// reprice sets the price of a line for its quantity. A line without a current price keeps its own.
// Spec: Line behaviour 4.
func (l *Line) reprice(p *Product, ctx Pricing) {
	if price, ok := l.current(p, ctx); ok {
		l.UnitPrice = price
	}
}

// Invariant is a rule that the totals of every cart, and the parts of every order, must meet. Spec: totals.
type Invariant uint8

const (
	// SubtotalAndTax: subtotal + tax_total = total.
	SubtotalAndTax Invariant = iota
	// LinesAddUp: the line totals sum up to total or, if prices exclude tax, to subtotal; those of an exempt cart
	// with the home tax that came off.
	LinesAddUp
	// DiscountsAddUp: the discounts sum up to discount_total.
	DiscountsAddUp
	// BreakdownAddsUp: the rows of tax_breakdown sum up to subtotal and tax_total.
	BreakdownAddsUp
	// ExemptWithoutTax: the tax of an exempt cart is 0, in one row.
	ExemptWithoutTax
	// NothingNegative: no amount is below zero.
	NothingNegative
	// PartsAddUp: of each line of an order shipped + cancelled ≤ quantity, returned ≤ shipped and refunded ≤
	// quantity; the refunds sum up to at most the total, and of each rate to at most its row.
	PartsAddUp
	invariantCount
)

// String returns the invariant's name in the metrics.
func (i Invariant) String() string {
	return [...]string{"subtotal_and_tax", "lines", "discounts", "breakdown", "exempt", "negative", "parts"}[i]
}

// Invariants lists all invariants.
func Invariants() []Invariant {
	all := make([]Invariant, invariantCount)
	for i := range all {
		all[i] = Invariant(i)
	}
	return all
}

// Broken returns the first invariant that does not hold; false if all hold. A cart whose amounts
// are cut off is not checked.
func (e *Evaluation) Broken() (Invariant, bool) {
	if e.Overflow {
		return 0, false
	}
	var lines, discounts, base, tax Amount
	lowest := min(e.Subtotal, e.TaxTotal, e.Total, e.DiscountTotal)
	for _, total := range e.LineTotals {
		lines, lowest = lines+total, min(lowest, total)
	}
	for i := range e.Discounts {
		discounts, lowest = discounts+e.Discounts[i].Amount, min(lowest, e.Discounts[i].Amount)
	}
	for i := range e.Breakdown {
		row := &e.Breakdown[i]
		base, tax, lowest = base+row.Base, tax+row.Tax, min(lowest, row.Base, row.Tax)
	}
	goods := e.Subtotal
	if e.Tax.Included {
		goods = e.Total
	}
	if e.Tax.Included && e.Tax.Exemption != NotExempt { // listed amounts still have the home tax, which came off
		for i := range e.groups {
			goods += e.groups[i].Tax
		}
	}
	switch {
	case e.Subtotal+e.TaxTotal != e.Total:
		return SubtotalAndTax, true
	case lines != goods:
		return LinesAddUp, true
	case discounts != e.DiscountTotal:
		return DiscountsAddUp, true
	case base != e.Subtotal || tax != e.TaxTotal:
		return BreakdownAddsUp, true
	case e.Tax.Exemption != NotExempt && (e.TaxTotal != 0 || len(e.Breakdown) > 1):
		return ExemptWithoutTax, true
	}
	return NothingNegative, lowest < 0
}
