package persistence

import (
	"reflect"
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

// wantUses compares the uses of the discount 0xd01 by customers.
func (f *till) wantUses(want map[string]string) {
	f.Helper()
	if got := f.redis.HGetAll(background, stores.UsesKey(shopID, testID(0xd01))).Val(); !reflect.DeepEqual(got, want) {
		f.Errorf("the uses by customers are %v, want %v", got, want)
	}
}

// A sale counts for all its customers or for none, in the commit of the order.
func TestUsesByCustomerAreCountedInTheSale(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newTill(t, s)
		key := stores.UsesKey(shopID, testID(0xd01))
		if o := send(t, f.db, byCustomer(f.sale(1, 0xe1, []int{3}), "ada", "ada@x")); o.Kind != engine.Done || o.Number != 1 {
			t.Fatalf("the first sale: %+v", o)
		}
		f.wantUses(map[string]string{"ada": "1", "ada@x": "1"})
		if got, want := f.redis.PTTL(background, key).Val(), 400*24*time.Hour; got > want || got < want-time.Hour {
			t.Errorf("the counter expires in %v, want 400 days", got)
		}
		f.redis.PExpire(background, key, time.Hour)
		v := byCustomer(f.sale(2, 0xe2, []int{3}), "ada", "other@x")
		if o := send(t, f.db, v); o.Kind != engine.Done {
			t.Fatalf("the second sale: %+v", o)
		}
		v.Resent = true
		if o := send(t, f.db, v); o.Kind != engine.Done || o.Number != 2 {
			t.Errorf("the second sale, sent again: %+v", o)
		}
		if got := f.redis.PTTL(background, key).Val(); got < 399*24*time.Hour {
			t.Errorf("after another use the counter expires in %v", got)
		}
		f.wantUses(map[string]string{"ada": "2", "ada@x": "1", "other@x": "1"})
		before := f.dumpSale()
		o := send(t, f.db, byCustomer(f.sale(3, 0xe3, []int{3}), "ada", "ada@x"))
		want := &commerce.Shortage{Used: []commerce.Use{{Discount: testID(0xd01), Counter: commerce.CountCustomer, Field: "ada", Limit: 2}}}
		if o.Kind != engine.Short || !reflect.DeepEqual(o.Shortage, want) || f.dumpSale() != before {
			t.Errorf("the third sale: %+v %+v, want %+v", o, o.Shortage, want)
		}
		f.wantUses(map[string]string{"ada": "2", "ada@x": "1", "other@x": "1"})
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

// A cancel gives back the uses that its order keeps, once, and nothing of what others used. A count that
// has expired stays away.
func TestCancelGivesBackUsesByCustomer(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newCounter(t, s)
		key := engine.RecordKey{Store: shopID}
		for n, fields := range [][]string{{"ada", "ada@x"}, {"ada"}} {
			v := byCustomer(f.sale(n+2, 0xe1+n, nil), fields...)
			v.Effects[0].Sale.Order.PlacedAt = f.now
			if o := send(t, f.db, v); o.Kind != engine.Done {
				t.Fatalf("%+v", o)
			}
		}
		f.wantUses(map[string]string{"ada": "2", "ada@x": "1"})
		cancel := func(key engine.RecordKey) engine.Outcome[*commerce.Order] {
			v, r := f.change(key, commerce.CancelOrder{})
			if r != nil {
				t.Fatal(r)
			}
			o := send(t, f.db, v)
			if again := send(t, f.db, v); again.Kind != engine.Done {
				t.Errorf("sent again: %+v", again)
			}
			return o
		}
		key.ID = testID(0xe1)
		if o := cancel(key); o.Kind != engine.Done {
			t.Fatalf("%+v", o)
		}
		f.wantUses(map[string]string{"ada": "1", "ada@x": "0"})
		f.redis.Del(background, stores.UsesKey(shopID, testID(0xd01)))
		key.ID = testID(0xe2)
		if o := cancel(key); o.Kind != engine.Done {
			t.Fatalf("%+v", o)
		}
		f.wantUses(map[string]string{})
	})
}
