package persistence

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stock"
	"cartd/persistence/stores"
)

// discount is one with a code, a usage limit and a count.
func discount(n int, limit, used int64) object {
	return object{
		"id": testID(0xd00 + n), "name": "Welcome", "kind": "order", "code": fmt.Sprint("code-", n), "usage_limit": limit, "used": used,
		"value": object{"type": "percent", "percent": "10"},
	}
}

// wantUsed compares the counts of the store that a node serves.
func wantUsed(t *testing.T, db *DB, want ...int64) {
	t.Helper()
	s := admit(t, db, asks("key")).Store
	for i, n := range want {
		if got := s.Discounts[i].Used; got != n {
			t.Errorf("%s: discount %d was used %d times, want %d", s.Name, i, got, n)
		}
	}
}

// till is a shop with two discounts, a webhook for every event, and stock.
type till struct {
	*shelf
	shop *commerce.Store
}

func newTill(t *testing.T, s *redistest.Server, stock ...any) *till {
	f := &till{shelf: newShelf(t, s, stock...)}
	shop, unlimited := theShop(), discount(3, 0, 5)
	delete(unlimited, "usage_limit")
	shop.Discounts = []object{discount(1, 2, 0), discount(2, 1, 0), unlimited}
	shop.Webhooks = []object{{
		"url": "https://example.org/", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "events": []string{"order.placed", "cart.converted", "stock.adjusted"},
	}}
	shop.save(t, f.db)
	f.shop = admit(t, f.db, asks("key")).Store
	return f
}

// sale is a visit that sells a cart; stock is its taken stock, in pairs of item and whole
// units.
func (f *till) sale(cart, order int, uses []int, stock ...any) *engine.Visit[*commerce.Cart] {
	f.Helper()
	held := asking(cart, expiresIn, stock...)
	next := *held
	next.Status, next.OrderID, next.Hold = commerce.CartConverted, testID(order), commerce.Hold{}
	v := f.visit(&next)
	sale := &commerce.Sale{Store: f.shop, CartID: next.ID, Holder: next.ID, Takes: held.Hold.Asks, Order: &commerce.Order{
		ID: testID(order), CartID: next.ID, Email: "a@b.co", Customer: commerce.Binding{ID: ada}, PlacedAt: noon.Add(time.Duration(order) * time.Second),
	}}
	for _, n := range uses {
		d := &f.shop.Discounts[n-1]
		use := commerce.Use{Discount: d.ID}
		if d.UsageLimit != nil {
			use.Limit = *d.UsageLimit
		}
		sale.Uses = append(sale.Uses, use)
	}
	v.Effects = []engine.Effects{{Effects: commerce.Effects{Sale: sale, Made: sale.Order.ID}, Idempotency: once(byte(order))}}
	v.Requests = []*engine.Request{{Idempotency: once(byte(order)), Facts: engine.Facts{Counted: true}}}
	return v
}

// dumpSale prints the keys of sales.
func (f *till) dumpSale() string {
	var b strings.Builder
	r := f.redis
	fmt.Fprint(&b, "number ", r.Get(background, records.OrderNumberKey(shopID)).Val(), ", orders ", r.LLen(background, records.OrdersKey(shopID)).Val(),
		", ada's ", r.ZCard(background, records.CustomerOrdersKey(engine.RecordKey{Store: shopID, ID: ada})).Val(), ", events ", r.LLen(background,
			outbox.Key(shopID)).Val())
	for _, key := range []string{stores.UsageKey(shopID), stock.OnHandKey(shopID), stock.HeldKey(shopID)} {
		fmt.Fprint(&b, ", ", key, " ", r.HGetAll(background, key).Val())
	}
	return b.String()
}

// One visit writes a sale: order, number, indexes, stock, uses and events. A resend reads the
// number.
func TestSaleIsWrittenOnce(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newTill(t, s, nails, 5, cable, 9)
		f.write(asking(1, expiresIn, nails, 2, cable, 1)) // it does not ask for its held cable any more
		v := f.sale(1, 0xe1, []int{1, 3}, nails, 3)
		trips := shoptest.CountTrips(f.db.client.Redis)
		o := send(f, f.db, v)
		trips.Want(t, "a sale", []string{"evalsha"})
		if o.Kind != engine.Done || o.Number != 1 {
			t.Fatalf("the sale is %+v", o)
		}
		before := f.dumpSale()
		for name, want := range map[string]string{
			stock.OnHandKey(shopID): fmt.Sprint(map[string]string{nails.String(): "2000000", cable.String(): "9000000"}),
			stock.HeldKey(shopID):   fmt.Sprint(map[string]string{nails.String(): "0", cable.String(): "0"}),
			stores.UsageKey(shopID): fmt.Sprint(map[string]string{testID(0xd01).String(): "1", testID(0xd02).String(): "0", testID(0xd03).String(): "6"}),
		} {
			if got := fmt.Sprint(f.redis.HGetAll(background, name).Val()); got != want {
				t.Errorf("%s holds %s, want %s", name, got, want)
			}
		}
		if n := f.redis.Exists(background, stock.CartKey(shopID, testID(1)), stock.HoldsKey(shopID)).Val(); n != 0 {
			t.Error("the cart still holds stock")
		}
		v.Resent = true
		if again := send(f, f.db, v); again.Kind != engine.Done || again.Number != 1 || f.dumpSale() != before {
			t.Errorf("sent again it is %+v, and Redis holds %s, at the start %s", again, f.dumpSale(), before)
		}
		got, err := f.db.Order(engine.RecordKey{Store: shopID, ID: testID(0xe1)}, soonest())
		want := *v.Effects[0].Sale.Order
		want.Number = 1
		if err != nil || got == nil || !reflect.DeepEqual(got.State, &want) || got.Stamp != v.Next.Stamp {
			t.Errorf("the order is %+v, %v; want %+v", got, err, want)
		}
		if cart := f.loaded(testID(1)).State; cart.Status != commerce.CartConverted || cart.OrderID != testID(0xe1) {
			t.Errorf("the cart is %+v", cart)
		}
		second := send(f, f.db, f.sale(2, 0xe2, nil))
		if second.Kind != engine.Done || second.Number != 2 ||
			strings.Join(f.redis.LRange(background, records.OrdersKey(shopID), 0, 9).Val(), " ") != testID(0xe1).String()+" "+testID(0xe2).String() {
			t.Errorf("the next sale is %+v", second)
		}
		if missing, err := f.db.Order(engine.RecordKey{Store: otherShop, ID: testID(0xe1)}, soonest()); missing != nil || err != nil {
			t.Errorf("another store has it: %+v, %v", missing, err)
		}
	})
}

// A sale with an ask that cannot be granted writes nothing, and returns the possible grants.
func TestShortSale(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newTill(t, s, nails, 5, cable, 1)
		f.write(asking(2, expiresIn, nails, 1)) // of another cart
		f.redis.HSet(background, stores.UsageKey(shopID), testID(0xd02).String(), "1")
		before := f.dumpSale()
		o := send(f, f.db, f.sale(1, 0xe1, []int{1, 2, 3}, nails, 5, cable, 1))
		want := &commerce.Shortage{Stock: []commerce.StockAsk{{Item: nails, Quantity: units(5), Granted: units(4)}},
			Used: []commerce.Use{{Discount: testID(0xd02), Limit: 1}}}
		if o.Kind != engine.Short || !reflect.DeepEqual(o.Shortage, want) || f.dumpSale() != before {
			t.Errorf("got %+v %+v, want %+v\nRedis holds %s, at the start %s", o, o.Shortage, want, f.dumpSale(), before)
		}
		if n := f.redis.Exists(background, records.Orders.Key(engine.RecordKey{Store: shopID, ID: testID(0xe1)}),
			records.Carts.Key(engine.RecordKey{Store: shopID, ID: testID(1)})).Val(); n != 0 {
			t.Error("an order or its cart was written")
		}
	})
}

// Expired holds are released first; only then may a sale be refused.
func TestSaleWaitsForExpiredHolds(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newTill(t, s, nails, 5)
		f.write(asking(2, expiredAgo, nails, 5))
		if o := send(f, f.db, f.sale(1, 0xe1, nil, nails, 5)); o.Kind != engine.Done || o.Number != 1 {
			t.Errorf("got %+v", o)
		}
		f.onHand(nails, 5)
		f.write(asking(3, expiredAgo, nails, 5))
		if o := send(f, f.db, f.sale(4, 0xe2, nil, nails, 6)); o.Kind != engine.Short || o.Shortage.Stock[0].Granted != units(5) {
			t.Errorf("got %+v %+v", o, o.Shortage)
		}
	})
}

// A sale that takes the last use of a discount moves the head, so that every node notices it at
// once.
func TestLastUseMovesTheHead(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newTill(t, s)
		head := func() string { return f.redis.Get(background, stores.HeadKey(shopID)).Val() }
		first := head()
		if o := send(f, f.db, f.sale(1, 0xe1, []int{1})); o.Kind != engine.Done || head() != first {
			t.Fatalf("the first use: %+v, the head is %s, at the start %s", o, head(), first)
		}
		v := f.sale(2, 0xe2, []int{1})
		v.Version = version(f.db, shopID)
		if o := send(f, f.db, v); o.Kind != engine.Done || head() == first {
			t.Fatalf("the last use: %+v, the head is %s", o, head())
		}
		was, err := stores.ParseHead(first)
		is, err2 := stores.ParseHead(head())
		if was.Text, was.Usage = is.Text, is.Usage; was != is || err != nil || err2 != nil {
			t.Errorf("more than the revision of the usage counts has moved: %s, at the start %s", head(), first)
		}
		late := f.sale(3, 0xe3, []int{1})
		late.Version = v.Version
		if o := send(f, f.db, late); o.Kind != engine.OtherHead {
			t.Errorf("judged under the old head: %+v", o)
		}
		wantUsed(t, f.db, 2, 0)
	})
}

// A key of a wrong type stops the sale, which writes nothing.
func TestSaleWithABrokenKey(t *testing.T) {
	f := newTill(t, redistest.Real(t), nails, 5)
	for _, key := range []string{
		records.OrderNumberKey(shopID), records.OrdersKey(shopID), records.CustomerOrdersKey(engine.RecordKey{Store: shopID,
			ID: ada}), stores.UsageKey(shopID), outbox.Key(shopID),
	} {
		kept := f.redis.Dump(background, key).Val()
		f.redis.Del(background, key)
		f.redis.SAdd(background, key, "no such thing")
		if o := send(f, f.db, f.sale(1, 0xe1, []int{1, 3}, nails, 5)); o.Kind != engine.Broken {
			t.Errorf("%s: %+v", key, o)
		}
		f.redis.Del(background, key)
		if kept != "" {
			f.redis.Restore(background, key, 0, kept)
		}
	}
	if o := send(f, f.db, f.sale(1, 0xe1, []int{1, 3}, nails, 5)); o.Kind != engine.Done || o.Number != 1 {
		t.Errorf("the next sale: %+v", o)
	}
}

// A page of a customer with many orders reads only its own orders.
func TestPageOfOrdersReadsOnlyItsOrders(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newTill(t, s)
		const orders = 10_000
		customer := engine.RecordKey{Store: shopID, ID: ada}
		pipe := f.redis.Pipeline()
		for i := range orders {
			// Two a minute; of these the first has the greater id.
			o := &commerce.Order{ID: testID(i ^ 1), Number: int64(i + 1), PlacedAt: noon.Add(time.Duration(i/2) * time.Minute)}
			pipe.Set(background, records.Orders.Key(engine.RecordKey{Store: shopID, ID: o.ID}),
				records.Orders.Encode(nil, &engine.Record[*commerce.Order]{Stamp: engine.Stamp{Counter: 1}, State: o}, nil), 0)
			pipe.Do(background, "ZADD", records.CustomerOrdersKey(customer), records.Millis(o.PlacedAt), o.ID.String())
		}
		if _, err := pipe.Exec(background); err != nil {
			t.Fatal(err)
		}
		trips := shoptest.CountTrips(f.db.client.Redis)
		for _, c := range []struct {
			from, to            time.Time
			first, end          int
			total, newest, last int // numbers
		}{
			{time.Time{}, time.Time{}, 0, 24, orders, orders, orders - 23},
			{time.Time{}, time.Time{}, 9_976, 10_000, orders, 24, 1},
			{noon.Add(time.Minute), noon.Add(2 * time.Minute), 1, 3, 4, 6, 3},
			{noon.Add(time.Minute + time.Millisecond), noon.Add(2*time.Minute - time.Millisecond), 0, 0, 0, 0, 0},
			{time.Time{}, noon, 0, 2, 2, 2, 1},
			{noon.Add((orders/2 - 1) * time.Minute), time.Time{}, 0, 2, 2, orders, orders - 1},
		} {
			got, reserved := 0, 0
			page, err := f.db.Orders(customer, &engine.OrderQuery{
				From: c.from, To: c.to, Page: func(total int) (int, int) { got = total; return c.first, c.end },
				Room: func(bytes int) error { reserved += bytes; return nil },
			}, soonest())
			if reserved != 0 {
				t.Errorf("%+v: %d bytes stay reserved", c, reserved)
			}
			if err != nil || page.Total != c.total || got != c.total || len(page.Orders) != c.end-c.first {
				t.Fatalf("%+v: %d orders of %d, %v", c, len(page.Orders), page.Total, err)
			}
			want := [][]string{{"zcount", "zcount"}}
			if c.end > c.first {
				if newest, last := page.Orders[0].Number, page.Orders[len(page.Orders)-1].Number; int(newest) != c.newest || int(last) != c.last {
					t.Errorf("%+v: from %d to %d", c, newest, last)
				}
				want = append(want, []string{"zrevrange"}, slices.Repeat([]string{"strlen"}, c.end-c.first), slices.Repeat([]string{"get"}, c.end-c.first))
			}
			trips.Want(t, fmt.Sprint("a page of ", c.end-c.first), want...)
		}
	})
}

// A list of large orders reads at most engine.MaxOrdersRead bytes at a time, and keeps no lines.
// Without room it ends.
func TestAListOfLargeOrdersReadsThemInTurns(t *testing.T) {
	s := redistest.Mini(t)
	f := newTill(t, s)
	customer := engine.RecordKey{Store: shopID, ID: ada}
	const orders = 30
	for i := range orders {
		o := &commerce.Order{ID: testID(i), Number: int64(i + 1), PlacedAt: noon.Add(time.Duration(i) * time.Minute), CustomerNote: strings.Repeat("n", 500_000),
			Lines: make([]commerce.OrderLine, 3)}
		f.redis.Set(background, records.Orders.Key(engine.RecordKey{Store: shopID, ID: o.ID}),
			records.Orders.Encode(nil, &engine.Record[*commerce.Order]{Stamp: engine.Stamp{Counter: 1}, State: o}, nil), 0)
		f.redis.Do(background, "ZADD", records.CustomerOrdersKey(customer), records.Millis(o.PlacedAt), o.ID.String())
	}
	var maximum, reserved, turns int
	query := engine.OrderQuery{Page: func(int) (int, int) { return 0, orders }, Room: func(bytes int) error {
		if reserved += bytes; bytes > 0 {
			maximum, turns = max(maximum, reserved), turns+1
		}
		return nil
	}}
	page, err := f.db.Orders(customer, &query, soonest())
	if err != nil || len(page.Orders) != orders || maximum > engine.MaxOrdersRead || turns != 4 || reserved != 0 {
		t.Fatalf("%d orders in %d turns of at most %d bytes, %d reserved, %v", len(page.Orders), turns, maximum, reserved, err)
	}
	for i, row := range page.Orders {
		if row.Number != int64(orders-i) || row.LinesCount != 3 || row.Lines != nil {
			t.Errorf("row %d is %d with %d lines, %d kept", i, row.Number, row.LinesCount, len(row.Lines))
		}
	}
	query.Room = func(bytes int) error { return engine.MailboxFull }
	if _, err := f.db.Orders(customer, &query, soonest()); err != engine.MailboxFull {
		t.Errorf("without room: %v", err)
	}
}

// An order that cannot be read is answered 503, and logged once.
func TestBrokenOrder(t *testing.T) {
	s := redistest.Mini(t)
	f := newTill(t, s)
	send(f, f.db, f.sale(1, 0xe1, nil))
	key := engine.RecordKey{Store: shopID, ID: testID(0xe1)}
	whole := f.redis.Get(background, records.Orders.Key(key)).Val()
	for _, text := range []string{whole[:len(whole)-1], whole + "x", "x", ""} {
		f.redis.Set(background, records.Orders.Key(key), text, 0)
		if o, err := f.db.Order(key, soonest()); err != engine.ErrUnavailable {
			t.Errorf("%q: %+v, %v", text, o, err)
		}
	}
	f.redis.Del(background, records.Orders.Key(key))
	if err := f.db.EachOrder(shopID, 0, func(*commerce.Order) error { return nil }); !errors.Is(err, redisdb.ErrCorrupt) {
		t.Errorf("without the order: %v", err)
	}
	f.redis.LPush(background, records.Orders.Key(key), "x")
	if o, err := f.db.Order(key, soonest()); err != engine.ErrUnavailable {
		t.Errorf("a list: %+v, %v", o, err)
	}
}
