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
	e.groups = e.groups[:0]
	for i := range c.Lines {
		e.sum(e.LineTotals[i], c.Lines[i].applied(s, &e.Tax))
	}
	e.splitRows()
}

// sum adds an amount to the group of the rate that is applied to it.
func (e *Evaluation) sum(a Amount, applied Percent) {
	group := e.group(applied)
	group.Base = e.add(group.Base, a)
}

// splitRows divides the sum of each group into base and tax. An exempt cart has one row, without tax.
func (e *Evaluation) splitRows() {
	for i := range e.groups {
		group := &e.groups[i]
		group.Base, group.Tax = e.Tax.split(group.Base, group.Rate)
	}
	if e.Breakdown = e.groups; e.Tax.Exemption == NotExempt || len(e.groups) == 0 {
		return
	}
	all := TaxRow{}
	for i := range e.groups {
		all.Base = e.add(all.Base, e.groups[i].Base)
	}
	e.Breakdown = []TaxRow{all}
}

// group returns the group of a rate and makes it if it does not exist. The pointer is valid until
// the next call.
func (e *Evaluation) group(applied Percent) *TaxRow {
	at := 0
	for at < len(e.groups) && e.groups[at].Rate > applied {
		at++
	}
	if at == len(e.groups) || e.groups[at].Rate != applied {
		e.groups = slices.Insert(e.groups, at, TaxRow{Rate: applied})
	}
	return &e.groups[at]
}

// applied is the rate that a taxation applies to the current product, active or not. If the product is gone,
// it is the product's last home rate.
func (l *Line) applied(s *Store, t *Taxation) Percent {
	if p := s.Product(l.ProductID); p != nil {
		return t.applied(p.Tax)
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
