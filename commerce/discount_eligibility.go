package commerce

import (
	"slices"
	"time"
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
	cart *Cart
	ctx  Pricing
	now  time.Time
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
// each from the rest that the earlier ones left. A cart whose lines alone exceed MaxAmount gets no
// discount, because its amounts are cut off. docs/store-document.md#discounts.
func (e *Evaluation) applyDiscounts(c *Cart, s *Store, ctx Pricing, now time.Time) {
	e.Discounts, e.DiscountTotal = e.Discounts[:0], 0
	e.findCodes(c, s)
	codes := e.coded
	if len(s.discounts.automatic) == 0 && len(codes) == 0 {
		return
	}
	d := discounting{Evaluation: e, cart: c, ctx: ctx, now: now}
	if d.prepare(s); e.Overflow {
		return
	}
	for i := range s.discounts.automatic {
		next := &s.discounts.automatic[i]
		for len(codes) > 0 && codes[0].position < next.position {
			d.applyCode(&codes[0])
			codes = codes[1:]
		}
		if d.judge(next, nil) == "" {
			d.apply(next, nil, len(c.Lines) > 0)
		}
	}
	for i := range codes {
		d.applyCode(&codes[i])
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
		d.lists = append(d.lists, s.discounts.ranges[d.cart.Lines[i].ProductID])
		d.undiscounted = d.add(d.undiscounted, total)
	}
}

// applyCode applies a code's discount, unless an earlier code has applied it.
func (d *discounting) applyCode(coded *codedDiscount) {
	reason := CodeNotEligible
	if coded.Discount != d.appliedByCode {
		reason = d.judge(coded.readyDiscount, coded)
	}
	d.CodeErrors[coded.code] = reason
	if reason == "" {
		d.appliedByCode = coded.Discount
		d.apply(coded.readyDiscount, coded, true)
	}
}

// judge returns the first reason of the fixed order why a discount does not apply. If it applies,
// judge returns an empty text and lineDiscounts has its amounts. coded is
// nil for an automatic discount. Spec: Cart, discount_code_error.
func (d *discounting) judge(r *readyDiscount, coded *codedDiscount) string {
	switch {
	case d.now.Before(r.StartsAt) || !r.EndsAt.IsZero() && !d.now.Before(r.EndsAt):
		return CodeExpired
	case r.UsageLimit != nil && r.Used >= *r.UsageLimit, d.shortage.usedUp(r.ID, coded):
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

// apply subtracts the lineDiscounts. coded is nil for an automatic discount. A discount without an amount
// is listed only if it is one of the delivery and showDelivery is true.
func (d *discounting) apply(r *readyDiscount, coded *codedDiscount, showDelivery bool) {
	amount := d.amount()
	if amount == 0 && !(r.Kind.OfDelivery() && showDelivery) {
		return
	}
	applied := AppliedDiscount{Discount: r.Discount, Amount: amount}
	if coded != nil {
		applied.Code, applied.BatchCode = &d.cart.Codes[coded.code], coded.of
	}
	if d.trace != nil {
		d.trace.discount(d, r, &applied)
	}
	for i := range d.lineDiscounts {
		d.LineTotals[d.lineDiscounts[i].line] -= d.lineDiscounts[i].amount
	}
	d.DiscountTotal += amount
	d.Discounts = append(d.Discounts, applied)
}
