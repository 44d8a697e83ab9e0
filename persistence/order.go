package persistence

import (
	"encoding/binary"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// orderKey is an order: {<store>}:order:<order id>, without expiry. It is written once.
func orderKey(k engine.RecordKey) string {
	var key [longestKey]byte
	return string(commerce.AppendID(appendKeyPrefix(key[:0], k.Store, "order"), k.ID))
}

// ordersKey are the ids of the store's orders in the order of their numbers (LIST), of which the
// first is 1: {<store>}:orders.
func ordersKey(store uuid.UUID) string { return singleKey(store, "orders") }

// customerOrdersKey are an account's orders by their time, Unix milliseconds (ZSET):
// {<store>}:orders:<customer id>.
func customerOrdersKey(customer engine.RecordKey) string {
	var key [longestKey]byte
	return string(commerce.AppendID(appendKeyPrefix(key[:0], customer.Store, "orders"), customer.ID))
}

// orderNumberKey is the number of the store's latest order: {<store>}:order-number.
func orderNumberKey(store uuid.UUID) string { return singleKey(store, "order-number") }

// orderFormat is the format of orders that this node writes.
const orderFormat = 1

// appendOrder encodes an order up to its number, which the script writes at the end. The stamp is
// that of the commit.
func appendOrder(dst []byte, o *commerce.Order, stamp engine.Stamp) []byte {
	dst = appendStamp(append(dst, orderFormat), stamp)
	dst = appendBlock(dst, func(dst []byte) []byte { return appendOrderFields(dst, o) })
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
)

func appendOrderFields(dst []byte, o *commerce.Order) []byte {
	flags := flag(o.Customer.Guest)*orderGuest | flag(o.Shipping != nil)*orderHasShipping |
		flag(o.ShippingAddress != nil)*orderHasShippingAddress | flag(o.BillingAddress != nil)*orderHasBillingAddress
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
	return dst
}

func appendOrderLine(dst []byte, l *commerce.OrderLine) []byte {
	dst = appendBlock(dst, func(dst []byte) []byte { return appendLine(dst, &l.Line) })
	dst = binary.AppendVarint(dst, int64(l.Total))
	dst = binary.AppendVarint(dst, int64(l.TaxRate))
	dst = append(dst, flag(l.Returnable), flag(l.LeadTimeDays != nil))
	if l.LeadTimeDays != nil {
		dst = binary.AppendVarint(dst, int64(*l.LeadTimeDays))
	}
	return dst
}

func appendOrderDiscount(dst []byte, d *commerce.OrderDiscount) []byte {
	dst = append(append(dst, d.ID[:]...), byte(d.Kind))
	dst = appendText(appendText(dst, d.Name), d.Code)
	return binary.AppendVarint(dst, int64(d.Amount))
}

// decodeOrder reads an order. The strings of the result share text's memory.
func decodeOrder(id uuid.UUID, text string) (*engine.Record[*commerce.Order], error) {
	r := reader{b: text}
	o := &commerce.Order{ID: id}
	record := &engine.Record[*commerce.Order]{Stamp: r.open(orderFormat), State: o}
	r.inBlock(func(r *reader) { r.orderFields(o) })
	o.Lines = blocks(&r, (*reader).orderLine)
	o.Discounts = blocks(&r, (*reader).orderDiscount)
	number, err := strconv.ParseInt(r.b, 10, 64)
	if o.Number = number; r.bad || err != nil || number < 1 {
		return nil, errCorrupt
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
}

func (r *reader) addressBlock() *commerce.Address {
	a := new(commerce.Address)
	r.inBlock(func(r *reader) { r.address(a) })
	return a
}

func (r *reader) orderLine(l *commerce.OrderLine) {
	r.inBlock(func(r *reader) { readLine(r, &l.Line) })
	l.Total, l.TaxRate = commerce.Amount(r.varint()), commerce.Percent(r.varint())
	l.Returnable = r.byte() == 1
	if r.byte() == 1 {
		days := int(r.varint())
		l.LeadTimeDays = &days
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
