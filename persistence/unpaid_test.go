package persistence

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
	"cartd/persistence/stock"
	"cartd/persistence/stores"
)

// counter is a till whose orders must be paid.
type counter struct {
	*till
	now time.Time
}

func newCounter(t *testing.T, s *redistest.Server, stock ...any) *counter {
	f := &counter{till: newTill(t, s, stock...)}
	shop := *f.shop
	shop.Webhooks = []commerce.Webhook{{URL: "https://example.org/", Events: []string{"order.placed", "order.cancelled", "stock.adjusted"}}}
	shop.Products = []*commerce.Product{{ID: nails}, {ID: cable}}
	shop.Modules = commerce.AllModules()
	shop.Index()
	f.shop = &shop
	now, _, err := f.db.client.Now(background, stores.HeadKey(shopID))
	if err != nil {
		t.Fatal(err)
	}
	f.now = now.Truncate(time.Millisecond)
	return f
}

// place sells nails in an order that is due at a time after now, or before it.
func (f *counter) place(n, nailsSold int, uses []int, due time.Duration) engine.RecordKey {
	f.Helper()
	v := f.sale(n, 0xe000+n, uses, nails, nailsSold)
	sale := v.Effects[0].Sale
	for i := range sale.Uses {
		sale.Order.Discounts = append(sale.Order.Discounts, commerce.OrderDiscount{ID: sale.Uses[i].Discount, Amount: 1})
	}
	sale.Order.Takes, sale.Order.PlacedAt, sale.Order.Totals.Total = sale.Takes, f.now, 100
	sale.Order.Payment.DueAt = f.now.Add(due)
	if o := send(f, f.db, v); o.Kind != engine.Done {
		f.Fatalf("order %d: %+v", n, o)
	}
	return engine.RecordKey{Store: shopID, ID: sale.Order.ID}
}

func (f *counter) order(key engine.RecordKey) engine.Record[*commerce.Order] {
	f.Helper()
	found, err := f.db.Order(key, soonest())
	if err != nil || found == nil {
		f.Fatalf("order %v: %v, %v", key.ID, found, err)
	}
	return *found
}

// change is a visit that applies a command to an order as it is now, by another writer than the ends.
func (f *counter) change(key engine.RecordKey, command commerce.Command[*commerce.Order]) (*engine.Visit[*commerce.Order], *commerce.Refusal) {
	old := f.order(key)
	next, effects, refusal := commerce.ChangeOrder(old.State, command, &commerce.Input{Store: f.shop, Now: f.now})
	if refusal != nil {
		return nil, refusal
	}
	f.stamps++
	stamp := engine.Stamp{Counter: old.Stamp.Counter + 1, Writer: 77, Sequence: f.stamps}
	v := visiting(key, old.Stamp, engine.Record[*commerce.Order]{Stamp: stamp, Writers: old.Remember(77, f.now), State: next})
	v.Before, v.Effects = old.State, []engine.Effects{{Effects: effects}}
	return v, nil
}

func (f *counter) due() []string {
	return f.redis.ZRange(background, records.DueOrdersKey(shopID), 0, -1).Val()
}

// turn has a turn of a node at the store's orders, some time after now, and waits for its batch.
func (f *counter) turn(db *DB, after time.Duration, edit ...func(*commerce.Store)) time.Duration {
	f.Helper()
	shop := *f.shop
	for _, change := range edit {
		change(&shop)
	}
	head := f.redis.Get(background, stores.HeadKey(shopID)).Val()
	t := outbox.UnpaidTurn{Store: &shop, Head: head, Now: f.now.Add(after), Last: f.redis.Get(background, records.DueTurnKey(shopID)).Val()}
	if first := f.redis.ZRangeWithScores(background, records.DueOrdersKey(shopID), 0, 0).Val(); len(first) > 0 {
		t.First = time.UnixMilli(int64(first[0].Score))
	}
	next := db.unpaid.Turn(&t)
	eventually(f, "the batch", patience, db.unpaid.Idle)
	if next.IsZero() {
		return 0
	}
	return next.Sub(f.now) - after
}

func (f *counter) statuses(keys []engine.RecordKey) map[string]int {
	f.Helper()
	count := map[string]int{}
	for _, key := range keys {
		o := f.order(key).State
		count[o.Status.String()+" "+o.PaymentStatus().String()]++
	}
	return count
}

// An unpaid order stands in the index of those that are due until it is paid or cancelled.
func TestUnpaidOrdersAreIndexed(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newCounter(t, s, nails, 50)
		paid, cancelled := f.place(1, 1, nil, time.Hour), f.place(2, 1, nil, time.Minute)
		if got := f.due(); len(got) != 2 || got[0] != cancelled.ID.String() {
			t.Fatalf("due are %v", got)
		}
		if got := f.redis.Get(background, records.DueTurnKey(shopID)).Val(); got != records.Millis(f.now) {
			t.Errorf("the last turn is %q, want the time of the first order, %s", got, records.Millis(f.now))
		}
		for key, command := range map[engine.RecordKey]commerce.Command[*commerce.Order]{
			paid: commerce.PayOrder{Reference: "pi", Amount: 100}, cancelled: commerce.CancelOrder{},
		} {
			v, _ := f.change(key, command)
			if o := send(t, f.db, v); o.Kind != engine.Done {
				t.Fatalf("%T: %+v", command, o)
			}
		}
		if got := f.due(); len(got) != 0 {
			t.Errorf("still due: %v", got)
		}
		if next := f.turn(f.db, time.Second); next != 0 || f.redis.Exists(background, records.DueTurnKey(shopID)).Val() != 0 {
			t.Errorf("without unpaid orders the next turn is in %v, and the last one is %q", next, f.redis.Get(background, records.DueTurnKey(shopID)).Val())
		}
	})
}

// A cancel returns stock and uses in one commit with its events, once, however often it is sent. A use
// that comes back of a discount that was used up moves the head.
func TestCancelIsWrittenOnce(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newCounter(t, s, nails, 5)
		key := f.place(1, 3, []int{2, 3}, time.Hour)
		head := f.redis.Get(background, stores.HeadKey(shopID)).Val()
		f.redis.Del(background, outbox.Key(shopID))
		follow(f.db, shopID) // the sale took the last use
		v, _ := f.change(key, commerce.CancelOrder{Reason: "Called", Restock: true})
		trips := shoptest.CountTrips(f.db.client.Redis)
		if o := send(t, f.db, v); o.Kind != engine.Done {
			t.Fatalf("the cancel is %+v", o)
		}
		trips.Want(t, "a cancel", []string{"evalsha"})
		want := fmt.Sprint(map[string]string{testID(0xd01).String(): "0", testID(0xd02).String(): "0", testID(0xd03).String(): "5"})
		for range 2 {
			if got := f.redis.HGet(background, stock.OnHandKey(shopID), nails.String()).Val(); got != "5000000" {
				t.Errorf("on hand are %s", got)
			}
			if got := fmt.Sprint(f.redis.HGetAll(background, stores.UsageKey(shopID)).Val()); got != want {
				t.Errorf("uses are %s, want %s", got, want)
			}
			if events := f.redis.LRange(background, outbox.Key(shopID), 0, -1).Val(); len(events) != 2 {
				t.Errorf("events: %v", events)
			}
			v.Resent = true
			if o := send(t, f.db, v); o.Kind != engine.Done {
				t.Errorf("sent again it is %+v", o)
			}
		}
		if f.redis.Get(background, stores.HeadKey(shopID)).Val() == head {
			t.Error("the head has not moved: other nodes still think that the discount is used up")
		}
		got := f.order(key)
		if !got.State.Restocked || got.State.Status != commerce.OrderCancelled || got.State.Number != 1 || got.Stamp != v.Next.Stamp {
			t.Errorf("the order is %+v", got)
		}
	})
}

// Due orders end oldest first, at most 200 a second, and 10 while a receiver's queue is long.
func TestDueOrdersEndInBatches(t *testing.T) {
	s := redistest.Mini(t)
	f := newCounter(t, s, nails, 1000)
	var keys []engine.RecordKey
	for n := range 230 {
		keys = append(keys, f.place(1+n, 1, nil, time.Duration(n-400)*time.Millisecond))
	}
	later := f.place(999, 1, nil, time.Hour)
	if next := f.turn(f.db, 0); next != time.Second {
		t.Errorf("the next turn is in %v, want a second", next)
	}
	if got := f.statuses(keys[:200]); got["cancelled due"] != 200 {
		t.Errorf("the oldest 200 are %v", got)
	}
	if got := f.statuses(keys[200:]); got["placed due"] != 30 {
		t.Errorf("the others are %v", got)
	}
	f.turn(f.db, 500*time.Millisecond)
	if got := f.statuses(keys[200:]); got["placed due"] != 30 {
		t.Errorf("half a second later the others are %v", got)
	}
	queue := records.KeyPrefix(shopID, "webhook") + f.shop.WebhookID(0)
	for range 51 {
		f.redis.RPush(background, queue, make([]string, 1000))
	}
	f.turn(f.db, time.Second)
	if got := f.statuses(keys[200:]); got["placed due"] != 20 {
		t.Errorf("with a long queue the others are %v", got)
	}
	f.redis.Del(background, queue)
	f.turn(f.db, 2*time.Second)
	if got := f.statuses(keys); got["cancelled due"] != 230 || f.order(later).State.Status != commerce.OrderPlaced {
		t.Errorf("at the end all are %v", got)
	}
	if got := f.redis.HGet(background, stock.OnHandKey(shopID), nails.String()).Val(); got != "999000000" {
		t.Errorf("on hand are %s, want all but one", got)
	}
	if ended, delayed := f.db.Unpaid().Ended(); ended != 230 || delayed != 0 {
		t.Errorf("ended %d, put off %d", ended, delayed)
	}
	o := f.order(keys[0]).State
	if o.CancelReason != commerce.UnpaidReason || !o.Restocked {
		t.Errorf("an ended order is %+v", o)
	}
}

// After a minute without a turn, and after the store was closed, none ends for 30 minutes.
func TestNoneEndsAfterASilence(t *testing.T) {
	closed := func(s *commerce.Store) { s.Suspended = true }
	withoutModule := func(s *commerce.Store) { s.Modules = 0 }
	for _, c := range []struct {
		name  string
		turns func(*counter)
		ends  bool
	}{
		{"in time", func(f *counter) { f.turn(f.db, time.Minute) }, true},
		{"a minute without a turn", func(f *counter) { f.turn(f.db, time.Minute+time.Second) }, false},
		{"29 minutes after it", func(f *counter) {
			for at := 2 * time.Minute; at < 31*time.Minute; at += 50 * time.Second {
				f.turn(f.db, at)
			}
		}, false},
		{"30 minutes after it", func(f *counter) {
			for at := 2 * time.Minute; at < 33*time.Minute; at += 50 * time.Second {
				f.turn(f.db, at)
			}
		}, true},
		{"suspended", func(f *counter) { f.turn(f.db, time.Second, closed) }, false},
		{"without its module", func(f *counter) { f.turn(f.db, time.Second, withoutModule) }, false},
		{"after a suspension", func(f *counter) { f.turn(f.db, time.Second, closed); f.turn(f.db, 2*time.Second) }, false},
		{"long after it", func(f *counter) {
			f.turn(f.db, 0, closed)
			for at := 20 * time.Second; at < 32*time.Minute; at += 50 * time.Second {
				f.turn(f.db, at)
			}
		}, true},
		{"a turn that cannot be read", func(f *counter) {
			f.redis.Set(background, records.DueTurnKey(shopID), "x", 0)
			f.turn(f.db, time.Second)
		}, false},
		{"the turn is lost", func(f *counter) { f.redis.Del(background, records.DueTurnKey(shopID)); f.turn(f.db, time.Second) }, false},
	} {
		f := newCounter(t, redistest.Mini(t), nails, 9)
		key := f.place(1, 1, nil, -time.Second)
		c.turns(f)
		if got := f.order(key).State.Status == commerce.OrderCancelled; got != c.ends {
			t.Errorf("%s: the order ended %v, want %v", c.name, got, c.ends)
		}
	}
}

// With orders that are due later the next turn is in time, and no later than 20 s: a turn that fails
// to come is then a silence.
func TestTimeOfTheNextTurn(t *testing.T) {
	for due, want := range map[time.Duration]time.Duration{5 * time.Second: 5 * time.Second, time.Hour: 20 * time.Second, 0: time.Second} {
		f := newCounter(t, redistest.Mini(t), nails, 9)
		f.place(1, 1, nil, due)
		if got := f.turn(f.db, 0); got.Round(time.Second) != want {
			t.Errorf("due in %v: the next turn is in %v, want %v", due, got, want)
		}
	}
}

// An order that cannot be read goes back a minute, and the others end.
func TestUnreadableOrderIsPutOff(t *testing.T) {
	f := newCounter(t, redistest.Mini(t), nails, 9)
	broken, other := f.place(1, 1, nil, -2*time.Second), f.place(2, 1, nil, -time.Second)
	gone := f.place(3, 1, nil, -time.Second)
	f.redis.Set(background, records.Orders.Key(broken), "x", 0)
	f.redis.Del(background, records.Orders.Key(gone))
	f.turn(f.db, 0)
	if f.order(other).State.Status != commerce.OrderCancelled {
		t.Error("the other order has not ended")
	}
	left := f.redis.ZRangeWithScores(background, records.DueOrdersKey(shopID), 0, -1).Val()
	if len(left) != 1 || left[0].Member != broken.ID.String() || time.UnixMilli(int64(left[0].Score)).Sub(f.now) < 50*time.Second {
		t.Errorf("due are %v, want the broken one in a minute", left)
	}
	if _, delayed := f.db.Unpaid().Ended(); delayed != 1 {
		t.Errorf("%d were put off", delayed)
	}
}

// Of a payment and an end at one moment, on two nodes, exactly one wins.
func TestPaymentAgainstEndOnTwoNodes(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newCounter(t, s, nails, 100)
		other := node(t, s)
		admit(t, other, asks("key"))
		wins := map[string]int{}
		for n := range 30 {
			key := f.place(1+n, 1, nil, -time.Second)
			v, _ := f.change(key, commerce.PayOrder{Reference: "pi", Amount: 100})
			var paid engine.Outcome[*commerce.Order]
			var both sync.WaitGroup
			both.Go(func() { paid = send(t, f.db, v) })
			both.Go(func() { f.turn(other, time.Duration(n)*2*time.Second) })
			both.Wait()
			o := f.order(key).State
			state := o.Status.String() + " " + o.PaymentStatus().String()
			wins[state]++
			if (state == "placed paid") != (paid.Kind == engine.Done) || state != "placed paid" && state != "cancelled due" {
				t.Errorf("order %d is %s, the payment's outcome %v", n, state, paid.Kind)
			}
			if state == "cancelled due" {
				if _, refusal := f.change(key, commerce.PayOrder{Reference: "pi", Amount: 100}); refusal != commerce.OrderIsCancelled {
					t.Errorf("the payment judged again is %v", refusal)
				}
			}
		}
		sold := 30 - wins["cancelled due"]
		if got := f.redis.HGet(background, stock.OnHandKey(shopID), nails.String()).Val(); got != fmt.Sprint((100-sold)*1000000) {
			t.Errorf("on hand are %s after %d sales that were not cancelled", got, sold)
		}
		if left := f.due(); len(left) != 0 {
			t.Errorf("still due: %v", left)
		}
		t.Log(wins)
	})
}

// Of all pairs of the shopper's cancel, the merchant's, a payment and an end, at one moment on two nodes,
// exactly one wins: the order ends once, or is paid, and its stock comes back once.
func TestShopperCancelsAgainstAllElse(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newCounter(t, s, nails, 1000)
		other := node(t, s)
		admit(t, other, asks("key"))
		changes := []struct {
			name    string
			command commerce.Command[*commerce.Order] // nil for the end
		}{
			{"unpaid", nil}, {"customer", commerce.CancelByShopper{}}, {"Called", commerce.CancelOrder{Reason: "Called", Restock: true}},
			{"paid", commerce.PayOrder{Reference: "pi", Amount: 100}},
		}
		placed, paid, ends := 0, 0, 0
		for i, a := range changes {
			for _, b := range changes[i+1:] {
				for range 3 {
					key := f.place(1+placed, 1, nil, -time.Second)
					placed++
					nodes, done := []*DB{f.db, other}, [2]bool{}
					var both sync.WaitGroup
					var sides [2]func()
					for j, change := range []commerce.Command[*commerce.Order]{a.command, b.command} {
						if change == nil {
							ends++
							after := time.Duration(ends) * 2 * time.Second
							sides[j] = func() { f.turn(nodes[j], after) }
							continue
						}
						v, refusal := f.change(key, change)
						if refusal != nil {
							t.Fatal(refusal)
						}
						v.Next.Stamp.Writer += uint64(j) // another node
						sides[j] = func() { done[j] = send(t, nodes[j], v).Kind == engine.Done }
					}
					both.Go(sides[0])
					both.Go(sides[1])
					both.Wait()
					o := f.order(key).State
					won := o.CancelReason
					if o.PaymentStatus() == commerce.PaymentIsPaid && o.Status == commerce.OrderPlaced {
						won = "paid"
						paid++
					}
					done[0] = done[0] || a.command == nil && won == a.name
					if done[0] == done[1] || done[0] != (won == a.name) || done[1] != (won == b.name) {
						t.Errorf("%s against %s: %v, and the order is %s (%s)", a.name, b.name, done, o.Status, won)
					}
				}
			}
		}
		if got := f.redis.HGet(background, stock.OnHandKey(shopID), nails.String()).Val(); got != fmt.Sprint((1000-paid)*1000000) {
			t.Errorf("on hand are %s after %d sales that were not cancelled", got, paid)
		}
		ended := 0
		for _, event := range f.redis.LRange(background, outbox.Key(shopID), 0, -1).Val() {
			if strings.Contains(event, "order.cancelled") {
				ended++
			}
		}
		if ended != placed-paid {
			t.Errorf("%d orders have ended, with %d events", placed-paid, ended)
		}
	})
}

// end is the visit that ends an order, with the version that it is judged under.
func (f *counter) end(key engine.RecordKey) (*engine.StoreVersion, []*engine.Visit[*commerce.Order]) {
	f.Helper()
	old := f.order(key)
	next, effects, ends := commerce.EndUnpaid(old.State, f.shop, f.now)
	if !ends {
		f.Fatalf("the order does not end: %+v", old.State)
	}
	version := &engine.StoreVersion{Store: shopID, Head: f.redis.Get(background, stores.HeadKey(shopID)).Val(), HeadKey: stores.HeadKey(shopID)}
	return version, []*engine.Visit[*commerce.Order]{{
		Key: key, Seen: old.Stamp, Before: old.State, Writes: true, Judged: f.now, Tolerance: patience, Version: version,
		Effects: []engine.Effects{{Effects: effects}}, Next: records.Next(records.MakeWriter(), &old, next, f.now),
	}}
}

// A lost reply of the call that ends orders ends none of them twice.
func TestEndSentTwice(t *testing.T) {
	f := newCounter(t, redistest.Mini(t), nails, 9)
	key := f.place(1, 2, nil, -time.Second)
	version, ends := f.end(key)
	for n := range 2 {
		results, err := f.db.endOrders(version, ends)
		if err != nil || len(results) != 1 || results[0].Kind != engine.Done || results[0].Earlier != (n == 1) {
			t.Errorf("sending %d: %+v, %v", n, results, err)
		}
	}
	if got := f.redis.HGet(background, stock.OnHandKey(shopID), nails.String()).Val(); got != "9000000" {
		t.Errorf("on hand are %s", got)
	}
	if f.turn(f.db, 0); len(f.due()) != 0 {
		t.Error("an ended order is still due")
	}
	if ended, delayed := f.db.Unpaid().Ended(); ended != 0 || delayed != 0 {
		t.Errorf("an order that had ended: %d ended, %d put off", ended, delayed)
	}
}

// A node is killed between the commit that ends orders and the mark that their events wait: the commit
// has the events, and another node finds them.
func TestEventsOfAnEndWithoutItsMark(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newCounter(t, s, nails, 9)
		key := f.place(1, 1, nil, -time.Second)
		f.redis.Del(background, outbox.Key(shopID), outboxIndex)
		if _, err := f.db.endOrders(f.end(key)); err != nil {
			t.Fatal(err)
		}
		if o := f.order(key).State; o.Status != commerce.OrderCancelled {
			t.Fatalf("the order is %+v", o)
		}
		if n := f.redis.LLen(background, outbox.Key(shopID)).Val(); n != 2 {
			t.Errorf("the commit has %d events, want order.cancelled and stock.adjusted", n)
		}
		other := node(t, s)
		eventually(t, "the delivery of stock.adjusted, which the document's receiver takes", patience, func() bool {
			found, err := other.outbox.Due()
			if err != nil {
				t.Fatal(err)
			}
			return len(found) == 1
		})
	})
}

// outboxIndex is the key of the index of outboxes.
const outboxIndex = "outboxes"

// The outbox's index carries a store's first due time, also of a store without events: a node that
// leases it has a turn.
func TestIndexBringsStoresWithUnpaidOrders(t *testing.T) {
	f := newCounter(t, redistest.Mini(t), nails, 9)
	key := f.place(1, 1, nil, -time.Second)
	f.redis.Del(background, outbox.Key(shopID), outboxIndex)
	eventually(t, "the end of the order", patience, func() bool {
		if _, err := f.db.outbox.Due(); err != nil {
			t.Fatal(err)
		}
		return f.order(key).State.Status == commerce.OrderCancelled
	})
	if score := f.redis.ZScore(background, outboxIndex, shopID.String()).Val(); score == 0 {
		t.Error("the index does not have the store any more, which has an event")
	}
}

// A cancel, and the end of an unpaid order, return as much stock as fits below the maximum, with the true
// stock on hand in the event, and log the rest.
func TestCancelReturnsWhatFits(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newCounter(t, s, nails, 10)
		var log shoptest.Log
		f.db.log = log.Logger()
		cancelled, unpaid := f.place(1, 3, nil, time.Hour), f.place(2, 2, nil, -time.Minute)
		f.redis.HSet(background, stock.OnHandKey(shopID), nails.String(), int64(commerce.MaxStock-units(1)))
		f.redis.Del(background, outbox.Key(shopID))
		v, _ := f.change(cancelled, commerce.CancelOrder{Restock: true})
		if o := send(t, f.db, v); o.Kind != engine.Done {
			t.Fatalf("the cancel is %+v", o)
		}
		f.turn(f.db, 0)
		if got := f.order(unpaid).State.Status; got != commerce.OrderCancelled {
			t.Errorf("the unpaid order is %v", got)
		}
		if got := f.redis.HGet(background, stock.OnHandKey(shopID), nails.String()).Val(); got != "9000000000000000" {
			t.Errorf("on hand are %s, want the maximum", got)
		}
		if got := log.String(); strings.Count(got, "level=WARN") != 2 || !strings.Contains(got, "beyond=2\n") || strings.Count(got, "item="+nails.String()) != 2 {
			t.Errorf("the log is\n%swant the rest of each order, 2 pieces", got)
		}
		for _, event := range f.redis.LRange(background, outbox.Key(shopID), 0, -1).Val() {
			if strings.Contains(event, "stock.adjusted") && !strings.Contains(event, `"on_hand":9000000000000000e-6`) {
				t.Errorf("the event is %s", event)
			}
		}
	})
}
