package commerce

import (
	"math"
	"slices"
)

// The reasons why an attached code does not apply. Spec: Cart, discount_code_error.
const (
	CodeInvalid     = "invalid"
	CodeExpired     = "expired"
	CodeUsageLimit  = "usage_limit"
	CodeNotEligible = "not_eligible"
	CodeMinOrder    = "min_order"
)

// discounting applies the store's discounts to one cart.
type discounting struct {
	*Evaluation
	ctx Pricing
	// undiscounted is the sum of the line totals without discounts.
	undiscounted Amount
	// appliedByCode is the last discount that applied by a code; nil if there is none yet.
	appliedByCode *Discount
}

// codedDiscount is the discount of one of the cart's codes.
type codedDiscount struct {
	*readyDiscount
	code int // the code's index in Cart.Codes
	of   BatchCode
}

// applyDiscounts subtracts the automatic discounts and those of the attached codes from the line totals,
// each from the rest that the earlier ones left, or one exclusive discount in place of them. A cart whose
// lines alone exceed MaxAmount gets no discount, because its amounts are cut off. docs/store-document.md#discounts.
func (e *Evaluation) applyDiscounts(s *Store, ctx Pricing) {
	e.Discounts, e.DiscountTotal = e.Discounts[:0], 0
	e.findCodes(e.Cart, s)
	q := discountQueue{s.discounts.automatic, e.coded}
	if len(q.automatic) == 0 && len(q.codes) == 0 {
		return
	}
	d := discounting{Evaluation: e, ctx: ctx}
	if d.prepare(s); e.Overflow {
		return
	}
	d.chooseExclusive(&q)
	d.applyBelow(s.discounts.delivery, &q)
	d.settleExclusive()
	d.applyBelow(math.MaxInt, &q)
}

// applyBelow applies the next discounts, those with a position below a limit.
func (d *discounting) applyBelow(limit int, q *discountQueue) {
	for r, coded := q.next(limit); r != nil; r, coded = q.next(limit) {
		if d.eligible(r, coded) {
			d.apply(r, coded)
		}
	}
}

// findCodes finds the discount of each code, in the order in which they apply; those of one discount in
// the order of attaching. A code without a discount is invalid.
func (e *Evaluation) findCodes(c *Cart, s *Store) {
	e.CodeErrors, e.coded = e.CodeErrors[:0], e.coded[:0]
	for i := range c.Codes {
		r, of := s.discountByCode(c.Codes[i].Code)
		if r == nil {
			e.CodeErrors = append(e.CodeErrors, CodeInvalid)
			continue
		}
		e.CodeErrors = append(e.CodeErrors, "")
		at := len(e.coded)
		for at > 0 && e.coded[at-1].position > r.position {
			at--
		}
		e.coded = slices.Insert(e.coded, at, codedDiscount{r, i, of})
	}
}

// prepare finds the lists of each line's product, and sums up the lines.
func (d *discounting) prepare(s *Store) {
	d.lists = d.lists[:0]
	for i, total := range d.LineTotals {
		d.lists = append(d.lists, s.discounts.ranges.Get(d.Cart.Lines[i].ProductID))
		d.undiscounted = d.add(d.undiscounted, total)
	}
}

// eligible reports whether a discount applies, and keeps the reason if one with a code does not. A discount
// applies once, by its first code that applies. coded is nil for an automatic discount.
func (d *discounting) eligible(r *readyDiscount, coded *codedDiscount) bool {
	if coded == nil {
		return d.judge(r, coded) == ""
	}
	reason := CodeNotEligible
	if r.Discount != d.appliedByCode {
		reason = d.judge(r, coded)
	}
	d.CodeErrors[coded.code] = reason
	if reason == "" {
		d.appliedByCode = r.Discount
	}
	return reason == ""
}

// judge returns the first reason of the fixed order why a discount does not apply. If it applies,
// judge returns an empty text and lineDiscounts has its amounts. coded is nil for an automatic discount.
// Spec: Cart, discount_code_error.
func (d *discounting) judge(r *readyDiscount, coded *codedDiscount) string {
	switch {
	case !r.runs(d.Now):
		return CodeExpired
	case r.UsageLimit != nil && r.Used >= *r.UsageLimit, d.shortage.usedUp(r.ID, coded),
		coded != nil && (d.Cart.Codes[coded.code].usedUpBy(d.account, r.Discount) || coded.usedUp(d.Cart.Codes)):
		return CodeUsageLimit
	case len(r.GroupIDs) > 0 && !slices.Contains(r.GroupIDs, d.ctx.GroupID):
		return CodeNotEligible
	}
	kind := &discountKinds[r.Kind]
	d.lineDiscounts = d.lineDiscounts[:0]
	kind.amount(*d, r)
	switch {
	case !kind.eligibleAtZero && d.amount() == 0:
		return CodeNotEligible
	case r.MinOrder != nil && d.undiscounted < *r.MinOrder:
		return CodeMinOrder
	}
	return ""
}

// apply subtracts the lineDiscounts. A discount without an amount is listed only if it is one of the delivery,
// on an empty cart only if it has a code.
func (d *discounting) apply(r *readyDiscount, coded *codedDiscount) {
	amount := d.amount()
	if amount == 0 && !(r.Kind.OfDelivery() && (coded != nil || len(d.Cart.Lines) > 0)) {
		return
	}
	applied := d.applied(r, coded, amount)
	if d.trace != nil {
		d.trace.discount(d, r, &applied)
	}
	for i := range d.lineDiscounts {
		d.LineTotals[d.lineDiscounts[i].line] -= d.lineDiscounts[i].amount
	}
	d.DiscountTotal += amount
	d.Discounts = append(d.Discounts, applied)
}

// applied is a discount with its amount off the cart.
func (d *discounting) applied(r *readyDiscount, coded *codedDiscount, amount Amount) AppliedDiscount {
	a := AppliedDiscount{Discount: r.Discount, Amount: amount}
	if coded != nil {
		a.Code, a.BatchCode = &d.Cart.Codes[coded.code], coded.of
	}
	return a
}

// position is the place of the discount, the i-th of so many, in the order in which they apply. Those of
// one kind stay in the document's order. Exclusive ones, which are judged ahead of all others, are below
// zero, in the document's order.
func (d *Discount) position(i, all int) int {
	if d.Exclusive {
		return i - all
	}
	return d.Kind.rank()*all + i
}

// discountQueue has the discounts of a cart that have not been judged yet, in their order.
type discountQueue struct {
	automatic []readyDiscount
	codes     []codedDiscount
}

// next takes the next discount, nil if there is none with a position below a limit. coded is nil if it is
// automatic.
func (q *discountQueue) next(below int) (r *readyDiscount, coded *codedDiscount) {
	if len(q.codes) > 0 && (len(q.automatic) == 0 || q.codes[0].position < q.automatic[0].position) {
		if coded = &q.codes[0]; coded.position >= below {
			return nil, nil
		}
		q.codes = q.codes[1:]
		return coded.readyDiscount, coded
	}
	if len(q.automatic) == 0 || q.automatic[0].position >= below {
		return nil, nil
	}
	r = &q.automatic[0]
	q.automatic = q.automatic[1:]
	return r, nil
}

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
