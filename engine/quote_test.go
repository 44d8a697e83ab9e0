package engine

import (
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// quoteShelf is a store with one quote.
type quoteShelf struct {
	Storage
	quote  *commerce.Quote
	order  *commerce.Order
	budget Budget
	err    error
	change func(*Request) (Reply, error)
	asked  []string // reads of Redis
}

func (s *quoteShelf) QuoteID(_ uuid.UUID, token commerce.KeyHash, _ time.Time) (uuid.UUID, error) {
	s.asked = append(s.asked, "token")
	if token == commerce.HashSecret([]byte(goodToken)) {
		return s.quote.ID, s.err
	}
	return uuid.Nil, s.err
}

func (s *quoteShelf) QuoteAnswer(store uuid.UUID, _ netip.Addr, token *commerce.KeyHash, deadline time.Time) (uuid.UUID, Budget, error) {
	s.asked = append(s.asked, "limit")
	if token == nil {
		return uuid.Nil, s.budget, s.err
	}
	id, err := s.QuoteID(store, *token, deadline)
	return id, s.budget, err
}

func (s *quoteShelf) Order(RecordKey, time.Time) (*Record[*commerce.Order], error) {
	s.asked = append(s.asked, "order")
	return &Record[*commerce.Order]{State: s.order}, nil
}

func (s *quoteShelf) Fetch(RecordKey, time.Time) (*Record[*commerce.Quote], error) {
	s.asked = append(s.asked, "quote")
	return &Record[*commerce.Quote]{State: s.quote}, nil
}

func (s *quoteShelf) Known(RecordKey) *Record[*commerce.Quote] { return nil }

func (s *quoteShelf) Change(r *Request) (Reply, error) {
	s.asked = append(s.asked, "change")
	return s.change(r)
}

const goodToken = "bm90IGEgc2VjcmV0LCBub3QgYSBzZWNyZXQgYXQgYWw"

// An answer checks the caller's limit, finds the quote and changes it. It reads the order if the
// accept has not made it. Every outcome shows the caller's budget.
func TestAnswerQuote(t *testing.T) {
	left := Budget{Granted: true, Limit: commerce.QuoteAnswers, Remaining: 7}
	spent := Budget{Limit: commerce.QuoteAnswers}
	accept, decline := &commerce.AcceptQuote{}, commerce.DeclineQuote{}
	for _, c := range []struct {
		name, token string
		command     commerce.Command[*commerce.Quote]
		budget      Budget
		made        bool
		refusal     *commerce.Refusal
		asked       []string
		want        *commerce.Refusal
	}{
		{"accept", goodToken, accept, left, true, nil, []string{"limit", "token", "change"}, nil},
		{"repeated accept", goodToken, accept, left, false, nil, []string{"limit", "token", "change", "order"}, nil},
		{"decline", goodToken, decline, left, false, nil, []string{"limit", "token", "change"}, nil},
		{"refused accept", goodToken, accept, left, false, commerce.QuoteExpired, []string{"limit", "token", "change"}, commerce.QuoteExpired},
		{"beyond the limit", goodToken, accept, spent, false, nil, []string{"limit", "token"}, commerce.TooManyAttempts},
		{"beyond the limit without a quote", "x", accept, spent, false, nil, []string{"limit"}, commerce.TooManyAttempts},
		{"unknown token", goodToken[1:] + "A", decline, left, false, nil, []string{"limit", "token"}, commerce.NotFound("Quote", goodToken[1:]+"A")},
		{"no token", "x", decline, left, false, nil, []string{"limit"}, commerce.NotFound("Quote", "x")},
	} {
		order := &commerce.Order{ID: uuid.UUID{15: 0xe1}}
		s := &quoteShelf{quote: &commerce.Quote{ID: uuid.UUID{15: 0x90}, OrderID: order.ID}, order: order, budget: c.budget}
		s.change = func(r *Request) (Reply, error) {
			reply := Reply{Quote: s.quote, Facts: &r.Facts}
			if c.made {
				reply.Order = order
			}
			return reply, asError(c.refusal)
		}
		r := &Request{QuoteToken: c.token, Command: c.command, Facts: Facts{Store: &commerce.Store{}}}
		reply, err := New(s, nil, nil, s, nil, nil, nil).AnswerQuote(r)
		if !reflect.DeepEqual(err, asError(c.want)) || reply.Nested != c.budget || !reflect.DeepEqual(s.asked, c.asked) {
			t.Errorf("%s: %v with %+v, asked for %v; want %v, asked for %v", c.name, err, reply.Nested, s.asked, c.want, c.asked)
		}
		if accepted := err == nil && c.command == accept; accepted && reply.Order != order || !accepted && reply.Order != nil {
			t.Errorf("%s: the order is %+v", c.name, reply.Order)
		}
	}
}

// A token of another length or alphabet names no quote, and Redis is not read.
func TestReadQuote(t *testing.T) {
	for token, asked := range map[string][]string{
		goodToken: {"token", "quote"}, goodToken[1:] + "A": {"token"}, "": nil, goodToken[1:] + "=": nil, goodToken + "A": nil,
	} {
		s := &quoteShelf{quote: &commerce.Quote{ID: uuid.UUID{15: 0x90}}}
		r := &Request{QuoteToken: token, Facts: Facts{Store: &commerce.Store{}}}
		found, err := New(s, nil, nil, s, nil, nil, nil).ReadQuote(r)
		if !reflect.DeepEqual(s.asked, asked) || (token == goodToken) != (err == nil && found.State == s.quote) {
			t.Errorf("%q: %v, %v, asked for %v; want %v", token, found, err, s.asked, asked)
		}
		if want := commerce.NotFound("Quote", token); token != goodToken && !reflect.DeepEqual(err, error(want)) {
			t.Errorf("%q: %v; want %v", token, err, want)
		}
	}
}

// A checkout of a quoted cart is 404 until the quote is accepted. Then its owner gets the order.
func TestCheckoutOfAQuotedCart(t *testing.T) {
	order := &commerce.Order{ID: uuid.UUID{15: 0xe1}}
	missing := commerce.NotFound("Cart", uuid.UUID{15: 0xca}.String())
	for _, c := range []struct {
		name     string
		accepted uuid.UUID
		refusal  *commerce.Refusal
		want     *commerce.Refusal
	}{
		{"open", uuid.Nil, nil, missing},
		{"open, another's", uuid.Nil, commerce.CartOwned, missing},
		{"accepted", order.ID, nil, nil},
		{"accepted, another's", order.ID, commerce.CartOwned, commerce.CartOwned},
	} {
		s := &quoteShelf{quote: &commerce.Quote{OrderID: c.accepted}, order: order}
		r := &Request{
			CartID: uuid.UUID{15: 0xca}, Command: &commerce.Checkout{CheckoutForm: commerce.CheckoutForm{Email: "a@b.co"}},
			Facts: Facts{Store: &commerce.Store{}},
		}
		carts := &fakeCarts{visits: []func(*Request) (Reply, error){func(r *Request) (Reply, error) {
			cart := &commerce.Cart{Status: commerce.CartConverted, QuoteID: uuid.UUID{15: 0x90}}
			return Reply{Cart: cart, Facts: &r.Facts, Existing: c.refusal == nil}, asError(c.refusal)
		}}}
		reply, err := New(s, carts, nil, s, nil, nil, nil).Checkout(r)
		if !reflect.DeepEqual(err, asError(c.want)) || (err == nil) != (reply.Order == order) {
			t.Errorf("%s: %+v, %v; want %v", c.name, reply.Order, err, c.want)
		}
	}
}
