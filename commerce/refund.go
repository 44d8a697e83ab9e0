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

// rateGroup is the goods and the delivery of one rate. docs/api/orders.md#in-parts
type rateGroup struct {
	rate Percent
	// amount is their total with its tax; refunded is what refunds have taken of it.
	amount, tax, refunded Amount
}

// groups are the groups of the order, the highest rate first; none if it is archived. Those of an exempt order are
// by home rates, and have no tax.
func (o *Order) groups() []rateGroup {
	rows := o.Totals.Breakdown
	if o.Tax.Exemption != NotExempt {
		rows = o.homeRows()
	}
	groups := make([]rateGroup, 0, len(rows))
	for _, row := range rows {
		groups = append(groups, rateGroup{rate: row.Rate, amount: row.Base + row.Tax, tax: row.Tax})
	}
	for i := range o.Parts {
		for _, row := range o.Parts[i].Taxes {
			for g := range groups {
				if groups[g].rate == row.Rate {
					groups[g].refunded += row.Base + row.Tax
				}
			}
		}
	}
	return groups
}

// homeRows are the amounts of an exempt order by home rates, without the home tax.
func (o *Order) homeRows() []TaxRow {
	e := Evaluation{Tax: o.Tax}
	for i := range o.Lines {
		e.sum(o.Lines[i].Total, o.Lines[i].applied(&o.Tax))
	}
	if o.Shipping != nil {
		e.sum(o.Shipping.Price, o.Shipping.TaxRate)
	}
	e.splitRows()
	for i := range e.groups {
		e.groups[i].Tax = 0 // it came off
	}
	return e.groups
}

// Shares divides the total over the lines and the delivery. Lines is nil if each line's share is its total.
func (o *Order) Shares() (lines []Amount, shipping Amount) {
	if o.Shipping != nil {
		shipping = o.Shipping.Price
	}
	if o.Tax.Included && o.Tax.Exemption == NotExempt {
		return nil, shipping
	}
	delivery, lines := o.deliveryRate(), make([]Amount, len(o.Lines))
	for _, group := range o.groups() {
		var weights []Amount
		for i := range o.Lines {
			if o.Lines[i].applied(&o.Tax) == group.rate {
				weights = append(weights, o.Lines[i].Total)
			}
		}
		if o.Shipping != nil && delivery == group.rate {
			weights = append(weights, o.Shipping.Price)
		}
		parts := spread(group.amount, weights)
		for i := range o.Lines {
			if o.Lines[i].applied(&o.Tax) == group.rate {
				lines[i], parts = parts[0], parts[1:]
			}
		}
		if len(parts) > 0 {
			shipping = parts[0]
		}
	}
	return lines, shipping
}

// deliveryRate is the rate of the delivery. In a store that does not tax by country it is that of the row that the
// lines do not come to; a delivery of 0 may have any rate.
func (o *Order) deliveryRate() (last Percent) {
	if o.Shipping != nil && o.Tax.Country != (Country{}) {
		return o.Shipping.TaxRate
	}
	for _, row := range o.Totals.Breakdown {
		last = row.Rate
		sum := row.Base
		if o.Tax.Included {
			sum += row.Tax
		}
		for i := range o.Lines {
			if o.Lines[i].TaxRate == row.Rate {
				sum -= o.Lines[i].Total
			}
		}
		if sum > 0 {
			return row.Rate
		}
	}
	return last
}

// takeLines is what a refund of pieces, and of the delivery, takes of each group: at most what is left of it.
func (o *Order) takeLines(pieces []PartLine, shipping bool, counts []LineCounts) []Amount {
	groups := o.groups()
	taken := make([]Amount, len(groups))
	add := func(rate Percent, amount Amount) {
		for g := range groups {
			if groups[g].rate == rate {
				taken[g] += amount
			}
		}
	}
	shares, delivery := o.Shares()
	for _, piece := range pieces {
		line, before := &o.Lines[piece.Line], counts[piece.Line].Refunded
		whole := int64(line.Total)
		if shares != nil {
			whole = int64(shares[piece.Line])
		}
		add(line.applied(&o.Tax), Amount(share(whole, before+piece.Quantity, line.Quantity)-share(whole, before, line.Quantity)))
	}
	if shipping {
		add(o.deliveryRate(), delivery)
	}
	for g := range groups {
		taken[g] = min(taken[g], groups[g].amount-groups[g].refunded)
	}
	return taken
}

// takeOff is what a refund of an amount off the whole takes of each group: in proportion to what is left of it.
func (o *Order) takeOff(amount Amount) []Amount {
	groups := o.groups()
	left := make([]Amount, len(groups))
	for g := range groups {
		left[g] = groups[g].amount - groups[g].refunded
	}
	return spread(amount, left)
}

// taxed splits what a refund takes of each group into base and tax, so that all refunds together have the tax of
// the group. Groups of which it takes nothing are left out.
func (o *Order) taxed(taken []Amount) (rows []TaxRow) {
	for i, g := range o.groups() {
		if d := taken[i]; d > 0 {
			tax := g.taxOf(g.refunded+d) - g.taxOf(g.refunded)
			rows = append(rows, TaxRow{Rate: g.rate, Base: d - tax, Tax: tax})
		}
	}
	return rows
}

// ShownTaxes are the rows of a refund under the taxation of its order: an exempt one has a single row without tax.
func (p *Part) ShownTaxes(t *Taxation) []TaxRow {
	if t.Exemption == NotExempt || len(p.Taxes) == 0 {
		return p.Taxes
	}
	return []TaxRow{{Base: p.Amount}}
}

// taxOf is the tax of an amount of the group, rounded half up.
func (g *rateGroup) taxOf(amount Amount) Amount {
	tax, _ := g.tax.scale(uint64(amount), uint64(max(g.amount, 1)))
	return tax
}

func sumOf(amounts []Amount) (sum Amount) {
	for _, a := range amounts {
		sum += a
	}
	return sum
}
