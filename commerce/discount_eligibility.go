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
}

// applyDiscounts subtracts the automatic discounts and the attached code's from the line totals,
// each from the rest that the earlier ones left. A cart whose lines alone exceed MaxAmount gets no
// discount, because its amounts are cut off. docs/store-document.md#discounts.
func (e *Evaluation) applyDiscounts(c *Cart, s *Store, ctx Pricing, now time.Time) {
	e.Discounts, e.DiscountTotal, e.DiscountError = e.Discounts[:0], 0, ""
	var coded *readyDiscount
	if c.DiscountCode != nil {
		if coded = s.discountByCode(*c.DiscountCode); coded == nil {
			e.DiscountError = CodeInvalid
		}
	}
	if len(s.discounts.automatic) == 0 && coded == nil {
		return
	}
	d := discounting{Evaluation: e, cart: c, ctx: ctx, now: now}
	if d.prepare(s); e.Overflow {
		return
	}
	for i := range s.discounts.automatic {
		next := &s.discounts.automatic[i]
		if coded != nil && coded.position < next.position {
			d.applyCode(coded)
			coded = nil
		}
		if d.judge(next) == "" {
			d.apply(next, len(c.Lines) > 0)
		}
	}
	if coded != nil {
		d.applyCode(coded)
	}
}

// prepare finds the discount lists of each line's product, and sums up the lines.
func (d *discounting) prepare(s *Store) {
	d.named = d.named[:0]
	for i, total := range d.LineTotals {
		d.named = append(d.named, s.discounts.sets[d.cart.Lines[i].ProductID])
		d.undiscounted = d.add(d.undiscounted, total)
	}
}

func (d *discounting) applyCode(coded *readyDiscount) {
	if d.DiscountError = d.judge(coded); d.DiscountError == "" {
		d.apply(coded, true)
	}
}

// judge returns the first reason of the fixed order why a discount does not apply. If it applies,
// judge returns an empty text and lineDiscounts has its amounts. Spec: Cart, discount_code_error.
func (d *discounting) judge(r *readyDiscount) string {
	switch {
	case d.now.Before(r.StartsAt) || !r.EndsAt.IsZero() && !d.now.Before(r.EndsAt):
		return CodeExpired
	case r.UsageLimit != nil && r.Used >= *r.UsageLimit, d.shortage.usedUp(r.ID):
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

// apply subtracts the lineDiscounts. A discount without an amount is listed only if it is one of
// the delivery and showDelivery is true.
func (d *discounting) apply(r *readyDiscount, showDelivery bool) {
	amount := d.amount()
	if amount == 0 && !(r.Kind.OfDelivery() && showDelivery) {
		return
	}
	if d.trace != nil {
		d.trace.discount(d, r, amount)
	}
	for i := range d.lineDiscounts {
		d.LineTotals[d.lineDiscounts[i].line] -= d.lineDiscounts[i].amount
	}
	d.DiscountTotal += amount
	d.Discounts = append(d.Discounts, AppliedDiscount{Discount: r.Discount, Amount: amount})
}
