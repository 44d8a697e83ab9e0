package commerce

import (
	"reflect"
	"testing"
	"time"
)

// What was taken comes back: exactly the takes, whatever the document tracks today.
func TestCancelReturnsWhatTheSaleTook(t *testing.T) {
	s, order := sold(t)
	if want := []StockAsk{{Item: tile, Quantity: One.Micros(), Granted: One.Micros()}}; !reflect.DeepEqual(order.Takes, want) {
		t.Fatalf("the order took %+v", order.Takes)
	}
	s.shop.Product(tile).TrackStock = false
	s.shop.Modules = AllModules() &^ (1 << ModuleStock)
	s.shop.Index()
	next, effects, refusal := s.change(order, CancelOrder{Reason: "Called", Restock: true})
	if refusal != nil || !next.Restocked || next.CancelReason != "Called" || next.CancelledAt != s.in.Now || next.Payment != order.Payment ||
		next.Status != OrderCancelled {
		t.Fatalf("the cancel is %+v, %v", next, refusal)
	}
	if r := effects.Return; !reflect.DeepEqual(r.Items, order.Takes) || r.Uses != nil || r.At != s.in.Now {
		t.Errorf("it returns %+v", r)
	}
	for name, edit := range map[string]func(*Order) CancelOrder{
		"restock false":              func(*Order) CancelOrder { return CancelOrder{} },
		"an order that took nothing": func(o *Order) CancelOrder { o.Takes = nil; return CancelOrder{Restock: true} },
		"an item in no document": func(o *Order) CancelOrder {
			o.Takes = []StockAsk{{Item: testID(0x99)}}
			return CancelOrder{Restock: true}
		},
	} {
		o := *order
		command := edit(&o)
		next, effects, refusal := s.change(&o, command)
		if refusal != nil || next.Restocked || effects.Return != nil || next.Status != OrderCancelled {
			t.Errorf("%s: restocked %v, returns %+v, %v", name, next.Restocked, effects.Return, refusal)
		}
	}
}

// The use of each discount of an order returns, not of an order from a quote: the quote keeps it.
func TestCancelReturnsUses(t *testing.T) {
	three := int64(3)
	limited, free, gone := testID(0x71), testID(0x72), testID(0x73)
	s, order := sold(t, func(shop *Store) {
		shop.Discounts = []Discount{{ID: limited, Active: true, UsageLimit: &three}, {ID: free, Active: true}}
	})
	order.Discounts = []OrderDiscount{{ID: limited, Amount: 1}, {ID: free, Amount: 1}, {ID: gone, Amount: 1}}
	for _, restock := range []bool{true, false} {
		_, effects, _ := s.change(order, CancelOrder{Restock: restock})
		if want := []Use{{Discount: limited, Limit: 3}, {Discount: free}, {Discount: gone}}; !reflect.DeepEqual(effects.Return.Uses, want) {
			t.Errorf("restock %v: uses %+v", restock, effects.Return.Uses)
		}
		if got := len(effects.Return.Items); got != map[bool]int{true: 1, false: 0}[restock] {
			t.Errorf("restock %v: %d items", restock, got)
		}
	}
	ofQuote := *order
	ofQuote.QuoteID = testID(0x0e)
	if _, effects, _ := s.change(&ofQuote, CancelOrder{Restock: true}); effects.Return.Uses != nil || len(effects.Return.Items) != 1 {
		t.Errorf("a quote's order returns %+v", effects.Return)
	}
}

func TestOnlyOverdueUnpaidOrdersEnd(t *testing.T) {
	s, order := sold(t)
	due := order.Payment.DueAt
	for name, c := range map[string]struct {
		order *Order
		at    time.Time
		ends  bool
	}{
		"in time":   {order, due.Add(-time.Millisecond), false},
		"due":       {order, due, true},
		"later":     {order, due.Add(time.Hour), true},
		"paid":      {s.must(order, payment(order, "p")), due, false},
		"cancelled": {s.must(order, CancelOrder{}), due, false},
	} {
		next, effects, ends := EndUnpaid(c.order, s.shop, c.at)
		if ends != c.ends {
			t.Errorf("%s: it ends %v", name, ends)
		}
		if ends && (next.Status != OrderCancelled || next.CancelReason != UnpaidReason || next.CancelledAt != c.at || !next.Restocked ||
			effects.OrderNews.Event != EventOrderCancelled || next.PaymentStatus() != PaymentIsDue) {
			t.Errorf("%s: %+v, %+v", name, next, effects)
		}
	}
}
