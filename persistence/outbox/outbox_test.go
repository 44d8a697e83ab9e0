package outbox

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

const (
	anEvent    = commerce.EventOrderPlaced
	otherEvent = commerce.EventPasswordReset
	hookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	otherSign  = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	// A lease or a retry so long outlasts a test, unless the test lets it pass.
	longLease = time.Minute
)

// hook receives events at https://<host>/.
func hook(host string, events ...string) shoptest.Object {
	return shoptest.Object{"url": "https://" + host + "/", "secret": hookSecret, "events": events}
}

// eachHooked is eachNode, not in parallel, with a shop whose only webhook receives anEvent.
func eachHooked(t *testing.T, test func(*testing.T, *redistest.Server, *node)) {
	shoptest.Alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *node) {
		db.save(t, shopID, hook("a", anEvent))
		test(t, s, db)
	})
}

// dueAt waits until this node finds a delivery due for the webhook at a host.
func dueAt(t testing.TB, db *node, host string) *commerce.Receiver {
	t.Helper()
	var found *commerce.Receiver
	db.soon, db.swept = shoptest.PollEvery, time.Time{}
	eventually(t, "deliveries for "+host, patience, func() bool {
		due, err := db.Due()
		if err != nil {
			t.Fatal(err)
		}
		for i := range due {
			if strings.Contains(due[i].URL, "//"+host+"/") {
				found = &due[i]
			}
		}
		return found != nil
	})
	return found
}

// leaseNext calls Next, which must not fail; nil if nothing is due.
func leaseNext(t testing.TB, db *node, r *commerce.Receiver, lease time.Duration, last *commerce.Settlement) *commerce.Delivery {
	t.Helper()
	d, err := db.Next(r, lease, last)
	if err != nil {
		t.Fatalf("Next = %v", err)
	}
	return d
}

// letItPass makes every lease end and every retry due, as time would.
func letItPass(client *redis.Client, r *commerce.Receiver) {
	for _, text := range client.ZRange(background, retryKey(r.Store, r.ID), 0, 99).Val() {
		client.ZAdd(background, retryKey(r.Store, r.ID), redis.Z{Member: text})
	}
	client.ZAdd(background, receiversKey(r.Store), redis.Z{Member: r.ID})
	client.ZAdd(background, indexKey, redis.Z{Member: r.Store.String()})
}

func over(d *commerce.Delivery) *commerce.Settlement { return &commerce.Settlement{Delivery: d} }

func again(d *commerce.Delivery, after time.Duration) *commerce.Settlement {
	return &commerce.Settlement{Delivery: d, Failed: true, Again: after}
}

// wantDelivery wants the event with this number, after this number of failures.
func wantDelivery(t testing.TB, d *commerce.Delivery, n, failures int) {
	t.Helper()
	if d == nil || string(d.Body) != fmt.Sprintf(`{"n":%d}`, n) || d.Failures != failures || d.Event == "" || d.Now.Before(d.Since) {
		t.Fatalf("took %+v\nwant event %d after %d failures", d, n, failures)
	}
}

func wantNothing(t testing.TB, what string, d *commerce.Delivery) {
	t.Helper()
	if d != nil {
		t.Fatalf("%s: took %+v, want nothing", what, d)
	}
}

// drain leases and finishes all due deliveries and returns their bodies.
func drain(t testing.TB, db *node, r *commerce.Receiver) (bodies []string) {
	t.Helper()
	var last *commerce.Settlement
	for d := leaseNext(t, db, r, longLease, nil); d != nil; d = leaseNext(t, db, r, longLease, last) {
		bodies = append(bodies, string(d.Body))
		last = over(d)
	}
	return bodies
}

// wantNothingLeft wants that the outbox has no keys except the index's.
func wantNothingLeft(t testing.TB, client *redis.Client) {
	t.Helper()
	for _, pattern := range []string{"{*}:outbox", "{*}:webhook*"} {
		if left := client.Keys(background, pattern).Val(); len(left) > 0 {
			t.Errorf("still there: %q", left)
		}
	}
}

func TestEachWebhookGetsItsEventsInOrder(t *testing.T) {
	shoptest.Alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *node) {
		db.save(t, shopID, hook("both", anEvent, otherEvent), hook("one", anEvent), hook("both", anEvent, otherEvent))
		emit(t, db, anEvent, 1)
		emit(t, db, otherEvent, 2)
		emit(t, db, "wanted.by_nobody", 3)
		emit(t, db, anEvent, 4)
		<-db.Wake()
		one := dueAt(t, db, "one")
		if fmt.Sprintf("%q", one.Secrets[0][:2]) != `"1\xf2"` || one.Store != shopID {
			t.Errorf("the receiver is %+v", one)
		}
		if got := drain(t, db, one); fmt.Sprint(got) != `[{"n":1} {"n":4}]` {
			t.Errorf("the webhook for one event got %q", got)
		}
		ids := map[string]bool{}
		for range 2 { // two webhooks with the same address are different
			both := dueAt(t, db, "both")
			d := leaseNext(t, db, both, longLease, nil)
			wantDelivery(t, d, 1, 0)
			ids[d.ID] = true
			if err := db.Release(both, over(d)); err != nil {
				t.Fatal(err)
			}
			if got := drain(t, db, dueAt(t, db, "both")); fmt.Sprint(got) != `[{"n":2} {"n":4}]` {
				t.Errorf("a webhook for both events got %q", got)
			}
		}
		if len(ids) != 2 {
			t.Errorf("two receivers of one event: ids %v", ids)
		}
		wantNothingLeft(t, s.Client())
	})
}

func TestFailedDeliveryComesAgainAndDelaysNoOther(t *testing.T) {
	eachHooked(t, func(t *testing.T, s *redistest.Server, db *node) {
		emit(t, db, anEvent, 1, 2)
		r := dueAt(t, db, "a")
		first := leaseNext(t, db, r, longLease, nil)
		wantDelivery(t, first, 1, 0)
		second := leaseNext(t, db, r, longLease, again(first, longLease))
		wantDelivery(t, second, 2, 0)
		wantNothing(t, "while the retry is not due", leaseNext(t, db, r, longLease, over(second)))
		letItPass(s.Client(), r)
		r = dueAt(t, db, "a")
		retried := leaseNext(t, db, r, longLease, nil)
		wantDelivery(t, retried, 1, 1)
		if retried.ID != first.ID || !retried.Since.Equal(first.Since) {
			t.Errorf("first %+v\nthen %+v\nwant the same id and since", first, retried)
		}
		wantNothing(t, "after it was given up", leaseNext(t, db, r, longLease, over(retried)))
		wantNothingLeft(t, s.Client())
	})
}

func TestReceiverIsServedByOneNodeAtATime(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, other := open(t, s, nil), open(t, s, nil)
		db.save(t, shopID, hook("a", anEvent))
		emit(t, db, anEvent, 1, 2)
		r := dueAt(t, db, "a")
		theirs := *r
		theirs.Lease = "another's"
		killed := leaseNext(t, db, r, longLease, nil)
		wantDelivery(t, killed, 1, 0)
		wantNothing(t, "while another node serves it", leaseNext(t, other, &theirs, longLease, nil))
		if err := other.Release(&theirs, over(killed)); err != nil {
			t.Fatal(err)
		}
		letItPass(s.Client(), r)
		leased := dueAt(t, other, "a")
		again := leaseNext(t, other, leased, longLease, nil)
		wantDelivery(t, again, 1, 0)
		if again.ID != killed.ID {
			t.Errorf("ids %s and %s, want the same", killed.ID, again.ID)
		}
		wantNothing(t, "with a lease that is another's now", leaseNext(t, db, r, longLease, over(killed)))
		if got := drain(t, other, leased); fmt.Sprint(got) != `[{"n":1} {"n":2}]` {
			t.Errorf("then %q, want both: no delivery was finished without a lease", got)
		}
		wantNothingLeft(t, s.Client())
	})
}

func TestWaitingDeliveriesFollowAnImport(t *testing.T) {
	shoptest.Alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *node) {
		db.save(t, shopID, hook("a", anEvent), hook("gone", anEvent))
		emit(t, db, anEvent, 1, 2)
		r := dueAt(t, db, "a")
		first := leaseNext(t, db, r, longLease, nil)
		changed := hook("a", anEvent)
		changed["secret"] = otherSign
		db.save(t, shopID, changed, hook("new", anEvent))
		wantNothing(t, "under a document that was replaced", leaseNext(t, db, r, longLease, over(first)))
		r = dueAt(t, db, "a")
		if r.Secrets[0][0] != 0 {
			t.Errorf("the receiver is %+v, want the new secret", r)
		}
		wantDelivery(t, leaseNext(t, db, r, longLease, nil), 2, 0)
		emit(t, db, anEvent, 3)
		if got := drain(t, db, dueAt(t, db, "new")); fmt.Sprint(got) != `[{"n":3}]` {
			t.Errorf("a webhook that came later got %q", got)
		}
		if got := drain(t, db, r); fmt.Sprint(got) != `[{"n":2} {"n":3}]` {
			t.Errorf("a webhook with a new secret got %q", got)
		}
		wantNothingLeft(t, s.Client()) // also the deliveries of the webhook that was removed
	})
}

func TestFullQueueDropsItsOldest(t *testing.T) {
	shoptest.Alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *node) {
		db.length = 3
		db.save(t, shopID, hook("a", anEvent))
		emit(t, db, anEvent, 1, 2)
		r := dueAt(t, db, "a")
		wantDelivery(t, leaseNext(t, db, r, longLease, again(leaseNext(t, db, r, longLease, nil), longLease)), 2, 0)
		if err := db.Release(r, nil); err != nil {
			t.Fatal(err)
		}
		emit(t, db, anEvent, 3, 4, 5)
		if got := drain(t, db, dueAt(t, db, "a")); fmt.Sprint(got) != `[{"n":3} {"n":4} {"n":5}]` || db.Dropped.Load() != 2 {
			t.Errorf("left %q, %d dropped; want the retried one and the next one dropped", got, db.Dropped.Load())
		}
		wantNothingLeft(t, s.Client())
	})
}

// An event that no node marked is found all the same: its node was killed, or the index was
// lost.
func TestUnmarkedEventsAreFound(t *testing.T) {
	shoptest.Alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := open(t, s, nil), s.Client()
		db.save(t, shopID, hook("a", anEvent))
		unmarked := func(n int) {
			db.push(t, entry(anEvent, n))
		}
		unmarked(1)
		r := dueAt(t, db, "a")
		wantNothing(t, "while the retry is not due", leaseNext(t, db, r, longLease, again(leaseNext(t, db, r, longLease, nil), longLease)))
		unmarked(2) // while the index has the store for later
		r = dueAt(t, db, "a")
		wantDelivery(t, leaseNext(t, db, r, longLease, nil), 2, 0)
		if err := db.Release(r, nil); err != nil {
			t.Fatal(err)
		}
		client.Del(background, indexKey)
		wantDelivery(t, leaseNext(t, db, dueAt(t, db, "a"), longLease, nil), 2, 0)
	})
}

func TestBrokenEntriesAreDropped(t *testing.T) {
	shoptest.Alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := open(t, s, nil), s.Client()
		db.save(t, shopID, hook("a", anEvent))
		client.RPush(background, Key(shopID), `no entry`, `{"event":"stock.adjusted","body":{"n":1}`)
		emit(t, db, anEvent, 2)
		r := dueAt(t, db, "a")
		d := leaseNext(t, db, r, longLease, nil)
		wantDelivery(t, d, 2, 0)
		wantNothing(t, "after it", leaseNext(t, db, r, longLease, over(d)))
		wantNothingLeft(t, client)
	})
}

func TestTheOutboxWithoutRedis(t *testing.T) {
	t.Parallel()
	s := redistest.Mini(t)
	db := open(t, s, nil, func(c *redisdb.Config) { c.Timeout = time.Second / 2 })
	db.save(t, shopID, hook("a", anEvent))
	emit(t, db, anEvent, 1)
	r := dueAt(t, db, "a")
	emit(t, db, anEvent, 2)
	s.Kill()
	for range 2 { // also once it is known to be unreachable
		if _, err := db.Due(); err != engine.ErrUnavailable {
			t.Errorf("Due = %v", err)
		}
		if _, err := db.Next(r, longLease, nil); err != engine.ErrUnavailable {
			t.Errorf("Next = %v", err)
		}
		if err := db.Release(r, nil); err != engine.ErrUnavailable {
			t.Errorf("Release = %v", err)
		}
	}
	s.Restart()
	eventually(t, "Redis again", patience, func() bool { return !db.client.Unreachable() })
	if got := drain(t, db, dueAt(t, db, "a")); fmt.Sprint(got) != `[{"n":1} {"n":2}]` {
		t.Errorf("then %q", got)
	}
}

// Many nodes deliver at once, and some are killed with a leased delivery. Still no receiver is
// ever served by two nodes, and every event arrives.
func TestManyNodesDeliverEverythingOneAtATime(t *testing.T) {
	const events, nodes = 40, 4
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		client := s.Client()
		first := open(t, s, nil)
		first.save(t, shopID, hook("a", anEvent))
		for i := range events {
			emit(t, first, anEvent, i)
		}
		receiver := *dueAt(t, first, "a")
		var inHand atomic.Int32
		arrived, both := sync.Map{}, atomic.Bool{}
		serve := func(db *node, d *rand.Rand) {
			r := receiver
			r.Lease = stores.NewRevision()
			var last *commerce.Settlement
			for {
				next, err := db.Next(&r, longLease, last)
				if err != nil || next == nil {
					return
				}
				if inHand.Add(1) > 1 {
					both.Store(true)
				}
				arrived.Store(string(next.Body), true)
				last = over(next)
				died := d.IntN(5) == 0
				inHand.Add(-1)
				if died { // and its lease has ended, once another leased
					client.ZAdd(background, receiversKey(shopID), redis.Z{Member: r.ID})
					return
				}
			}
		}
		var all sync.WaitGroup
		for range nodes {
			db, d := open(t, s, nil), shoptest.Seeded(t)
			all.Go(func() {
				for client.Exists(background, queueKey(shopID, receiver.ID)).Val() > 0 {
					serve(db, d)
				}
			})
		}
		all.Wait()
		count := 0
		arrived.Range(func(any, any) bool { count++; return true })
		if count != events || both.Load() {
			t.Errorf("%d of %d events arrived; two at a time: %v", count, events, both.Load())
		}
	})
}

func TestMoreEventsThanOneScriptFansOut(t *testing.T) {
	shoptest.Alone(t)
	const events = fanOutEntries + 100
	eachNode(t, func(t *testing.T, s *redistest.Server, db *node) {
		db.save(t, shopID, hook("a", anEvent))
		entries := make([]any, events)
		for i := range entries {
			entries[i] = entry(anEvent, i)
		}
		db.push(t, entries...)
		var got []string
		for len(got) < events {
			got = append(got, drain(t, db, dueAt(t, db, "a"))...)
		}
		for i, body := range got {
			if body != fmt.Sprintf(`{"n":%d}`, i) {
				t.Fatalf("delivery %d is %s", i, body)
			}
		}
		wantNothingLeft(t, s.Client())
	})
}

// A store that cannot be read does not delay the others, and is tried again only later.
func TestBrokenOutboxDelaysNoOther(t *testing.T) {
	shoptest.Alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := open(t, s, nil), s.Client()
		db.save(t, shopID, hook("a", anEvent))
		emit(t, db, anEvent, 1)
		dueAt(t, db, "a")
		headless := testID(0x77)
		db.save(t, otherShop, hook("b", anEvent))
		client.Set(background, Key(otherShop), "no list", 0)
		client.Set(background, stores.HeadKey(headless), "no head", 0)
		for _, store := range []uuid.UUID{otherShop, headless, shopID, testID(0x78)} {
			db.Announce(store)
		}
		dueAt(t, db, "a")
		eventually(t, "the broken ones are left alone", patience, func() bool {
			if _, err := db.Due(); err != nil {
				t.Fatal(err)
			}
			later := float64(time.Now().Add(serveLater / 2).UnixMilli())
			return client.ZCount(background, indexKey, fmt.Sprint(later), "+inf").Val() == 2
		})
		if client.ZScore(background, indexKey, testID(0x78).String()).Err() != redis.Nil {
			t.Error("a missing store is served for ever")
		}
	})
}
