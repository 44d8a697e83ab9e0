package commerce

import "slices"

// TaxRow is one entry of tax_breakdown. Spec: totals.
type TaxRow struct {
	Rate      Percent
	Base, Tax Amount
}

// taxRows sums up the line totals by rate and splits each sum into base and tax. There is one row
// for each rate, highest rate first, also if the sum is 0. Spec: totals, tax_breakdown.
func (e *Evaluation) taxRows(c *Cart, s *Store) {
	e.Breakdown = e.Breakdown[:0]
	for i := range c.Lines {
		e.sum(e.LineTotals[i], c.Lines[i].tax(s))
	}
	e.splitRows(s.PricesIncludeTax)
}

// sum adds an amount to its rate's row.
func (e *Evaluation) sum(a Amount, rate Percent) {
	row := e.taxRow(rate)
	row.Base = e.add(row.Base, a)
}

// splitRows divides the sum of each row into base and tax.
func (e *Evaluation) splitRows(included bool) {
	for i := range e.Breakdown {
		row := &e.Breakdown[i]
		row.Base, row.Tax = splitTax(row.Base, row.Rate, included)
	}
}

// taxRow returns the row of a rate and makes it if it does not exist. The pointer is valid until
// the next call.
func (e *Evaluation) taxRow(rate Percent) *TaxRow {
	at := 0
	for at < len(e.Breakdown) && e.Breakdown[at].Rate > rate {
		at++
	}
	if at == len(e.Breakdown) || e.Breakdown[at].Rate != rate {
		e.Breakdown = slices.Insert(e.Breakdown, at, TaxRow{Rate: rate})
	}
	return &e.Breakdown[at]
}

// tax is the current rate of the product, active or not. If the product is gone, it is the
// product's last rate.
func (l *Line) tax(s *Store) Percent {
	if p := s.Product(l.ProductID); p != nil {
		return p.Tax
	}
	return l.Tax
}

// splitTax splits the sum of a rate's line totals into base and tax, rounded half up once for the
// whole sum. Spec: totals, prices_include_tax.
func splitTax(sum Amount, rate Percent, included bool) (base, tax Amount) {
	if !included {
		return sum, sum.Percent(rate)
	}
	tax, _ = sum.scale(uint64(rate), uint64(Hundred+rate)) // at most sum
	return sum - tax, tax
}

// TaxRate is a named rate in percent.
type TaxRate struct {
	Code string
	Rate Percent
}

// WithoutTax returns an amount without its tax, rounded half up. included is true if it includes the tax.
func (a Amount) WithoutTax(rate Percent, included bool) Amount {
	base, _ := splitTax(a, rate, included)
	return base
}
