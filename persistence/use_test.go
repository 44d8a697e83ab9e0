package persistence

import (
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/stores"
)

// byCustomer adds uses of the discount 0xd01 by customers, whose limit is two, to a sale.
func byCustomer(v *engine.Visit[*commerce.Cart], fields ...string) *engine.Visit[*commerce.Cart] {
	sale := v.Effects[0].Sale
	for _, field := range fields {
		use := commerce.Use{Discount: testID(0xd01), Counter: commerce.CountCustomer, Field: field, Limit: 2}
		sale.Uses = append(sale.Uses, use)
		use.Limit = 0
		sale.Order.Uses = append(sale.Order.Uses, use)
	}
	return v
}

// A counter of customers expires 400 days after its last use. A cancel makes none anew that has expired.
func TestCounterOfCustomersExpires(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newCounter(t, s)
		key := stores.UsesKey(shopID, testID(0xd01))
		for n := range 2 {
			v := byCustomer(f.sale(n+2, 0xe1+n, nil), "ada", "ada@x")
			v.Effects[0].Sale.Order.PlacedAt = f.now
			if o := send(t, f.db, v); o.Kind != engine.Done {
				t.Fatalf("%+v", o)
			}
			if got, want := f.redis.PTTL(background, key).Val(), 400*24*time.Hour; got > want || got < want-time.Hour {
				t.Errorf("the counter expires in %v, want 400 days", got)
			}
			f.redis.PExpire(background, key, time.Hour)
		}
		f.redis.Del(background, key)
		v, r := f.change(engine.RecordKey{Store: shopID, ID: testID(0xe1)}, commerce.CancelOrder{})
		if r != nil {
			t.Fatal(r)
		}
		if o := send(t, f.db, v); o.Kind != engine.Done || f.redis.Exists(background, key).Val() != 0 {
			t.Errorf("the cancel: %+v, and a counter", o)
		}
	})
}

// The counter of a discount that must last does not expire.
func TestLastingCounterDoesNotExpire(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newTill(t, s)
		key := stores.UsesKey(shopID, testID(0xd01))
		if o := send(t, f.db, byCustomer(f.sale(1, 0xe1, nil), "ada")); o.Kind != engine.Done {
			t.Fatalf("%+v", o)
		}
		v := byCustomer(f.sale(2, 0xe2, nil), "ada", "ada@x")
		for i := range v.Effects[0].Sale.Uses {
			v.Effects[0].Sale.Uses[i].Lasting = true
		}
		if o := send(t, f.db, v); o.Kind != engine.Done {
			t.Fatalf("%+v", o)
		}
		if got := f.redis.PTTL(background, key).Val(); got != -1 {
			t.Errorf("the counter expires in %v", got)
		}
	})
}
