package commerce

import (
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
