package records

import (
	"encoding/binary"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// appended is the field that the next format adds to every value in a block.
const appended = "a field of the next format"

func more(fill func([]byte) []byte) func([]byte) []byte {
	return func(b []byte) []byte { return appendText(fill(b), appended) }
}

// begin begins a record of the next format.
func begin(stamp engine.Stamp) []byte { return AppendStamp([]byte{recordFormat + 1}, stamp) }

// nextBlocks encodes a list as the next format would.
func nextBlocks[T any](b []byte, list []T, add func([]byte, *T) []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for i := range list {
		b = appendBlock(b, more(func(b []byte) []byte { return add(b, &list[i]) }))
	}
	return b
}

// nextOrderLine has the field at the end of the line and of the line inside it.
func nextOrderLine(b []byte, l *commerce.OrderLine) []byte {
	whole := appendOrderLine(nil, l)
	line := appendBlock(nil, func(b []byte) []byte { return appendLine(b, &l.Line) })
	b = appendBlock(b, more(func(b []byte) []byte { return appendLine(b, &l.Line) }))
	return append(b, whole[len(line):]...)
}

func nextCart(r *engine.CartRecord) string {
	b := appendWriters(begin(r.Stamp), r.Writers)
	b = appendBlock(b, more(func(b []byte) []byte { return appendCartFields(b, r.State) }))
	b = nextBlocks(b, r.State.Lines, appendLine)
	if r.State.Hold.Asks != nil {
		b = appendBlock(b, more(func(b []byte) []byte { return appendHold(b, &r.State.Hold, nil) }))
	}
	return string(append(b, appended...))
}

func nextContact(r *engine.Record[*commerce.Contact]) string {
	b := appendContactHead(begin(r.Stamp), r.State)
	b = appendBlock(appendWriters(b, r.Writers), more(func(b []byte) []byte { return appendContactFields(b, r.State) }))
	b = nextBlocks(b, r.State.Addresses, appendAddress)
	b = nextBlocks(b, r.State.Tokens, func(b []byte, t *commerce.CustomerToken) []byte {
		return appendMoment(append(b, t.Hash[:]...), t.ExpiresAt)
	})
	return string(append(b, appended...))
}

func nextOrder(r *engine.Record[*commerce.Order]) string {
	b := appendBlock(begin(r.Stamp), more(func(b []byte) []byte { return appendOrderFields(b, r) }))
	b = nextBlocks(b, r.State.Lines, nextOrderLine)
	b = nextBlocks(b, r.State.Discounts, appendOrderDiscount)
	if b = append(b, '7'); r.State.Status == commerce.OrderCancelled {
		b = append(b, EndOfNumber...)
	}
	return string(b)
}

func nextQuote(r *engine.Record[*commerce.Quote]) string {
	b := appendBlock(appendWriters(begin(r.Stamp), r.Writers), more(func(b []byte) []byte { return appendQuoteFields(b, r.State) }))
	b = nextBlocks(b, r.State.Goods.Lines, nextOrderLine)
	b = nextBlocks(b, r.State.Goods.Discounts, appendOrderDiscount)
	b = nextBlocks(b, r.State.Goods.Shipping, appendShippingDiscount)
	return string(append(b, "7"+EndOfNumber...))
}

// oneOfEach makes a record of each kind, with every nested value.
func oneOfEach(d dice) (*engine.CartRecord, *engine.Record[*commerce.Contact], *engine.Record[*commerce.Order], *engine.Record[*commerce.Quote]) {
	cart, contact := d.cart(3), d.contact()
	contact.State.Addresses = []commerce.Address{d.address(), d.address()}
	order, quote := d.order(3), fullQuote(nil)
	address := d.address()
	order.Number, quote.Number, order.ShippingAddress = 7, 7, &address
	return cart, contact, &engine.Record[*commerce.Order]{Stamp: d.stamp(), State: order}, &engine.Record[*commerce.Quote]{Stamp: d.stamp(), State: quote}
}

func wantRecord[S any](t *testing.T, what string, decode func(engine.RecordKey, string) (engine.Record[S], error), id uuid.UUID, text string, want *engine.Record[S]) {
	t.Helper()
	want.Size = len(text)
	if got, err := decode(engine.RecordKey{ID: id}, text); err != nil || !reflect.DeepEqual(&got, want) {
		t.Fatalf("%s: %v\n got %+v\nwant %+v", what, err, got.State, want.State)
	}
}

func TestNodeIgnoresFieldsOfTheNextFormat(t *testing.T) {
	d := seeded(t)
	for range 100 {
		cart, contact, order, quote := oneOfEach(d)
		wantRecord(t, "cart", Carts.Decode, cart.State.ID, nextCart(cart), cart)
		wantRecord(t, "contact", Contacts.Decode, contact.State.ID, nextContact(contact), contact)
		wantRecord(t, "order", Orders.Decode, order.State.ID, nextOrder(order), order)
		wantRecord(t, "quote", Quotes.Decode, quote.State.ID, nextQuote(quote), quote)
	}
}

// later is a nested value as a node of the next format reads it.
type later[T any] struct {
	Value T
	Field string
}

// ofNext reads a nested value like a node of the next format: with the appended field, if the
// record's format has it.
func ofNext[T any](read func(*reader, *T)) func(*reader, *later[T]) {
	return func(r *reader, l *later[T]) {
		read(r, &l.Value)
		if r.format > recordFormat {
			l.Field = r.text()
		}
	}
}

// laterLine reads an order's line, whose own line is nested twice.
func laterLine(r *reader, l *later[commerce.OrderLine]) {
	var inner later[commerce.Line]
	ofNext(func(r *reader, l *commerce.OrderLine) {
		r.inBlock(func(r *reader) { ofNext(readLine)(r, &inner) })
		r.orderLineFields(l)
		l.Line = inner.Value
	})(r, l)
	if inner.Field != l.Field {
		r.bad = true
	}
}

// wantLater reads the values that follow a record's fields, and wants the field in each.
func wantLater[T any](t *testing.T, what, text, field string, head func(*reader), read func(*reader, *later[T]), want []T) {
	t.Helper()
	r := reader{b: text}
	r.open(recordFormat + 1)
	head(&r)
	var all []later[T]
	for _, value := range want {
		all = append(all, later[T]{value, field})
	}
	if got := blocks(&r, read); r.bad || !reflect.DeepEqual(got, all) {
		t.Fatalf("%s: readable %v\n got %+v\nwant %+v", what, !r.bad, got, all)
	}
}

// A field that is appended to a nested value leaves earlier records readable: the reader knows
// the format of the record around the value.
func TestNestedValueMayGetAFieldThatEarlierRecordsLack(t *testing.T) {
	d := seeded(t)
	skip := func(r *reader) { r.inBlock(func(*reader) {}) }
	writers := func(r *reader) { r.writers(); skip(r) }
	head := func(r *reader) { r.contactHead(&commerce.Contact{}); writers(r) }
	for range 100 {
		cart, contact, order, quote := oneOfEach(d)
		for _, of := range []struct {
			format, field               string
			cart, contact, order, quote string
		}{
			{"of this format", "", kept(cart), string(appendContact(nil, contact)), string(appendOrder(nil, order)), string(appendQuote(nil, quote))},
			{"of the next format", appended, nextCart(cart), nextContact(contact), nextOrder(order), nextQuote(quote)},
		} {
			wantLater(t, "lines of a cart "+of.format, of.cart, of.field, writers, ofNext(readLine), cart.State.Lines)
			wantLater(t, "addresses of a contact "+of.format, of.contact, of.field, head, ofNext((*reader).address), contact.State.Addresses)
			wantLater(t, "lines of an order "+of.format, of.order, of.field, skip, laterLine, order.State.Lines)
			wantLater(t, "lines of a quote "+of.format, of.quote, of.field, writers, laterLine, quote.State.Goods.Lines)
			r := reader{b: of.quote}
			r.open(recordFormat + 1)
			r.writers()
			var q later[commerce.Quote]
			if r.inBlock(func(r *reader) { ofNext(func(r *reader, q *commerce.Quote) { r.quoteFields(q) })(r, &q) }); r.bad || q.Field != of.field {
				t.Fatalf("a quote %s: readable %v, its field is %q, want %q", of.format, !r.bad, q.Field, of.field)
			}
		}
	}
}
