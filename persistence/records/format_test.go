package records

import (
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// appended is the field that the next format adds to every value in a block.
const appended = "a field of the next format"

// nextFormat is the format of the next release.
const nextFormat = newestFormat + 1

// next is a coder of the next release. It collects the appended fields that it reads.
type next struct {
	coder
	fields []string
}

// open is the beginning of a record.
func (n *next) open(stamp *engine.Stamp) {
	if n.writing {
		n.coder.open(stamp)
		return
	}
	n.format, *stamp = n.in.open(nextFormat)
}

// appended is the field, which the formats before do not have.
func (n *next) appended() {
	if !n.since(nextFormat, true) {
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
	n.writers(&r.Writers)
	n.block(func() { with(n, n.orderFields)(r.State) })
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
	n.block(func() { with(n, n.quoteRest)(r.State) })
}

// oneOfEach makes a record of each kind, with every nested value.
func oneOfEach(d dice) (*engine.CartRecord, *engine.Record[*commerce.Contact], *engine.Record[*commerce.Order], *engine.Record[*commerce.Quote]) {
	cart, contact := d.cart(2), d.contact()
	contact.State.Addresses = []commerce.Address{d.address(), d.address()}
	order, quote := d.order(2), fullQuote(nil)
	if d.IntN(2) == 0 {
		quote.Goods.Lines[0].Properties = d.properties()
	}
	address := d.address()
	order.Number, quote.Number, order.ShippingAddress = 7, 7, &address
	return cart, contact, &engine.Record[*commerce.Order]{Stamp: d.stamp(), State: order}, &engine.Record[*commerce.Quote]{Stamp: d.stamp(), State: quote}
}

// wantFormats wants that this node refuses a record of the next format, and that a node of the next
// release reads it with the fields, and one of this release without.
func wantFormats[S any](t *testing.T, k *Codec[S], id uuid.UUID, state func() S, want *engine.Record[S], fields int,
	walk func(*next, *engine.Record[S]), end string) {
	t.Helper()
	out := next{coder: writing(nil)}
	out.format = nextFormat
	walk(&out, want)
	later := string(out.out) + end
	want.Size = len(later)
	if got, err := k.Decode(engine.RecordKey{ID: id}, later); err != redisdb.ErrCorrupt {
		t.Fatalf("this node reads the next format: %v, %+v", err, got.State)
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

// A field that is appended to a value, also to a nested one, leaves earlier records readable. A node
// that does not know it refuses the record, so that no write drops the field.
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
		for i := range o.Ahead {
			o.Ahead[i].Left = 0 // it stands behind the fields
		}
		number := string(appendTail(nil, o))
		wantFormats(t, Orders, o.ID, func() *commerce.Order { return &commerce.Order{ID: o.ID, Number: 7} }, order,
			1+2*len(o.Lines)+len(o.Discounts), (*next).order, number)
		wantFormats(t, Quotes, q.ID, func() *commerce.Quote { return &commerce.Quote{ID: q.ID, Number: 7} }, quote,
			2+2*len(q.Goods.Lines)+len(q.Goods.Discounts)+len(q.Goods.Shipping), (*next).quote, "7"+EndOfNumber)
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
