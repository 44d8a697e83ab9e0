package engine

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// fakeContacts has one contact.
type fakeContacts struct {
	Contacts
	found *Record[*commerce.Contact]
	asked int
	fresh int // reads of Redis
	err   error
}

func (c *fakeContacts) Find(_ RecordKey, fresh bool, _ time.Time) (*Record[*commerce.Contact], error) {
	c.asked++
	if fresh {
		c.fresh++
	}
	return c.found, c.err
}

// Order finds the order of the test's cart.
func (s *fakeStore) Order(key RecordKey, _ time.Time) (*Record[*commerce.Order], error) {
	if s.order == nil || s.order.State.ID != key.ID {
		return nil, s.err
	}
	return s.order, s.err
}

// A checkout reads the visitor's contact only if it may need it. After a refresh it reads it again,
// from Redis: the node's memory may have lost.
func TestCheckoutReadsTheContactOnlyIfNeeded(t *testing.T) {
	book := commerce.AskedAddress{InBook: commerce.AskedID{Sent: true}}
	both := commerce.AskedAddress{Sent: true, InBook: commerce.AskedID{Sent: true}}
	asks := func(d commerce.AskedDelivery) commerce.CheckoutFields {
		return commerce.CheckoutFields{AskedDelivery: d}
	}
	for _, c := range []struct {
		name    string
		form    commerce.CheckoutForm
		visitor commerce.Visitor
		visits  []func(*Request) (Reply, error)
		asked   int
	}{
		{"an e-mail of its own", commerce.CheckoutForm{Email: "a@b.co"}, ada, nil, 0},
		{"no e-mail", commerce.CheckoutForm{}, ada, nil, 1},
		{"no e-mail and no token", commerce.CheckoutForm{}, commerce.Visitor{}, nil, 0},
		{"an address of the book", commerce.CheckoutForm{Email: "a@b.co", CheckoutFields: asks(commerce.AskedDelivery{Shipping: book})}, ada, nil, 1},
		{"a billing address of the book", commerce.CheckoutForm{Email: "a@b.co", CheckoutFields: asks(commerce.AskedDelivery{Billing: book})}, ada, nil, 1},
		{"the address wins", commerce.CheckoutForm{Email: "a@b.co", CheckoutFields: asks(commerce.AskedDelivery{Billing: both})}, ada, nil, 0},
		{"outdated", commerce.CheckoutForm{}, ada, []func(*Request) (Reply, error){outdated(true)}, 2},
	} {
		var seen *commerce.Contact
		e, s, carts, r := newWrite(append(c.visits, func(r *Request) (Reply, error) {
			seen = r.ownContact()
			return Reply{Facts: &r.Facts, Order: new(commerce.Order)}, nil
		})...)
		contacts := &fakeContacts{found: &Record[*commerce.Contact]{State: &commerce.Contact{ID: ada.CustomerID}}}
		e.contacts = contacts
		r.Command, r.Visitor = &commerce.Checkout{CheckoutForm: c.form}, c.visitor
		s.node.Visitor, s.redis.Visitor = c.visitor, c.visitor
		if _, err := e.Checkout(r); err != nil || contacts.asked != c.asked || (seen != nil) != (c.asked > 0) || carts.served != max(c.asked, 1) {
			t.Errorf("%s: %v, read the contact %d times, served %d times, saw %v; want %d reads", c.name, err, contacts.asked, carts.served, seen, c.asked)
		}
		if want := max(c.asked-1, 0); contacts.fresh != want {
			t.Errorf("%s: %d of %d reads were of Redis, want %d", c.name, contacts.fresh, c.asked, want)
		}
	}
	e, _, carts, r := newWrite(done)
	e.contacts = &fakeContacts{err: ErrUnavailable}
	r.Command = &commerce.Checkout{}
	if _, err := e.Checkout(r); err != ErrUnavailable || carts.served != 0 {
		t.Errorf("without a contact: %v, served %d times; want ErrUnavailable", err, carts.served)
	}
}

// A checkout of a sold cart answers with the cart's order.
func TestCheckoutReadsTheOrderOfItsCart(t *testing.T) {
	id := uuid.UUID{15: 0xe1}
	sold := func(r *Request) (Reply, error) {
		return Reply{Facts: &r.Facts, Cart: &commerce.Cart{OrderID: id}, Stamp: Stamp{Counter: 9}, Replayed: true}, nil
	}
	stored := &Record[*commerce.Order]{Stamp: Stamp{Counter: 8}, State: &commerce.Order{ID: id}}
	for _, c := range []struct {
		name  string
		order *Record[*commerce.Order]
		err   error
		fails bool
	}{
		{"it is there", stored, nil, false},
		{"Redis is away", stored, ErrUnavailable, true},
		{"it is gone", nil, nil, true},
	} {
		e, s, _, r := newWrite(sold)
		s.order = c.order
		r.Command = &commerce.Checkout{CheckoutForm: commerce.CheckoutForm{Email: "a@b.co"}}
		s.err = c.err
		reply, err := e.Checkout(r)
		if (err != nil) != c.fails || err == nil && (reply.Order != stored.State || reply.Stamp != stored.Stamp) {
			t.Errorf("%s: %+v, %v", c.name, reply, err)
		}
	}
}

// stockOf is the stock on hand of each item, as Storage.StockLevels reads it.
type stockOf struct {
	*fakeStore
	onHand commerce.Micros
	read   []uuid.UUID // the carts as which it was read
}

func (s *stockOf) StockLevels(_, cart uuid.UUID, items []uuid.UUID, _ time.Time) ([]commerce.StockLevel, error) {
	s.read = append(s.read, cart)
	levels := make([]commerce.StockLevel, len(items))
	for i := range levels {
		levels[i].OnHand = s.onHand
	}
	return levels, s.err
}

// A checkout at another total says what is short, too, if the stock can be read. No other refusal reads it.
func TestCheckoutAtAnotherTotalSaysWhatIsShort(t *testing.T) {
	id := uuid.UUID{15: 0xca}
	line := commerce.Line{ProductID: product, Quantity: 2 * commerce.One}
	missing := commerce.StockShort{ProductID: product, Requested: 2_000_000, Available: 1_000_000}
	for _, c := range []struct {
		name    string
		refusal *commerce.Refusal
		onHand  commerce.Micros
		err     error
		lines   []commerce.Line
		short   []commerce.StockShort
		reads   int
	}{
		{"too little", commerce.TotalChanged, 1_000_000, nil, []commerce.Line{line}, []commerce.StockShort{missing}, 1},
		{"enough", commerce.TotalChanged, 2_000_000, nil, []commerce.Line{line}, nil, 1},
		{"Redis is away", commerce.TotalChanged, 0, ErrUnavailable, []commerce.Line{line}, nil, 1},
		{"nothing is tracked", commerce.TotalChanged, 0, nil, nil, nil, 0},
		{"another refusal", commerce.LoginRequired, 0, nil, []commerce.Line{line}, nil, 0},
	} {
		e, s, _, r := newWrite(func(r *Request) (Reply, error) {
			return Reply{Facts: &r.Facts, Cart: &commerce.Cart{ID: id, Lines: c.lines}}, c.refusal
		})
		shop := *r.Store
		shop.Products = []*commerce.Product{{ID: product, Active: true, TrackStock: true}}
		shop.Modules = shop.Modules.With(commerce.ModuleStock)
		shop.Index()
		s.node.Store, s.redis.Store, r.Store = &shop, &shop, &shop
		stock := &stockOf{s, c.onHand, nil}
		e.storage = stock
		s.err = c.err
		r.Command = &commerce.Checkout{CheckoutForm: commerce.CheckoutForm{Email: "a@b.co"}}
		_, err := e.Checkout(r)
		var got *commerce.Refusal
		if !errors.As(err, &got) || got.Code != c.refusal.Code || !slices.Equal(got.OutOfStock, c.short) {
			t.Errorf("%s: got %+v, want %s with %+v", c.name, err, c.refusal.Code, c.short)
		}
		if len(stock.read) != c.reads || c.reads > 0 && stock.read[0] != id {
			t.Errorf("%s: the stock was read for %v, want %d reads for the cart", c.name, stock.read, c.reads)
		}
	}
}

// An order that is not the visitor's own is 404, and so is a guest's order.
func TestReadOrder(t *testing.T) {
	id := uuid.UUID{15: 0xe1}
	for _, c := range []struct {
		id       string
		customer commerce.Binding
		found    bool
	}{
		{id.String(), commerce.Binding{ID: ada.CustomerID}, true},
		{id.String(), commerce.Binding{ID: uuid.UUID{15: 0xbb}}, false},
		{id.String(), commerce.Binding{ID: ada.CustomerID, Guest: true}, false},
		{id.String(), commerce.Binding{}, false},
		{uuid.UUID{15: 0xe2}.String(), commerce.Binding{ID: ada.CustomerID}, false},
		{"x", commerce.Binding{ID: ada.CustomerID}, false},
	} {
		e, s, _, r := newWrite(done)
		s.order = &Record[*commerce.Order]{State: &commerce.Order{ID: id, Customer: c.customer}}
		found, err := e.ReadOrder(r, c.id)
		if want := commerce.NotFound("Order", c.id); c.found != (err == nil) || err == nil && found != s.order || err != nil && err.Error() != want.Message {
			t.Errorf("%+v: %v, %v", c, found, err)
		}
	}
}

// docs/api/checkout.md#what-a-checkout-decides. A sold cart answers with its order: after the checks
// that give 401, 404 and 403, ahead of the one that gives 412.
func TestCheckoutOfACartThatIsSold(t *testing.T) {
	order := uuid.UUID{15: 0xe1}
	type cart = scene[*commerce.Cart]
	missing := commerce.NotFound("Cart", uuid.UUID{15: 0xca}.String())
	same, other := &IdempotencyEntry{Request: [16]byte{2}, Made: order}, &IdempotencyEntry{Request: [16]byte{3}, Made: order}
	for _, c := range []struct {
		name     string
		raise    func(*cart)
		want     *commerce.Refusal
		existing bool
	}{
		{"sold", func(*cart) {}, nil, true},
		{"sold, with a fault and another version", func(s *cart) { s.r.Fault, s.r.Match = badBody, &Match{} }, nil, true},
		{"sold by this request", func(s *cart) { s.v.Entry = same }, nil, false},
		{"sold, with a reused key", func(s *cart) { s.v.Entry = other }, nil, true},
		{"sold, another customer's", func(s *cart) { s.v.State.Customer.ID = uuid.UUID{15: 0xbb} }, commerce.CartOwned, false},
		{"sold, with a bad token", func(s *cart) {
			s.r.Guards.SentToken, s.r.Token, s.r.Visitor = commerce.InvalidCustomerToken, new(commerce.KeyHash), commerce.Visitor{}
		}, commerce.InvalidCustomerToken, false},
		{"a bad token without the customers module", func(s *cart) {
			s.r.Guards.SentToken, s.r.Token, s.r.Visitor = commerce.InvalidCustomerToken, new(commerce.KeyHash), commerce.Visitor{}
			s.r.Store.Modules &^= commerce.Modules(0).With(commerce.ModuleCustomers)
		}, nil, true},
		{"expired", func(s *cart) { s.v.State.ExpiresAt = noon }, missing, false},
		{"quote requested", func(s *cart) { s.v.State.OrderID = uuid.Nil }, missing, false},
		{"merged", func(s *cart) { s.v.State.Status, s.v.State.OrderID = commerce.CartMerged, uuid.Nil }, missing, false},
		{"another command", func(s *cart) { s.r.Command = commerce.PatchCart{} }, missing, false},
	} {
		s := cartScene()
		s.r.Guards.Token = nil
		s.r.Command = &commerce.Checkout{}
		s.v.State.Status, s.v.State.OrderID = commerce.CartConverted, order
		c.raise(s)
		change, refusal := Judge(s.kind, s.r, s.v)
		if c.want == nil && (refusal != nil || !change.Replayed || change.Existing != c.existing) || c.want != nil &&
			(refusal == nil || refusal.Message != c.want.Message) {
			t.Errorf("%s: %+v, %v; want %v", c.name, change, refusal, c.want)
		}
	}
}
