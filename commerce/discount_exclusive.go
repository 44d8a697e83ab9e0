package commerce

import "slices"

// exclusiveChoice is the exclusive discount that takes off most of a cart.
type exclusiveChoice struct {
	*readyDiscount // nil if none applies
	coded          *codedDiscount
	amount         Amount
}

// chooseExclusive judges each exclusive discount as if it applied alone, and keeps the best one. Of equal
// ones it is the first in the document.
func (d *discounting) chooseExclusive(q *discountQueue) {
	d.exclusive = exclusiveChoice{}
	for r, coded := q.next(0); r != nil; r, coded = q.next(0) {
		if !d.eligible(r, coded) {
			continue
		}
		amount := d.amount()
		if d.exclusive.readyDiscount == nil || amount > d.exclusive.amount {
			d.exclusive = exclusiveChoice{r, coded, amount}
		}
		if d.trace != nil {
			d.trace.alternative(d.applied(r, coded, amount))
		}
	}
	if d.exclusive.amount > 0 {
		d.before = append(d.before[:0], d.LineTotals...)
	}
}

// settleExclusive puts the best exclusive discount in the place of all other discounts on the goods, which
// have been applied, if it takes off more than they. A code of a discount that loses is not eligible. If
// none takes anything off, none loses.
func (d *discounting) settleExclusive() {
	if d.exclusive.readyDiscount == nil {
		return
	}
	wins := d.exclusive.amount > d.DiscountTotal
	if d.trace != nil {
		d.trace.choose(d.DiscountTotal, d.exclusive.Discount, wins)
	}
	if !wins && d.DiscountTotal == 0 {
		return
	}
	for i := range d.coded {
		c := &d.coded[i]
		loses := c.Exclusive
		if wins {
			loses = c.Discount != d.exclusive.Discount
		}
		if loses && d.CodeErrors[c.code] == "" { // codes of the delivery are judged later
			d.CodeErrors[c.code] = CodeNotEligible
		}
	}
	if !wins {
		return
	}
	copy(d.LineTotals, d.before)
	d.Discounts, d.DiscountTotal = d.Discounts[:0], 0
	d.judge(d.exclusive.readyDiscount, d.exclusive.coded)
	d.apply(d.exclusive.readyDiscount, d.exclusive.coded)
}

// ExclusiveStep is the choice between all other discounts on the goods and each exclusive one alone.
type ExclusiveStep struct {
	// Alternatives are first that of all other discounts, without a Discount, then the exclusive ones that
	// would apply, in the document's order.
	Alternatives []Alternative
}

// Alternative is one of those from which a cart gets the greatest.
type Alternative struct {
	AppliedDiscount
	Chosen bool
}

func (x *Explanation) alternative(a AppliedDiscount) {
	if x.Exclusive == nil {
		x.Exclusive = &ExclusiveStep{Alternatives: make([]Alternative, 1)}
	}
	x.Exclusive.Alternatives = append(x.Exclusive.Alternatives, Alternative{AppliedDiscount: a})
}

// choose records the choice. The steps of the other discounts are dropped if the exclusive one wins.
func (x *Explanation) choose(others Amount, exclusive *Discount, wins bool) {
	all := x.Exclusive.Alternatives
	all[0].Amount = others
	if !wins {
		all[0].Chosen = true
		return
	}
	at := slices.IndexFunc(all, func(a Alternative) bool { return a.Discount == exclusive })
	all[at].Chosen = true
	x.Discounts, x.shares = nil, 0
}
