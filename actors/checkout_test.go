package actors

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// checkout sells the cart as the order with this id.
func checkout(order int) *commerce.Checkout {
	return &commerce.Checkout{OrderID: testID(order), CheckoutForm: commerce.CheckoutForm{Email: "buyer@example.com"}}
}

// sell serves a checkout as the front end does.
func (s *scene) sell(order int) (engine.Reply, error) {
	return s.node.engine.Checkout(s.request(checkout(order)))
}

// A checkout makes one order in spite of all conflicts and faults, and answers with its number.
func TestACheckoutMakesOneOrderOrNone(t *testing.T) {
	lost, early := fate{fault: replyLost}, fate{fault: requestLost}
	for _, c := range []struct {
		rule  string
		fates []fate
		err   error
		order int // 1 for this node's order, 2 for another node's, 0 if there is no order
	}{
		{"answered", nil, nil, 1},
		{"done, and not answered", []fate{lost, lost}, nil, 1},
		{"lost on its way", []fate{early}, nil, 1},
		{"late, after it was sent again", []fate{{fault: delayed, after: 3}}, nil, 1},
		{"another line meanwhile", []fate{overtake}, nil, 1},
		{"sold meanwhile", []fate{{fault: conflict, foreign: checkout(0xe2)}}, nil, 2},
		{"lost, and sold meanwhile", []fate{early, {fault: conflict, foreign: checkout(0xe2)}}, nil, 2},
		{"another head", []fate{{fault: newHead}}, nil, 1},
		{"certainly refused", []fate{{fault: refusal}}, engine.ErrUnavailable, 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.do(add(1))
			s.storage.will(c.fates...)
			reply, err := s.sell(0xe1)
			if !sameError(err, c.err) {
				t.Fatalf("answered %v; want %v", err, c.err)
			}
			s.storage.calm()
			if len(s.storage.orders) != min(c.order, 1) {
				t.Fatalf("%d orders", len(s.storage.orders))
			}
			if c.order == 0 {
				return
			}
			id := testID(0xe0 + c.order)
			if reply.Order == nil || reply.Order.ID != id || reply.Order.Number != 1 || reply.Existing != (c.order == 2) || reply.Replayed != (c.order == 2) {
				t.Errorf("answered %+v with the order %+v; want %v", reply, reply.Order, id)
			}
			again, err := s.sell(0xe3)
			if err != nil || again.Order == nil || again.Order.ID != id || !again.Existing || len(s.storage.orders) != 1 {
				t.Errorf("then %+v, %v; want the order %v again", again.Order, err, id)
			}
			s.wantChange(s.request(add(1)), commerce.NotFound("Cart", cartID.String()))
		})
	}
}

// A checkout has a visit of its own. Earlier commands count for its order; later ones are 404.
func TestACheckoutHasAVisitOfItsOwn(t *testing.T) {
	s := newScene(t)
	calls, h := s.whileHalted(s.request(add(1)), s.request(checkout(0xe1)), s.request(add(2)), s.request(checkout(0xe2)))
	if n := len(h.visit.Requests); n != 1 {
		t.Errorf("the visit of the first add has %d requests, want 1", n)
	}
	h.let(fate{})
	s.wantError(calls[0], nil)
	s.wantError(calls[1], nil)
	s.wantError(calls[2], commerce.NotFound("Cart", cartID.String()))
	if second := s.wantError(calls[3], nil); !second.Existing || second.Cart.OrderID != testID(0xe1) {
		t.Errorf("the second checkout answers %+v", second)
	}
	s.want(1, 1)
	s.want(2, 0)
	if len(s.storage.orders) != 1 || len(s.storage.orders[0].Lines) != 2 {
		t.Errorf("the orders are %+v", s.storage.orders)
	}
}

// Too little stock is refused after one trip, with the shortage that the visit found. After a
// sending with an unknown outcome the visit is sent again until that sending is too late, for it
// may yet find enough.
func TestACheckoutThatFallsShort(t *testing.T) {
	for _, c := range []struct {
		rule     string
		fates    []fate
		err      error
		sendings int
	}{
		{"at once", nil, commerce.OutOfStock, 1},
		{"after a conflict", []fate{overtake}, commerce.OutOfStock, 2},
		{"after a lost request", []fate{{fault: requestLost}}, commerce.OutOfStock, 0},
		{"after one that arrives late", []fate{{fault: delayed, after: 2}}, commerce.OutOfStock, 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				s.shop.Modules = s.shop.Modules.With(commerce.ModuleStock)
				s.shop.Products[1].TrackStock = true
				s.shop.Index()
				s.storage.stock = map[uuid.UUID]commerce.Micros{testID(1): 250_000}
				s.do(add(1))
				_, before, _ := s.storage.counts()
				s.storage.will(c.fates...)
				_, err := s.sell(0xe1)
				var refusal *commerce.Refusal
				if errors.As(err, &refusal) {
					want := commerce.StockShort{ProductID: testID(1), Requested: 1_000_000, Available: 250_000}
					if len(refusal.OutOfStock) != 1 || refusal.OutOfStock[0] != want {
						t.Errorf("short of %+v, want %+v", refusal.OutOfStock, want)
					}
					if err = refusal; refusal.Code == commerce.OutOfStock.Code {
						err = commerce.OutOfStock
					}
				}
				if err != c.err {
					t.Errorf("answered %v; want %v", err, c.err)
				}
				if _, now, _ := s.storage.counts(); c.sendings > 0 && now-before != c.sendings {
					t.Errorf("%d sendings; want %d", now-before, c.sendings)
				}
				if len(s.storage.orders) != 0 {
					t.Errorf("there are orders: %+v", s.storage.orders)
				}
				s.storage.set(func() { s.storage.stock = nil })
				if reply, err := s.sell(0xe2); err != nil || reply.Order.Number != 1 {
					t.Errorf("then %+v, %v", reply.Order, err)
				}
			})
		})
	}
}
