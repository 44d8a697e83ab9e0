package persistence

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/outbox"
)

// aheadStore is shelfStore whose nails may be sold down to a limit below zero.
func aheadStore(limit int64) *commerce.Store {
	shop := shelfStore()
	shop.Products[0].Backorder = &commerce.Backorder{Limit: units(limit), From: 740_113}
	shop.Webhooks = []commerce.Webhook{{Events: []string{commerce.EventOrderPlaced}}}
	shop.Index()
	return shop
}

// saleAhead is a sale of nails by the store's limit.
func (f *till) saleAhead(cart, order, quantity int) *engine.Visit[*commerce.Cart] {
	v := f.sale(cart, order, nil, nails, quantity)
	v.Requests[0].Store = f.shop
	sold := v.Effects[0].Sale.Order
	sold.Takes = v.Effects[0].Sale.Takes
	sold.Lines = []commerce.OrderLine{{Line: commerce.Line{ID: testID(0x11), ProductID: nails, Quantity: commerce.Quantity(quantity) * commerce.One}}}
	if limit := f.shop.Backorder(nails); limit.Limit > 0 {
		sold.Ahead = []commerce.AheadTake{{From: limit.From}}
	}
	return v
}

// Example 13: a cart holds more than is there, its order says what waits, adjustments do not go below zero, and
// what comes back is what was taken.
func TestSaleAheadOfStock(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newTill(t, s, nails, 3)
		f.shop = aheadStore(10)
		f.judged = f.shop
		f.wantGranted(f.write(asking(1, expiresIn, nails, 5)), 5)
		f.wantHeld("ahead of the stock", nails, 5)
		sale := f.saleAhead(1, 0xe1, 5)
		trips := shoptest.CountTrips(f.db.client.Redis)
		o := send(f, f.db, sale)
		trips.Want(t, "a sale", []string{"evalsha"})
		ahead := []commerce.AheadTake{{Left: -units(2), From: 740_113}}
		if o.Kind != engine.Done || o.Number != 1 || !reflect.DeepEqual(o.Ahead, ahead) {
			t.Fatalf("the sale: %+v", o)
		}
		sale.Resent = true
		if again := send(f, f.db, sale); again.Kind != engine.Done || again.Number != 1 || !reflect.DeepEqual(again.Ahead, ahead) {
			t.Errorf("sent again: %+v", again)
		}
		f.wantHeld("after the sale")
		got, err := f.db.Order(engine.RecordKey{Store: shopID, ID: testID(0xe1)}, soonest())
		if err != nil || got.State.Number != 1 || !reflect.DeepEqual(got.State.Ahead, ahead) ||
			!reflect.DeepEqual(got.State.Waiting(), []commerce.Waiting{{Backordered: true, From: 740_113}}) {
			t.Errorf("the order is %+v, %v", got, err)
		}
		_, body, _ := strings.Cut(f.redis.LIndex(background, outbox.Key(shopID), -1).Val(), `,"body":`)
		placed := string(answers.Delivered(commerce.EventOrderPlaced, []byte(strings.TrimSuffix(body, "}"))))
		if !strings.Contains(placed, `"number":1,`) || !strings.Contains(placed, `"backordered":true,"available_from":"2027-05-12"`) ||
			strings.Contains(placed, "takes") {
			t.Errorf("the event is %s", placed)
		}
		level := func(onHand int64) engine.StockAdjusted {
			return engine.StockAdjusted{Level: commerce.StockLevel{OnHand: units(onHand), Limit: units(10)}}
		}
		up, down := adjusting(1, nil), adjusting(-1, nil)
		up.Store, down.Store = f.shop, f.shop
		f.wantAdjusted(up, level(-1))
		if got, err := f.adjust(down); !errors.Is(err, commerce.StockBelowZero) {
			t.Errorf("down: %+v, %v", got, err)
		}
		f.wantAdjusted(up.again(4), level(3))
	})
}

// Example 14: of two sales of the last pieces at one moment on two nodes one is made. Without the limit nothing
// is sold until something is free.
func TestLastPiecesAheadOfStock(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newTill(t, s, nails, 3)
		f.shop = aheadStore(10)
		other := node(t, s)
		visits := []*engine.Visit[*commerce.Cart]{f.saleAhead(1, 0xe1, 7), f.saleAhead(2, 0xe2, 7)}
		var outcomes [2]engine.Outcome[*commerce.Cart]
		var all sync.WaitGroup
		for i, db := range []*DB{f.db, other} {
			all.Go(func() { outcomes[i] = send(f, db, visits[i]) })
		}
		all.Wait()
		sold, short := outcomes[0], outcomes[1]
		if sold.Kind != engine.Done {
			sold, short = short, sold
		}
		if sold.Kind != engine.Done || !reflect.DeepEqual(sold.Ahead, []commerce.AheadTake{{Left: -units(4), From: 740_113}}) ||
			short.Kind != engine.Short || short.Shortage.Stock[0].Granted != units(6) {
			t.Errorf("one is %+v, the other %+v %+v", sold, short, short.Shortage)
		}
		for _, limit := range []int64{4, 3, 0} { // lowered to what is sold, lowered further, taken out
			f.shop = aheadStore(limit)
			if o := send(f, f.db, f.saleAhead(3, 0xe3, 1)); o.Kind != engine.Short || o.Shortage.Stock[0].Granted != 0 {
				t.Errorf("at limit %d: %+v %+v", limit, o, o.Shortage)
			}
		}
		up := adjusting(7, nil)
		up.Store = f.shop
		f.wantAdjusted(up, engine.StockAdjusted{Level: commerce.StockLevel{OnHand: units(3)}})
		if o := send(f, f.db, f.saleAhead(3, 0xe3, 3)); o.Kind != engine.Done || o.Ahead != nil {
			t.Errorf("what has arrived: %+v", o)
		}
	})
}
