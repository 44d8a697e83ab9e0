package engine

import (
	"reflect"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

var (
	product = uuid.UUID{15: 1}
	ada     = commerce.Visitor{Known: true, CustomerID: uuid.UUID{15: 0xad}, Session: commerce.Session{Number: 3}}
	badBody = &commerce.Refusal{Kind: commerce.Invalid, Message: "The quantity field is required."}
)

// scene is a request with its facts and its record.
type scene[S any] struct {
	kind *Kind[S]
	r    *Request
	v    *View[S]
}

func newScene[S any](kind *Kind[S], state S) *scene[S] {
	price := commerce.Amount(1)
	shop := &commerce.Store{
		Modules:  commerce.Modules(0).With(commerce.ModuleCommerce).With(commerce.ModuleCustomers),
		Policy:   commerce.Policy{MaxLines: 1, MaxQuantityPerLine: commerce.One},
		Products: []*commerce.Product{{ID: product, Active: true, Prices: commerce.Prices{Base: &price}}},
	}
	shop.Index()
	r := &Request{
		Guards: &Guards{
			Modules: []commerce.Module{commerce.ModuleCommerce}, Scopes: commerce.Scopes(0).With(commerce.CommerceWrite),
			Token: commerce.InvalidCustomerToken,
		},
		CartID: uuid.UUID{15: 0xca}, Idempotency: &IdempotencyKey{Request: [16]byte{2}},
		Facts: Facts{Now: noon, Store: shop, Key: &commerce.APIKey{Scopes: commerce.AllScopes()}, Budget: Budget{Granted: true}, Visitor: ada},
	}
	return &scene[S]{kind, r, &View[S]{State: state, Stamp: Stamp{Counter: 7}, Input: new(commerce.Input)}}
}

func cartScene() *scene[*commerce.Cart] {
	s := newScene(CartKind, commerce.NewCart(uuid.UUID{15: 0xca}, noon))
	s.r.Command = commerce.AddLine{ProductID: product, Quantity: commerce.One}
	return s
}

func contactScene() *scene[*commerce.Contact] {
	s := newScene(ContactKind, &commerce.Contact{ID: ada.CustomerID, Session: 3})
	s.r.Command = commerce.AddAddress{Address: commerce.Address{ID: uuid.UUID{15: 9}}}
	return s
}

// reason is one reason to refuse a request.
type reason[S any] struct {
	name  string
	raise func(*scene[S])
	want  *commerce.Refusal
}

// guardReasons are the reasons that need no record, in the order of judgement.
func guardReasons[S any]() []reason[S] {
	return []reason[S]{
		{"over the limit by address", func(s *scene[S]) { s.r.Key, s.r.Budget.Granted = nil, false }, commerce.TooManyAttempts},
		{"unknown key", func(s *scene[S]) { s.r.Key = nil }, commerce.Unauthenticated},
		{"revoked key", func(s *scene[S]) {
			if s.r.Key != nil {
				s.r.Key = &commerce.APIKey{Revoked: true}
			}
		}, commerce.Unauthenticated},
		{"suspended store", func(s *scene[S]) { s.r.Store.Suspended = true }, commerce.TenantSuspended},
		{"over the limit of the store", func(s *scene[S]) {
			if s.r.Key != nil && !s.r.Key.Revoked { // else it is the limit by address
				s.r.Budget.Granted = false
			}
		}, commerce.TooManyAttempts},
		{"module disabled", func(s *scene[S]) { s.r.Store.Modules &^= commerce.Modules(0).With(commerce.ModuleCommerce) },
			commerce.ModuleDisabled(commerce.ModuleCommerce)},
		{"scope missing", func(s *scene[S]) { s.r.Guards.Scopes = 1 << 31 }, commerce.InvalidAbility},
		{"token required", func(s *scene[S]) { s.r.Visitor = commerce.Visitor{} }, commerce.InvalidCustomerToken},
	}
}

// If several reasons hold, the first in the order is the answer:
// docs/api/contract.md#the-order-of-judgement.
func TestOrderOfJudgementOnCarts(t *testing.T) {
	missing := commerce.NotFound("Cart", uuid.UUID{15: 0xca}.String())
	type cart = scene[*commerce.Cart]
	testOrder(t, cartScene, append(guardReasons[*commerce.Cart](), []reason[*commerce.Cart]{
		{"no record", func(s *cart) { s.v.State = nil }, missing},
		{"expired", func(s *cart) { edit(s, func(c *commerce.Cart) { c.ExpiresAt = noon }) }, missing},
		{"converted", func(s *cart) { edit(s, func(c *commerce.Cart) { c.Status = commerce.CartConverted }) }, missing},
		{"another customer's", func(s *cart) {
			edit(s, func(c *commerce.Cart) { c.Customer = commerce.Binding{ID: uuid.UUID{15: 0xbb}} })
		}, commerce.CartOwned},
		{"store closed for orders", func(s *cart) { s.r.Guards.Sells, s.r.Store.Closed = true, commerce.StoreClosed }, commerce.StoreClosed},
		{"no such line", func(s *cart) { s.r.Command = commerce.RemoveLine{LineID: "x"} }, commerce.NotFound("CartLine", "x")},
		{"another version", func(s *cart) { s.r.Match = &Match{Versions: []Version{1}} }, commerce.CartChanged},
		{"a fault of the body", func(s *cart) { s.r.Fault = badBody }, badBody},
		{"too many codes tried", func(s *cart) {
			if _, is := s.r.Command.(commerce.AddLine); is {
				s.r.Command = commerce.AttachCode{Code: "x", Spent: true}
			}
		}, commerce.TooManyAttempts},
		{"a refusal of the command", func(s *cart) {
			if _, is := s.r.Command.(commerce.AddLine); is {
				s.r.Command = commerce.AddLine{ProductID: uuid.UUID{15: 2}, Quantity: commerce.One}
			}
		}, commerce.ProductUnavailable},
	}...))
}

func edit(s *scene[*commerce.Cart], change func(*commerce.Cart)) {
	if s.v.State != nil {
		change(s.v.State)
	}
}

func TestOrderOfJudgementOnContacts(t *testing.T) {
	type contact = scene[*commerce.Contact]
	testOrder(t, contactScene, append(guardReasons[*commerce.Contact](), []reason[*commerce.Contact]{
		{"no record", func(s *contact) { s.v.State = nil }, commerce.InvalidCustomerToken},
		{"an ended session", func(s *contact) { s.r.Visitor.Session.Number = 2 }, commerce.InvalidCustomerToken},
		{"no such address", func(s *contact) { s.r.Command = commerce.RemoveAddress{AddressID: "x"} }, commerce.NotFound("Address", "x")},
		{"another version", func(s *contact) { s.r.Match = &Match{} }, commerce.AddressBookChanged},
		{"a fault of the body", func(s *contact) { s.r.Fault = badBody }, badBody},
		{"a full book", func(s *contact) {
			if s.v.State != nil {
				s.v.State.Addresses = make([]commerce.Address, commerce.MaxAddresses)
			}
		}, commerce.AddressBookFull},
	}...))
}

func testOrder[S any](t *testing.T, fresh func() *scene[S], reasons []reason[S]) {
	t.Helper()
	for i, first := range reasons {
		for _, later := range reasons[i:] {
			s := fresh()
			first.raise(s)
			later.raise(s)
			if _, got := Judge(s.kind, s.r, s.v); !reflect.DeepEqual(got, first.want) {
				t.Errorf("%s and %s: got %v; want %v", first.name, later.name, got, first.want)
			}
		}
	}
	s := fresh()
	if change, refusal := Judge(s.kind, s.r, s.v); refusal != nil || change.Effects.Idempotency != s.r.Idempotency {
		t.Errorf("without a reason: %+v, %v", change, refusal)
	}
	if _, refusal := Judge(s.kind, s.r, nil); refusal != nil {
		t.Errorf("the guards: %v", refusal)
	}
}

// A replay comes right after the ownership, also on a closed cart. Its record stays as it is.
func TestReplay(t *testing.T) {
	entry := &IdempotencyEntry{Request: [16]byte{2}}
	for _, c := range []struct {
		rule  string
		raise func(*scene[*commerce.Cart])
		want  *commerce.Refusal // nil for a replay
	}{
		{"the same request", func(*scene[*commerce.Cart]) {}, nil},
		{"a code after too many tries", func(s *scene[*commerce.Cart]) { s.r.Command = commerce.AttachCode{Spent: true} }, nil},
		{"in a store that is closed for orders", func(s *scene[*commerce.Cart]) {
			s.r.Guards.Sells, s.r.Store.Closed = true, commerce.StoreClosed
		}, nil},
		{"ahead of line, version and body", func(s *scene[*commerce.Cart]) {
			s.r.Command, s.r.Match, s.r.Fault = commerce.RemoveLine{LineID: "x"}, &Match{}, badBody
		}, nil},
		{"on a converted cart", func(s *scene[*commerce.Cart]) { s.v.State.Status = commerce.CartConverted }, nil},
		{"another request", func(s *scene[*commerce.Cart]) { s.r.Idempotency.Request[0] = 9 }, commerce.IdempotencyKeyReused},
		{"another request on a converted cart", func(s *scene[*commerce.Cart]) {
			s.r.Idempotency.Request[0], s.v.State.Status = 9, commerce.CartConverted
		}, commerce.IdempotencyKeyReused},
		{"not the owner", func(s *scene[*commerce.Cart]) {
			s.v.State.Customer = commerce.Binding{ID: uuid.UUID{15: 0xbb}}
		}, commerce.CartOwned},
		{"an expired cart", func(s *scene[*commerce.Cart]) { s.v.State.ExpiresAt = noon }, commerce.NotFound("Cart", uuid.UUID{15: 0xca}.String())},
	} {
		s := cartScene()
		s.v.Entry = entry
		c.raise(s)
		change, refusal := Judge(s.kind, s.r, s.v)
		if !reflect.DeepEqual(refusal, c.want) || refusal == nil && (!change.Replayed || change.State != s.v.State || change.Effects != (Effects{})) {
			t.Errorf("%s: got %+v, %v; want %v", c.rule, change, refusal, c.want)
		}
	}
}

// The replay of a request on an address shows the address, if it still exists.
func TestReplayShowsTheAddress(t *testing.T) {
	made, patched := uuid.UUID{15: 1}, uuid.UUID{15: 2}
	for _, c := range []struct {
		rule       string
		made, part uuid.UUID
		want       *commerce.Refusal
		shows      uuid.UUID
	}{
		{"an add shows what the first one made", made, uuid.UUID{15: 9}, nil, made},
		{"a patch shows its address", uuid.Nil, patched, nil, patched},
		{"a removal shows nothing", uuid.Nil, uuid.Nil, nil, uuid.Nil},
		{"the address is gone", uuid.UUID{15: 5}, uuid.Nil, commerce.NotFound("Address", uuid.UUID{15: 5}.String()), uuid.Nil},
	} {
		s := contactScene()
		s.v.State.Addresses = []commerce.Address{{ID: made}, {ID: patched}}
		s.v.Entry, s.r.Part = &IdempotencyEntry{Request: [16]byte{2}, Made: c.made}, c.part
		change, refusal := Judge(s.kind, s.r, s.v)
		if !reflect.DeepEqual(refusal, c.want) || change.Part != c.shows || change.Replayed != (refusal == nil) {
			t.Errorf("%s: got %+v, %v; want %v", c.rule, change, refusal, c.want)
		}
	}
}

// An If-Match is met by each version that it names, or by any if it is the asterisk. An uncommitted
// state has no version.
func TestIfMatch(t *testing.T) {
	stamp := Stamp{Counter: 7}
	for _, c := range []struct {
		rule  string
		match *Match
		stamp Stamp
		want  bool
	}{
		{"not sent", nil, stamp, true},
		{"any", &Match{Any: true}, Stamp{}, true},
		{"one of several", &Match{Versions: []Version{1, stamp.Version(0)}}, stamp, true},
		{"none of them", &Match{Versions: []Version{1}}, stamp, false},
		{"not committed yet", &Match{Versions: []Version{Stamp{}.Version(0)}}, Stamp{}, false},
	} {
		if got := c.match.allows(c.stamp); got != c.want {
			t.Errorf("%s: %v; want %v", c.rule, got, c.want)
		}
	}
}

// Spec: Status effects 2. A cart is read in any status until it expires.
func TestReadOfAnyStatus(t *testing.T) {
	for _, status := range []commerce.CartStatus{commerce.CartActive, commerce.CartConverted, commerce.CartMerged} {
		s := cartScene()
		s.r.Command, s.v.State.Status = nil, status
		if change, refusal := Judge(s.kind, s.r, s.v); refusal != nil || change.State != s.v.State {
			t.Errorf("%s: %v", status, refusal)
		}
		s.v.State.ExpiresAt = noon
		if _, refusal := Judge(s.kind, s.r, s.v); refusal == nil || refusal.Kind != commerce.Missing {
			t.Errorf("%s, expired: %v", status, refusal)
		}
	}
}

// A command belongs to one kind of record. With another kind's the request is no read: it is a fault of
// the server.
func TestACommandOfAnotherKind(t *testing.T) {
	s := cartScene()
	s.r.Command = commerce.AddAddress{}
	defer func() {
		if recover() == nil {
			t.Error("a cart was judged with a contact's command; want a panic")
		}
	}()
	Judge(s.kind, s.r, s.v)
}
