package actors

import (
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// stingyStorage grants one unit of each ask.
type stingyStorage struct {
	*cartStorage
	before []*commerce.Cart
}

func (s *stingyStorage) Send(v *engine.Visit[*commerce.Cart]) {
	s.before = append(s.before, v.Before)
	done := v.Done
	v.Done = func(o engine.Outcome[*commerce.Cart]) {
		if asks := v.Next.State.Hold.Asks; len(asks) > 0 {
			o.Current = v.Next
			o.Current.State = v.Next.State.Granting()
			o.Current.State.Hold.Asks[0].Granted = commerce.One.Micros()
		}
		done(o)
	}
	s.cartStorage.Send(v)
}

// The next visit starts from the record with the store's grants.
func TestGrantsAreNoted(t *testing.T) {
	shop := testShop(1)
	shop.Products[0].TrackStock, shop.StockHold = true, time.Hour
	shop.Modules = shop.Modules.With(commerce.ModuleStock)
	shop.Index()
	store := &stingyStorage{cartStorage: newFakeStorage(shop)}
	s := newSceneOver(t, store.cartStorage, store)
	s.do(addMany(0, 5))
	s.do(commerce.PatchCart{})
	if len(store.before) != 3 || store.before[0] != nil || len(store.before[1].Hold.Asks) != 0 {
		t.Fatalf("the visits went on from %+v", store.before)
	}
	want := commerce.StockAsk{Item: testID(0), Quantity: (5 * commerce.One).Micros(), Granted: commerce.One.Micros()}
	if got := store.before[2].Hold.Asks; len(got) != 1 || got[0] != want {
		t.Errorf("the last visit went on from %+v, want %+v", got, want)
	}
}
