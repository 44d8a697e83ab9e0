package actors

import (
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// stockStore lets no commit count its requests itself where the cart holds stock.
type stockStore struct{ *fakeStore }

func (s stockStore) Send(c *engine.Commit[*commerce.Cart]) {
	if c.Uncounted > 0 && (c.Next.State.Hold.Asks != nil || c.Before != nil && c.Before.Hold.Asks != nil) {
		c.Done(engine.Outcome[*commerce.Cart]{Kind: engine.Superseded})
		return
	}
	s.fakeStore.Send(c)
}

// Presumed requests on a cart that holds stock are for an admission that counts; those
// that were admitted, before, between and behind them, are answered.
func TestOnACartWithStockOnlyPresumedRequestsAreAskedAgain(t *testing.T) {
	shop := testShop(16)
	shop.Products[0].TrackStock, shop.StockHold = true, time.Hour
	shop.Modules = shop.Modules.With(commerce.ModuleStock)
	shop.Index()
	store := stockStore{newFakeStore(shop)}
	s := &scene{TB: t, shop: shop, store: store.fakeStore, key: engine.RecordKey{Store: shop.ID, ID: cartID}}
	s.node = NewCarts(store, config(nodeWriter))
	t.Cleanup(s.node.Close)
	s.create(cartID)
	s.do(add(0))
	s.do(add(1))
	var requests []*engine.Request
	for i := range 12 {
		var cmd cartCommand = add(i % 2) // tracked and untracked
		asked := s.admit
		if i%4 == 3 {
			cmd = setQuantity(1, i)
		}
		if i%3 != 0 {
			asked = s.presume
		}
		requests = append(requests, asked(cmd))
	}
	want := map[int]int{0: 1, 1: 1}
	for i, c := range s.behind(requests...) {
		if i%3 != 0 {
			s.wantError(c, engine.ErrPresumed)
			continue
		}
		if i%4 == 3 {
			want[1] = i
		} else {
			want[i%2]++
		}
		if reply := s.wantError(c, nil); quantity(reply.Cart, 0) != want[0] || quantity(reply.Cart, 1) != want[1] {
			t.Errorf("request %d: %d and %d; want %v", i, quantity(reply.Cart, 0), quantity(reply.Cart, 1), want)
		}
	}
	s.want(0, want[0])
	s.want(1, want[1])
	s.wantCounted(0)
}

// A cart that holds stock is not presumable, and is again without it.
func TestACartWithStockIsHeldButNotPresumable(t *testing.T) {
	shop := testShop(2)
	shop.Products[0].TrackStock, shop.StockHold = true, time.Hour
	shop.Modules = shop.Modules.With(commerce.ModuleStock)
	shop.Index()
	store := newFakeStore(shop)
	s := &scene{TB: t, shop: shop, store: store, key: engine.RecordKey{Store: shop.ID, ID: cartID}}
	s.node = NewCarts(store, config(nodeWriter))
	t.Cleanup(s.node.Close)
	if _, ok := s.node.Presumable(s.key); ok {
		t.Error("presumable before it is held")
	}
	s.create(cartID)
	for _, c := range []struct {
		cmd  cartCommand
		want bool
	}{{add(1), true}, {add(0), false}, {add(1), false}, {remove(0), true}} {
		want := s.do(c.cmd).Stamp
		stamp, ok := s.node.Presumable(s.key)
		if ok != c.want || ok && stamp != want || !holds(s.node, s.key) {
			t.Errorf("after %+v: %v, presumable %v; want %v, %v", c.cmd, stamp, ok, want, c.want)
		}
	}
}
