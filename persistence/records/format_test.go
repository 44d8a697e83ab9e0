package records

import (
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// appended is the field that the next format adds to every value in a block.
const appended = "a field of the next format"

// next is a coder of the next format. It collects the appended fields that it reads.
type next struct {
	coder
	fields []string
}

// appended is the field, which the formats before do not have.
func (n *next) appended() {
	if n.format <= recordFormat {
		return
	}
	field := appended
	if n.text(&field); !n.writing {
		n.fields = append(n.fields, field)
	}
}

// with adds the field to a value.
func with[T any](n *next, fields func(*T)) func(*T) {
	return func(v *T) { fields(v); n.appended() }
}

func (n *next) orderLine(l *commerce.OrderLine) {
	n.block(func() { with(n, n.line)(&l.Line) })
	n.orderLineFields(l)
}

func (n *next) cart(r *engine.CartRecord) {
	hasHold := r.State.Hold.Asks != nil
	n.open(&r.Stamp)
	n.writers(&r.Writers)
	n.block(func() { n.cartFields(r.State, &hasHold); n.appended() })
	blocks(&n.coder, &r.State.Lines, with(n, n.line))
	if hasHold {
		n.block(func() { n.hold(&r.State.Hold, nil); n.appended() })
	}
}

func (n *next) contact(r *engine.Record[*commerce.Contact]) {
	n.open(&r.Stamp)
	n.contactHead(r.State)
	n.writers(&r.Writers)
	n.block(func() { with(n, n.contactFields)(r.State) })
	blocks(&n.coder, &r.State.Addresses, with(n, n.address))
	blocks(&n.coder, &r.State.Tokens, with(n, n.token))
}

func (n *next) order(r *engine.Record[*commerce.Order]) {
	n.open(&r.Stamp)
	n.block(func() { with(n, n.orderFields)(r) })
	blocks(&n.coder, &r.State.Lines, with(n, n.orderLine))
	blocks(&n.coder, &r.State.Discounts, with(n, n.orderDiscount))
}

func (n *next) quote(r *engine.Record[*commerce.Quote]) {
	n.open(&r.Stamp)
	n.writers(&r.Writers)
	n.block(func() { with(n, n.quoteFields)(r.State) })
	blocks(&n.coder, &r.State.Goods.Lines, with(n, n.orderLine))
	blocks(&n.coder, &r.State.Goods.Discounts, with(n, n.orderDiscount))
	blocks(&n.coder, &r.State.Goods.Shipping, with(n, n.shippingDiscount))
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

// wantFormats wants that this node reads a record of the next format without its fields, and that a
// node of the next format reads that with the fields, and one of this format without.
func wantFormats[S any](t *testing.T, k *Codec[S], id uuid.UUID, state func() S, want *engine.Record[S], fields int, walk func(*next, *engine.Record[S]), end string) {
	t.Helper()
	out := next{coder: writing(nil)}
	out.format++
	walk(&out, want)
	later := string(out.out) + end
	want.Size = len(later)
	if got, err := k.Decode(engine.RecordKey{ID: id}, later); err != nil || !reflect.DeepEqual(&got, want) {
		t.Fatalf("this node reads the next format: %v\n got %+v\nwant %+v", err, got.State, want.State)
	}
	for text, fields := range map[string]int{later: fields, string(k.Encode(nil, want, nil)): 0} {
		in := next{coder: reading(text)}
		got := engine.Record[S]{Size: want.Size, State: state()}
		if walk(&in, &got); in.in.bad || !reflect.DeepEqual(&got, want) {
			t.Fatalf("the next node, format %d: readable %v\n got %+v\nwant %+v", text[0], !in.in.bad, got.State, want.State)
		}
		if len(in.fields) != fields || slices.ContainsFunc(in.fields, func(f string) bool { return f != appended }) {
			t.Fatalf("the next node, format %d: the appended fields are %q; want %d", text[0], in.fields, fields)
		}
	}
}

// A field that is appended to a value, also to a nested one, is skipped by this node and leaves
// earlier records readable.
func TestValueMayGetAFieldInTheNextFormat(t *testing.T) {
	d := seeded(t)
	for range 100 {
		cart, contact, order, quote := oneOfEach(d)
		c, v, o, q := cart.State, contact.State, order.State, quote.State
		holds := 0
		if c.Hold.Asks != nil {
			holds = 1
		}
		wantFormats(t, Carts, c.ID, func() *commerce.Cart { return &commerce.Cart{} }, cart, 1+len(c.Lines)+holds, (*next).cart, appended)
		wantFormats(t, Contacts, v.ID, func() *commerce.Contact { return &commerce.Contact{} }, contact, 1+len(v.Addresses)+len(v.Tokens), (*next).contact, appended)
		number := "7"
		if o.Status == commerce.OrderCancelled {
			number += EndOfNumber
		}
		wantFormats(t, Orders, o.ID, func() *commerce.Order { return &commerce.Order{ID: o.ID, Number: 7} }, order, 1+2*len(o.Lines)+len(o.Discounts), (*next).order, number)
		wantFormats(t, Quotes, q.ID, func() *commerce.Quote { return &commerce.Quote{ID: q.ID, Number: 7} }, quote,
			1+2*len(q.Goods.Lines)+len(q.Goods.Discounts)+len(q.Goods.Shipping), (*next).quote, "7"+EndOfNumber)
	}
}

// Records share their state with readers: encoding one changes nothing of it.
func TestRecordsAreEncodedWhileTheyAreRead(t *testing.T) {
	cart, contact, order, quote := oneOfEach(seeded(t))
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			kept(cart)
			appendContact(nil, contact)
			appendOrder(nil, order)
			appendQuote(nil, quote)
		})
	}
	all.Wait()
}
