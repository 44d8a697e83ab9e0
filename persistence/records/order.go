package records

import (
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// OrdersKey is the key of the ids of the store's orders, in the order of their numbers, which
// begin at 1 (LIST): {<store>}:orders.
func OrdersKey(store uuid.UUID) string { return SingleKey(store, "orders") }

// CustomerOrdersKey is the key of an account's or a guest's orders by their time, Unix milliseconds (ZSET):
// {<store>}:orders:<customer id>.
func CustomerOrdersKey(customer engine.RecordKey) string { return idKey(customer, "orders") }

// DueOrdersKey is the key of the unpaid orders by the time when their payment is due, Unix
// milliseconds (ZSET): {<store>}:due.
func DueOrdersKey(store uuid.UUID) string { return SingleKey(store, "due") }

// DueTurnKey is the key of the last turn at the unpaid orders: {<store>}:due-turn. It exists as long
// as there are such orders.
func DueTurnKey(store uuid.UUID) string { return SingleKey(store, "due-turn") }

// OrderGapKey is the key of the number of numbers that no order has: {<store>}:order-gap.
func OrderGapKey(store uuid.UUID) string { return SingleKey(store, "order-gap") }

// OrderNumberKey is the key of the newest order's number: {<store>}:order-number.
func OrderNumberKey(store uuid.UUID) string { return SingleKey(store, "order-number") }

// An order's record ends with its number and, for each take of an item with a limit, with what that left on
// hand. The script appends texts to the record of an order whose stock comes back: there, and ahead of such a
// take, the number has an end.

// OrderTail is the end of a new order's record: the made texts of its number, and of those takes.
func OrderTail(made []int) []Placed {
	tail := make([]Placed, len(made))
	for i := range made {
		tail[i] = Placed{Made: made[i]}
		if len(made) > 1 {
			tail[i].Suffix = EndOfNumber
		}
	}
	return tail
}

// appendOrder encodes an order's record.
func appendOrder(dst []byte, r *engine.Record[*commerce.Order]) []byte {
	return appendTail(AppendOrderBody(dst, r), r.State)
}

func appendTail(dst []byte, o *commerce.Order) []byte {
	dst = strconv.AppendInt(dst, o.Number, 10)
	if grows(o) || o.Ahead != nil {
		dst = append(dst, EndOfNumber...)
	}
	for i := range o.Ahead {
		dst = append(strconv.AppendInt(dst, int64(o.Ahead[i].Left), 10), EndOfNumber...)
	}
	return dst
}

// grows reports whether something may have come back of the order.
func grows(o *commerce.Order) bool {
	return o.Status == commerce.OrderCancelled || len(o.Parts) > 0
}

// AppendOrderBody encodes an order's record without its end, which the script appends.
func AppendOrderBody(dst []byte, r *engine.Record[*commerce.Order]) []byte {
	c := writing(dst)
	for c.order(r); !c.written(dst); c.order(r) {
	}
	return c.out
}

// decodeOrder reads an order. The strings of the result share text's memory.
func decodeOrder(key engine.RecordKey, text string) (engine.Record[*commerce.Order], error) {
	c := reading(text)
	o := &commerce.Order{ID: key.ID}
	record := engine.Record[*commerce.Order]{Size: len(text), State: o}
	c.order(&record)
	if c.in.bad || !readTail(o, c.in.b) {
		return engine.Record[*commerce.Order]{}, redisdb.ErrCorrupt
	}
	return record, nil
}

// readTail reads the end of an order's record. It returns false if it cannot be read.
func readTail(o *commerce.Order, tail string) bool {
	digits, rest, ended := strings.Cut(tail, EndOfNumber)
	number, err := strconv.ParseInt(digits, 10, 64)
	o.Number = number
	if err != nil || number < 1 || ended != (grows(o) || o.Ahead != nil) {
		return false
	}
	for i := range o.Ahead {
		digits, rest, ended = strings.Cut(rest, EndOfNumber)
		left, err := strconv.ParseInt(digits, 10, 64)
		if o.Ahead[i].Left = commerce.Micros(left); err != nil || !ended {
			return false
		}
	}
	return grows(o) || rest == ""
}

// order is an order's record without its end.
func (c *coder) order(r *engine.Record[*commerce.Order]) {
	c.open(&r.Stamp)
	c.writers(&r.Writers)
	c.block(func() { c.orderFields(r.State) })
	blocks(c, &r.State.Lines, c.orderLine)
	blocks(c, &r.State.Discounts, c.orderDiscount)
	for i := range r.State.Parts {
		for _, l := range r.State.Parts[i].Lines {
			c.check(l.Line >= 0 && l.Line < len(r.State.Lines))
		}
	}
}

func (c *coder) orderFields(o *commerce.Order) {
	t := &o.Totals
	hasShipping, hasMetadata, isArchived := o.Shipping != nil, o.Metadata != nil, !o.ArchivedAt.IsZero()
	hasShippingAddress, hasBillingAddress := o.ShippingAddress != nil, o.BillingAddress != nil
	byCountry := o.Tax.Country != commerce.Country{}
	c.flags(&o.Customer.Guest, &hasShipping, &hasShippingAddress, &hasBillingAddress, &hasMetadata, &o.Tax.Included, &isArchived, &byCountry)
	c.uuid(&o.CartID)
	c.uuid(&o.QuoteID)
	c.uuid(&o.Customer.ID)
	c.time(&o.PlacedAt)
	c.texts(&o.Email, &o.CustomerNote, &o.Reference)
	for _, amount := range [...]*commerce.Amount{&t.Subtotal, &t.ShippingTotal, &t.TaxTotal, &t.Total, &t.DiscountTotal} {
		varint(c, amount)
	}
	if byCountry {
		c.taxation(&o.Tax, &o.VATID)
	}
	entries(c, &t.Breakdown, c.taxRow)
	if hasShipping {
		s := made(&o.Shipping)
		c.uuid(&s.ID)
		c.text(&s.Name)
		varint(c, &s.Price)
		if varint(c, &s.PriceWithTax); byCountry {
			varint(c, &s.TaxRate)
		}
	}
	if hasShippingAddress {
		c.block(func() { c.address(made(&o.ShippingAddress)) })
	}
	if hasBillingAddress {
		c.block(func() { c.address(made(&o.BillingAddress)) })
	}
	if hasMetadata {
		c.metadata(&o.Metadata)
	}
	c.afterSale(o)
	entries(c, &o.Uses, c.use)
	if isArchived {
		c.time(&o.ArchivedAt)
	}
}

// taxation is that of a store that taxes by country, without the basis of its prices.
func (c *coder) taxation(t *commerce.Taxation, vatID *string) {
	c.bytes(t.Country[:])
	code(c, &t.Exemption)
	if c.check(t.Exemption.Known()); t.Exemption == commerce.ReverseCharge {
		c.text(vatID)
	}
}

// use is a use of a discount without its limit, which the document has.
func (c *coder) use(u *commerce.Use) {
	c.uuid(&u.Discount)
	code(c, &u.Counter)
	c.check(u.Counter.Known())
	c.text(&u.Field)
}

// afterSale is what became of an order, and what its sale took.
func (c *coder) afterSale(o *commerce.Order) {
	p, hasParts, hasAhead := &o.Payment, len(o.Parts) > 0, len(o.Ahead) > 0
	code(c, &o.Status)
	c.check(o.Status.Known())
	c.flags(&hasParts, &o.Restocked, &hasAhead)
	for _, at := range [...]*time.Time{&p.DueAt, &p.PaidAt, &o.CancelledAt} {
		c.timeOrNone(at)
	}
	c.texts(&p.Reference, &o.CancelReason)
	if hasParts {
		entries(c, &o.Parts, c.part)
		c.check(len(o.Parts) > 0)
		c.timeOrNone(&o.DeliveredAt)
	}
	entries(c, &o.Takes, c.stockAsk)
	if hasAhead {
		entries(c, &o.Ahead, func(take *commerce.AheadTake) {
			varint(c, &take.Take)
			varint(c, &take.From)
			c.check(take.Take >= 0 && take.Take < len(o.Takes) && (take.From == 0 || take.From.Known()))
		})
		c.check(len(o.Ahead) > 0)
	}
}

// stockAsk is an ask that was granted whole.
func (c *coder) stockAsk(ask *commerce.StockAsk) {
	c.uuid(&ask.Item)
	quantity := uint64(ask.Quantity)
	if c.uvarint(&quantity); !c.writing {
		ask.Quantity, ask.Granted = commerce.Micros(quantity), commerce.Micros(quantity)
	}
}

func (c *coder) taxRow(row *commerce.TaxRow) {
	varint(c, &row.Rate)
	varint(c, &row.Base)
	varint(c, &row.Tax)
}

// part is a part of an order. Its lines have the indexes of the order's.
func (c *coder) part(p *commerce.Part) {
	c.uuid(&p.ID)
	code(c, &p.Kind)
	c.check(p.Kind.Known())
	c.flags(&p.Restocked, &p.Shipping)
	c.time(&p.At)
	entries(c, &p.Lines, func(l *commerce.PartLine) {
		varint(c, &l.Line)
		varint(c, &l.Quantity)
	})
	c.texts(&p.Carrier, &p.TrackingNumber, &p.TrackingURL, &p.Reference, &p.Reason)
	if p.Kind == commerce.PartRefund {
		varint(c, &p.Amount)
		entries(c, &p.Taxes, c.taxRow)
	}
}

func (c *coder) orderLine(l *commerce.OrderLine) {
	c.block(func() { c.line(&l.Line) })
	c.orderLineFields(l)
}

func (c *coder) orderLineFields(l *commerce.OrderLine) {
	varint(c, &l.Total)
	varint(c, &l.TaxRate)
	c.flags(&l.Returnable, &l.Freight.RequiresShipping)
	varint(c, &l.Freight.UnitWeight)
	if c.has(l.LeadTimeDays != nil) {
		varint(c, made(&l.LeadTimeDays))
	}
	c.text(&l.VariantName)
}

func (c *coder) orderDiscount(d *commerce.OrderDiscount) {
	c.uuid(&d.ID)
	code(c, &d.Kind)
	c.check(d.Kind.Known())
	c.text(&d.Name)
	c.text(&d.Code)
	varint(c, &d.Amount)
}
