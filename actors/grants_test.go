package actors

import (
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// stingyStore grants one unit of what a cart asks for.
type stingyStore struct {
	*fakeStore
	before []*commerce.Cart
}

func (s *stingyStore) Send(c *engine.Commit[*commerce.Cart]) {
	s.before = append(s.before, c.Before)
	done := c.Done
	c.Done = func(o engine.Outcome[*commerce.Cart]) {
		if asks := c.Next.State.Hold.Asks; len(asks) > 0 {
			o.Current = c.Next
			o.Current.State = c.Next.State.Granting()
			o.Current.State.Hold.Grant(asks[0].Item, commerce.One.Micros())
		}
		done(o)
	}
	s.fakeStore.Send(c)
}

// What the store made of a commit is what the next one goes on from.
func TestGrantsAreNoted(t *testing.T) {
	shop := testShop(1)
	shop.Products[0].TrackStock, shop.StockHold = true, time.Hour
	shop.Modules = shop.Modules.With(commerce.ModuleStock)
	shop.Index()
	store := &stingyStore{fakeStore: newFakeStore(shop)}
	s := &scene{TB: t, shop: shop, store: store.fakeStore, key: engine.RecordKey{Store: shop.ID, ID: cartID}}
	s.node = NewCarts(store, config(nodeWriter))
	t.Cleanup(s.node.Close)
	s.create(cartID)
	s.do(addMany(0, 5))
	s.do(commerce.PatchCart{})
	if len(store.before) != 3 || store.before[0] != nil || len(store.before[1].Hold.Asks) != 0 {
		t.Fatalf("the commits went on from %+v", store.before)
	}
	want := commerce.StockAsk{Item: testID(0), Quantity: (5 * commerce.One).Micros(), Granted: commerce.One.Micros()}
	if got := store.before[2].Hold.Asks; len(got) != 1 || got[0] != want {
		t.Errorf("the last commit went on from %+v, want %+v", got, want)
	}
}
