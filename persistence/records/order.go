package records

import (
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// orderKey is the key of an order, which never expires: {<store>}:order:<order id>.
func orderKey(k engine.RecordKey) string { return idKey(k, "order") }

// OrdersKey is the key of the ids of the store's orders, in the order of their numbers, which
// begin at 1 (LIST): {<store>}:orders.
func OrdersKey(store uuid.UUID) string { return SingleKey(store, "orders") }

// CustomerOrdersKey is the key of an account's orders by their time, Unix milliseconds (ZSET):
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

// appendOrder encodes an order's record. The script appends texts to the record of a cancelled order:
// there the number has an end.
func appendOrder(dst []byte, r *engine.Record[*commerce.Order]) []byte {
	dst = strconv.AppendInt(AppendOrderBody(dst, r), r.State.Number, 10)
	if r.State.Status == commerce.OrderCancelled {
		dst = append(dst, EndOfNumber...)
	}
	return dst
}

// AppendOrderBody encodes an order's record without its number, which the script appends.
func AppendOrderBody(dst []byte, r *engine.Record[*commerce.Order]) []byte {
	o := r.State
	dst = AppendStamp(append(dst, recordFormat), r.Stamp)
	dst = appendBlock(dst, func(dst []byte) []byte { return appendOrderFields(dst, r) })
	dst = binary.AppendUvarint(dst, uint64(len(o.Lines)))
	for i := range o.Lines {
		dst = appendBlock(dst, func(dst []byte) []byte { return appendOrderLine(dst, &o.Lines[i]) })
	}
	dst = binary.AppendUvarint(dst, uint64(len(o.Discounts)))
	for i := range o.Discounts {
		dst = appendBlock(dst, func(dst []byte) []byte { return appendOrderDiscount(dst, &o.Discounts[i]) })
	}
	return dst
}

// The flags of an order's fields.
const (
	orderGuest = 1 << iota
	orderHasShipping
	orderHasShippingAddress
	orderHasBillingAddress
	orderHasMetadata
)

func appendOrderFields(dst []byte, r *engine.Record[*commerce.Order]) []byte {
	o := r.State
	flags := flag(o.Customer.Guest)*orderGuest | flag(o.Shipping != nil)*orderHasShipping |
		flag(o.ShippingAddress != nil)*orderHasShippingAddress | flag(o.BillingAddress != nil)*orderHasBillingAddress |
		flag(o.Metadata != nil)*orderHasMetadata
	dst = append(dst, flags)
	for _, id := range [...]uuid.UUID{o.CartID, o.QuoteID, o.Customer.ID} {
		dst = append(dst, id[:]...)
	}
	dst = appendTime(dst, o.PlacedAt)
	for _, text := range [...]string{o.Email, o.CustomerNote, o.Reference} {
		dst = appendText(dst, text)
	}
	t := &o.Totals
	for _, amount := range [...]commerce.Amount{t.Subtotal, t.ShippingTotal, t.TaxTotal, t.Total, t.DiscountTotal} {
		dst = binary.AppendVarint(dst, int64(amount))
	}
	dst = binary.AppendUvarint(dst, uint64(len(t.Breakdown)))
	for _, row := range t.Breakdown {
		dst = binary.AppendVarint(dst, int64(row.Rate))
		dst = binary.AppendVarint(dst, int64(row.Base))
		dst = binary.AppendVarint(dst, int64(row.Tax))
	}
	if o.Shipping != nil {
		dst = appendText(append(dst, o.Shipping.ID[:]...), o.Shipping.Name)
		dst = binary.AppendVarint(dst, int64(o.Shipping.Price))
	}
	for _, address := range [...]*commerce.Address{o.ShippingAddress, o.BillingAddress} {
		if address != nil {
			dst = appendBlock(dst, func(dst []byte) []byte { return appendAddress(dst, address) })
		}
	}
	if o.Metadata != nil { // from here on: since format 2
		dst = appendMetadata(dst, o.Metadata)
	}
	if o.Shipping != nil {
		dst = binary.AppendVarint(dst, int64(o.Shipping.PriceWithTax))
	}
	return appendWriters(appendAfterSale(dst, o), r.Writers)
}

// The flags of what became of an order.
const (
	orderIsShipped = 1 << iota
	orderIsRestocked
)

// appendAfterSale encodes what became of an order, and what its sale took.
func appendAfterSale(dst []byte, o *commerce.Order) []byte {
	dst = append(dst, byte(o.Status), flag(o.Shipment != nil)*orderIsShipped|flag(o.Restocked)*orderIsRestocked)
	p := &o.Payment
	for _, at := range [...]time.Time{p.DueAt, p.PaidAt, p.RefundedAt, o.CancelledAt} {
		dst = appendTimeOrNone(dst, at)
	}
	for _, text := range [...]string{p.Reference, p.RefundReference, o.CancelReason} {
		dst = appendText(dst, text)
	}
	if s := o.Shipment; s != nil {
		dst = appendTimeOrNone(appendTimeOrNone(dst, s.ShippedAt), s.DeliveredAt)
		for _, text := range [...]string{s.Carrier, s.TrackingNumber, s.TrackingURL} {
			dst = appendText(dst, text)
		}
	}
	dst = binary.AppendUvarint(dst, uint64(len(o.Takes)))
	for _, take := range o.Takes {
		dst = binary.AppendUvarint(append(dst, take.Item[:]...), uint64(take.Quantity))
	}
	return dst
}

// The flags of a line's freight.
const (
	freightKnown = 1 << iota
	freightShipped
)

func appendOrderLine(dst []byte, l *commerce.OrderLine) []byte {
	dst = appendBlock(dst, func(dst []byte) []byte { return appendLine(dst, &l.Line) })
	dst = binary.AppendVarint(dst, int64(l.Total))
	dst = binary.AppendVarint(dst, int64(l.TaxRate))
	dst = append(dst, flag(l.Returnable), flag(l.LeadTimeDays != nil))
	if l.LeadTimeDays != nil {
		dst = binary.AppendVarint(dst, int64(*l.LeadTimeDays))
	}
	dst = appendText(dst, l.VariantName) // from here on: since format 2
	if l.Freight == nil {
		return append(dst, 0)
	}
	dst = append(dst, freightKnown|flag(l.Freight.RequiresShipping)*freightShipped)
	return binary.AppendVarint(dst, int64(l.Freight.UnitWeight))
}

func appendOrderDiscount(dst []byte, d *commerce.OrderDiscount) []byte {
	dst = append(append(dst, d.ID[:]...), byte(d.Kind))
	dst = appendText(appendText(dst, d.Name), d.Code)
	return binary.AppendVarint(dst, int64(d.Amount))
}

// decodeOrder reads an order. The strings of the result share text's memory.
func decodeOrder(key engine.RecordKey, text string) (engine.Record[*commerce.Order], error) {
	r := reader{b: text}
	o := &commerce.Order{ID: key.ID}
	record := engine.Record[*commerce.Order]{Size: len(text), Stamp: r.open(recordFormat), State: o}
	r.inBlock(func(r *reader) {
		r.orderFields(o)
		if r.format >= 2 {
			r.afterSale(o)
			record.Writers = r.writers()
		}
	})
	o.Lines = blocks(&r, (*reader).orderLine)
	o.Discounts = blocks(&r, (*reader).orderDiscount)
	if o.Shipping != nil && r.format < 2 {
		o.Shipping.PriceWithTax = o.ShippingWithTax()
	}
	digits, ended := r.b, true
	if o.Status == commerce.OrderCancelled {
		digits, _, ended = strings.Cut(r.b, EndOfNumber)
	}
	number, err := strconv.ParseInt(digits, 10, 64)
	if o.Number = number; r.bad || !ended || err != nil || number < 1 {
		return engine.Record[*commerce.Order]{}, redisdb.ErrCorrupt
	}
	return record, nil
}

func (r *reader) orderFields(o *commerce.Order) {
	flags := r.byte()
	o.CartID, o.QuoteID = r.uuid(), r.uuid()
	o.Customer = commerce.Binding{ID: r.uuid(), Guest: flags&orderGuest != 0}
	o.PlacedAt = r.time()
	o.Email, o.CustomerNote, o.Reference = r.text(), r.text(), r.text()
	t := &o.Totals
	for _, amount := range [...]*commerce.Amount{&t.Subtotal, &t.ShippingTotal, &t.TaxTotal, &t.Total, &t.DiscountTotal} {
		*amount = commerce.Amount(r.varint())
	}
	for range r.count() {
		t.Breakdown = append(t.Breakdown, commerce.TaxRow{
			Rate: commerce.Percent(r.varint()), Base: commerce.Amount(r.varint()), Tax: commerce.Amount(r.varint()),
		})
	}
	if flags&orderHasShipping != 0 {
		o.Shipping = &commerce.OrderShipping{ID: r.uuid(), Name: r.text(), Price: commerce.Amount(r.varint())}
	}
	if flags&orderHasShippingAddress != 0 {
		o.ShippingAddress = r.addressBlock()
	}
	if flags&orderHasBillingAddress != 0 {
		o.BillingAddress = r.addressBlock()
	}
	if r.format < 2 {
		return
	}
	if flags&orderHasMetadata != 0 {
		o.Metadata = readMetadata(r)
	}
	if o.Shipping != nil {
		o.Shipping.PriceWithTax = commerce.Amount(r.varint())
	}
}

func (r *reader) afterSale(o *commerce.Order) {
	o.Status = commerce.OrderStatus(r.byte())
	if !o.Status.Known() {
		r.bad = true
	}
	flags := r.byte()
	o.Restocked = flags&orderIsRestocked != 0
	p := &o.Payment
	for _, at := range [...]*time.Time{&p.DueAt, &p.PaidAt, &p.RefundedAt, &o.CancelledAt} {
		*at = r.timeOrNone()
	}
	for _, text := range [...]*string{&p.Reference, &p.RefundReference, &o.CancelReason} {
		*text = r.text()
	}
	if flags&orderIsShipped != 0 {
		o.Shipment = &commerce.Shipment{ShippedAt: r.timeOrNone(), DeliveredAt: r.timeOrNone()}
		o.Shipment.ShipmentDetails = commerce.ShipmentDetails{Carrier: r.text(), TrackingNumber: r.text(), TrackingURL: r.text()}
	}
	if n := r.count(); n > 0 {
		o.Takes = make([]commerce.StockAsk, n)
	}
	for i := range o.Takes {
		item, quantity := r.uuid(), commerce.Micros(r.uvarint())
		o.Takes[i] = commerce.StockAsk{Item: item, Quantity: quantity, Granted: quantity}
	}
}

func (r *reader) addressBlock() *commerce.Address {
	a := new(commerce.Address)
	r.inBlock(func(r *reader) { r.address(a) })
	return a
}

func (r *reader) orderLine(l *commerce.OrderLine) {
	r.inBlock(func(r *reader) { readLine(r, &l.Line) })
	r.orderLineFields(l)
}

func (r *reader) orderLineFields(l *commerce.OrderLine) {
	l.Total, l.TaxRate = commerce.Amount(r.varint()), commerce.Percent(r.varint())
	l.Returnable = r.byte() == 1
	if r.byte() == 1 {
		days := int(r.varint())
		l.LeadTimeDays = &days
	}
	if r.format < 2 {
		return
	}
	l.VariantName = r.text()
	if flags := r.byte(); flags&freightKnown != 0 {
		l.Freight = &commerce.Freight{RequiresShipping: flags&freightShipped != 0, UnitWeight: commerce.Milligrams(r.varint())}
	}
}

func (r *reader) orderDiscount(d *commerce.OrderDiscount) {
	d.ID, d.Kind = r.uuid(), commerce.DiscountKind(r.byte())
	d.Name, d.Code = r.text(), r.text()
	d.Amount = commerce.Amount(r.varint())
	if !d.Kind.Known() {
		r.bad = true
	}
}
