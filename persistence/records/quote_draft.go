package records

import (
	"time"

	"cartd/commerce"
)

// quoteRest are the fields of a quote that the merchant's side has.
func (c *coder) quoteRest(q *commerce.Quote) {
	hasDelivery, isHeld, hasSource, hasDraft := q.Delivery != nil, q.Held != nil, q.Source != nil, q.Draft != nil
	asksChange, isWithdrawn := !q.ChangeAt.IsZero(), !q.WithdrawnAt.IsZero()
	c.flags(&hasDelivery, &isHeld, &hasSource, &hasDraft, &asksChange, &isWithdrawn, &q.Gone)
	varint(c, &q.Version)
	c.texts(&q.OfferMessage, &q.InternalNote)
	if hasDelivery {
		c.fixedDelivery(made(&q.Delivery))
	}
	if isHeld {
		c.time(&q.HoldUntil)
		entries(c, &q.Held, c.stockAsk)
	}
	if asksChange {
		c.time(&q.ChangeAt)
		c.text(&q.ChangeMessage)
	}
	if isWithdrawn {
		c.time(&q.WithdrawnAt)
		c.text(&q.WithdrawReason)
	}
	entries(c, &q.History, c.quoteAct)
	if hasSource {
		c.block(func() { c.draft(made(&q.Source)) })
	}
	if hasDraft {
		c.block(func() { c.draft(made(&q.Draft)) })
	}
}

func (c *coder) quoteAct(a *commerce.QuoteAct) {
	c.time(&a.At)
	c.texts(&a.Event, &a.By, &a.Text)
	varint(c, &a.Version)
	varint(c, &a.Total)
}

func (c *coder) fixedDelivery(f *commerce.FixedDelivery) {
	c.uuid(&f.MethodID)
	c.texts(&f.Name, &f.TaxCode)
	varint(c, &f.Price)
	varint(c, &f.Home)
	varint(c, &f.Rate)
}

func (c *coder) draft(d *commerce.QuoteDraft) {
	hasRows, hasDiscount, hasDelivery := d.Rows != nil, d.Discount != nil, d.Delivery != nil
	c.flags(&d.Included, &d.HoldStock, &hasRows, &hasDiscount, &hasDelivery)
	c.time(&d.At)
	c.bytes(d.Country[:])
	c.optionalMoment(&d.ValidUntil)
	c.texts(&d.LinesName, &d.Mode, &d.OfferMessage)
	if hasRows {
		if blocks(c, &d.Rows, c.orderDiscount); d.Rows == nil {
			d.Rows = []commerce.OrderDiscount{}
		}
	}
	blocks(c, &d.Shipping, c.shippingDiscount)
	if hasDiscount {
		w := made(&d.Discount)
		c.is(&w.ByPercent)
		c.text(&w.Name)
		varint(c, &w.Percent)
		varint(c, &w.Amount)
	}
	if hasDelivery {
		c.fixedDelivery(made(&d.Delivery))
	}
	blocks(c, &d.Lines, c.draftLine)
}

// optionalMoment is a time of any year that may be zero.
func (c *coder) optionalMoment(t *time.Time) {
	if c.has(!t.IsZero()) {
		c.moment(t)
	}
}

func (c *coder) draftLine(l *commerce.DraftLine) {
	c.block(func() { c.orderLine(&l.OrderLine) })
	c.is(&l.Own)
	varint(c, &l.Discount)
	c.text(&l.TaxCode)
}
