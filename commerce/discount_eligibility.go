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
