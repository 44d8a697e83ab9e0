package commerce

import (
	"cmp"
	"slices"
	"time"
)

// RefundOrder records that all that is left of the payment was returned. docs/api/orders.md#routes, refund.
type RefundOrder struct{ AskedPart }

func (r RefundOrder) Apply(next *Order, in *Input) (Effects, *Refusal) {
	left := next.Totals.Total - next.Refunded()
	switch next.PaymentStatus() {
	case PaymentIsRefunded:
		return Effects{}, nil
	case PaymentIsPaid, PaymentIsPartlyRefunded:
		if full := next.room(0); full != nil {
			return Effects{}, full
		}
		return r.refund(next, Part{Amount: left}, next.takeOff(left), in), nil
	}
	return Effects{}, NotPaid
}

// refund adds a refund of an amount, with what it takes of each group.
func (a *AskedPart) refund(next *Order, p Part, taken []Amount, in *Input) Effects {
	p.ID, p.Kind, p.At, p.Reference, p.Taxes = a.PartID, PartRefund, in.Now, a.Reference, next.taxed(taken)
	return next.add(p, EventOrderRefunded, in)
}

// RefundPart records that a part of the payment was returned. docs/api/orders.md#routes, refunds.
type RefundPart struct {
	AskedPart
	// Shipping and Amount are nil if they are absent or null.
	Shipping *bool
	Amount   *Amount
	Reason   string
}

func (c RefundPart) Apply(next *Order, in *Input) (Effects, *Refusal) {
	if c.Lines == nil && !c.shipping() && !c.Faults.has("lines") && !c.Faults.has("shipping") {
		c.Faults = c.Faults.clone()
		c.Faults.check("amount", c.Amount == nil, false)
	}
	sent, r := c.pieces(next, "reference", "lines", "shipping", "amount", "reason")
	if r != nil {
		return Effects{}, r
	}
	if at := next.repeated(PartRefund, c.Reference); at >= 0 {
		p := &next.Parts[at]
		if !p.repeats(sent, next) || c.Shipping != nil && *c.Shipping != p.Shipping || c.Amount != nil && *c.Amount != p.Amount {
			return Effects{}, ReferenceUsed
		}
		return Effects{}, nil
	}
	counts := next.counts()
	taken, r := c.take(next, sent, counts)
	if r != nil {
		return Effects{}, r
	}
	p := Part{Lines: inLineOrder(sent), Shipping: c.shipping(), Amount: sumOf(taken), Reason: c.Reason}
	if c.Amount != nil { // an archived order has no groups
		p.Amount = *c.Amount
	}
	return c.refund(next, p, taken, in), nil
}

func (c *RefundPart) shipping() bool { return c.Shipping != nil && *c.Shipping }

// take judges the refund by the order's state, and returns what it takes of each group.
func (c *RefundPart) take(o *Order, sent []PartLine, counts []LineCounts) ([]Amount, *Refusal) {
	whole := sent == nil && !c.shipping()
	left := o.Totals.Total - o.Refunded()
	switch status := o.PaymentStatus(); {
	case !o.ArchivedAt.IsZero() && (c.Lines != nil || c.shipping()):
		return nil, OrderIsArchived
	case status != PaymentIsPaid && status != PaymentIsPartlyRefunded:
		return nil, NotPaid
	case whole && *c.Amount > left:
		return nil, RefundTooLarge.leaving(left)
	case whole:
		return o.takeOff(*c.Amount), o.room(0)
	}
	above := o.aboveLeft(sent, PartRefund, counts)
	if c.shipping() && (o.Shipping == nil || o.refundedShipping()) {
		var faults Faults
		faults.Add("shipping", MsgIn("shipping"))
		above = joined(above, faults.Refusal())
	}
	taken := o.takeLines(sent, c.shipping(), counts)
	computed := sumOf(taken)
	switch {
	case above != nil && c.Amount != nil && *c.Amount > left: // nothing is computed of pieces that are not there
		return nil, RefundTooLarge.leaving(left)
	case above == nil && (computed == 0 || c.Amount != nil && *c.Amount > computed):
		return nil, RefundTooLarge.leaving(computed)
	}
	if r := cmp.Or(o.room(len(sent)), above); r != nil {
		return nil, r
	}
	if c.Amount != nil {
		taken = spread(*c.Amount, taken)
	}
	return taken, nil
}

// joined is the 422 of the faults of two refusals, either of which may be nil.
func joined(a, b *Refusal) *Refusal {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	all := Faults{fields: slices.Concat(a.Fields, b.Fields)}
	return all.Refusal()
}

// Refunded is the amount that was refunded.
func (o *Order) Refunded() (sum Amount) {
	for i := range o.Parts {
		sum += o.Parts[i].Amount
	}
	return sum
}

// RefundedAt is the time when the whole total was refunded; zero if it is not.
func (o *Order) RefundedAt() (at time.Time) {
	if last := o.last(PartRefund); last != nil && o.PaymentStatus() == PaymentIsRefunded {
		at = last.At
	}
	return at
}

// refundedShipping reports whether a refund includes the delivery.
func (o *Order) refundedShipping() bool {
	return slices.ContainsFunc(o.Parts, func(p Part) bool { return p.Shipping })
}
