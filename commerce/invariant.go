package commerce

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
