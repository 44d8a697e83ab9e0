package commerce

import "time"

// Evaluation is what a cart comes to in a store and a context at a moment:
// everything of the cart envelope that is not stored. It can be used again and
// again; its slices are reused.
type Evaluation struct {
	// LineTotals holds each line's total after discount allocation, in the cart's order.
	LineTotals []Amount
	// Discounts are the applied ones, in the order in which they apply.
	Discounts []AppliedDiscount
	// DiscountError says why the attached code does not apply; empty: it does, or there is none.
	DiscountError string

	Subtotal, TaxTotal, Total, DiscountTotal Amount
	// Breakdown has one row a tax rate in use, highest rate first.
	Breakdown []TaxRow

	RequiresQuote bool
	// QuoteReasons in their fixed order; empty when RequiresQuote is false.
	QuoteReasons []string
	// VATDisplay is inc or ex for this context.
	VATDisplay string

	// Overflow is true when an amount is beyond MaxAmount; the amounts are then cut off there.
	Overflow bool

	// named holds the lists of products that each line is in, lineDiscounts what the
	// discount at hand takes off: both only while discounts are applied.
	named         [][]int32
	lineDiscounts []lineDiscount
	// trace takes down how the amounts came about; nil: nobody asks.
	trace *Explanation
}

// AppliedDiscount is one discount on a cart. Spec: discounts.
type AppliedDiscount struct {
	Discount *Discount
	Amount   Amount
}

// Evaluate computes the whole evaluation of a cart. It never fails: totals are
// always there, whatever an import did to the products. now decides which
// discounts run. Spec: Cart, totals.
func (e *Evaluation) Evaluate(c *Cart, s *Store, v Visitor, now time.Time) {
	ctx := v.pricing()
	e.Overflow = false
	e.lineTotals(c)
	e.applyDiscounts(c, s, ctx, now)
	e.taxRows(c, s)
	e.addUp()
	e.VATDisplay = s.Policy.Pricing.VATDisplay
	if ctx.B2B {
		e.VATDisplay = "ex"
	}
	e.quoteTriggers(c, s, ctx)
}

// evaluateFull computes the totals as they are without discounts: the greatest that the
// cart can come to.
func (e *Evaluation) evaluateFull(c *Cart, s *Store) {
	e.Overflow = false
	e.lineTotals(c)
	e.taxRows(c, s)
	e.addUp()
}

// lineTotals prices every line, before any discount. Spec: Quantity rules 5.
func (e *Evaluation) lineTotals(c *Cart) {
	e.LineTotals = e.LineTotals[:0]
	for i := range c.Lines {
		total, ok := c.Lines[i].UnitPrice.Times(c.Lines[i].Quantity)
		e.Overflow = e.Overflow || !ok
		e.LineTotals = append(e.LineTotals, total)
	}
}

// addUp makes the totals from the tax rows, so that subtotal + tax = total always, also
// where amounts are cut off.
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
