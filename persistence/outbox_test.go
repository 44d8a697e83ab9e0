package persistence

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
	"cartd/persistence/outbox"
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
func hook(host string, events ...string) shopHook {
	return shopHook{URL: "https://" + host + "/", Secret: hookSecret, Events: events}
}

// hookedShop has a customer and these webhooks.
func hookedShop(hooks ...shopHook) shop {
	s := shopWith(theCustomer())
	s.Webhooks = hooks
	return s
}

// eachHooked is eachNode, not in parallel, with a shop whose only webhook receives anEvent.
func eachHooked(t *testing.T, test func(*testing.T, *redistest.Server, *DB)) {
	alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		hookedShop(hook("a", anEvent)).save(t, db)
		test(t, s, db)
	})
}

// emit writes changes with these events, each with its number as its body.
func emit(t testing.TB, db *DB, name string, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		event := &commerce.Event{Name: name, Body: fmt.Appendf(nil, `{"n":%d}`, n)}
		v := contactVisit(t, db, "ada@example.com", func(c *commerce.Contact) { c.Phone = fmt.Sprint(n) }, engine.Effects{Effects: commerce.Effects{Event: event}})
		if o := send(t, db, v); o.Kind != engine.Done {
			t.Fatalf("event %d: %+v", n, o)
		}
	}
}

// dueAt waits until this node finds a delivery due for the webhook at a host.
func dueAt(t testing.TB, db *DB, host string) *commerce.Receiver {
	t.Helper()
	var found *commerce.Receiver
	db.Outbox().Soon, db.Outbox().Swept = pollEvery, time.Time{}
	eventually(t, "deliveries for "+host, patience, func() bool {
		due, err := db.Outbox().Due()
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

// take calls Take, which must not fail; nil if nothing is due.
func take(t testing.TB, db *DB, r *commerce.Receiver, lease time.Duration, last *commerce.Settlement) *commerce.Delivery {
	t.Helper()
	d, err := db.Outbox().Next(r, lease, last)
	if err != nil {
		t.Fatalf("Take = %v", err)
	}
	return d
}

// letItPass makes every lease end and every retry due, as time would.
func letItPass(client *redis.Client, r *commerce.Receiver) {
	for _, text := range client.ZRange(background, outbox.RetryKey(r.Store, r.ID), 0, 99).Val() {
		client.ZAdd(background, outbox.RetryKey(r.Store, r.ID), redis.Z{Member: text})
	}
	client.ZAdd(background, outbox.ReceiversKey(r.Store), redis.Z{Member: r.ID})
	client.ZAdd(background, outbox.IndexKey, redis.Z{Member: r.Store.String()})
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
func drain(t testing.TB, db *DB, r *commerce.Receiver) (bodies []string) {
	t.Helper()
	var last *commerce.Settlement
	for d := take(t, db, r, longLease, nil); d != nil; d = take(t, db, r, longLease, last) {
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
	alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		hookedShop(hook("both", anEvent, otherEvent), hook("one", anEvent), hook("both", anEvent, otherEvent)).save(t, db)
		emit(t, db, anEvent, 1)
		emit(t, db, otherEvent, 2)
		emit(t, db, "wanted.by_nobody", 3)
		emit(t, db, anEvent, 4)
		<-db.Outbox().Wake()
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
			d := take(t, db, both, longLease, nil)
			wantDelivery(t, d, 1, 0)
			ids[d.ID] = true
			if err := db.Outbox().Release(both, over(d)); err != nil {
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
	eachHooked(t, func(t *testing.T, s *redistest.Server, db *DB) {
		emit(t, db, anEvent, 1, 2)
		r := dueAt(t, db, "a")
		first := take(t, db, r, longLease, nil)
		wantDelivery(t, first, 1, 0)
		second := take(t, db, r, longLease, again(first, longLease))
		wantDelivery(t, second, 2, 0)
		wantNothing(t, "while the retry is not due", take(t, db, r, longLease, over(second)))
		letItPass(s.Client(), r)
		r = dueAt(t, db, "a")
		retried := take(t, db, r, longLease, nil)
		wantDelivery(t, retried, 1, 1)
		if retried.ID != first.ID || !retried.Since.Equal(first.Since) {
			t.Errorf("first %+v\nthen %+v\nwant the same id and since", first, retried)
		}
		wantNothing(t, "after it was given up", take(t, db, r, longLease, over(retried)))
		wantNothingLeft(t, s.Client())
	})
}

func TestReceiverIsServedByOneNodeAtATime(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, other := node(t, s), node(t, s)
		hookedShop(hook("a", anEvent)).save(t, db)
		emit(t, db, anEvent, 1, 2)
		r := dueAt(t, db, "a")
		theirs := *r
		theirs.Lease = "another's"
		killed := take(t, db, r, longLease, nil)
		wantDelivery(t, killed, 1, 0)
		wantNothing(t, "while another node serves it", take(t, other, &theirs, longLease, nil))
		if err := other.Outbox().Release(&theirs, over(killed)); err != nil {
			t.Fatal(err)
		}
		letItPass(s.Client(), r)
		taken := dueAt(t, other, "a")
		again := take(t, other, taken, longLease, nil)
		wantDelivery(t, again, 1, 0)
		if again.ID != killed.ID {
			t.Errorf("ids %s and %s, want the same", killed.ID, again.ID)
		}
		wantNothing(t, "with a lease that is another's now", take(t, db, r, longLease, over(killed)))
		if got := drain(t, other, taken); fmt.Sprint(got) != `[{"n":1} {"n":2}]` {
			t.Errorf("then %q, want both: no delivery was finished without a lease", got)
		}
		wantNothingLeft(t, s.Client())
	})
}

func TestReturnedReceiverIsServedAtOnce(t *testing.T) {
	alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, other := node(t, s), node(t, s)
		hookedShop(hook("a", anEvent)).save(t, db)
		emit(t, db, anEvent, 1)
		r := dueAt(t, db, "a")
		wantDelivery(t, take(t, db, r, longLease, nil), 1, 0)
		if err := db.Outbox().Release(r, nil); err != nil {
			t.Fatal(err)
		}
		wantDelivery(t, take(t, other, dueAt(t, other, "a"), longLease, nil), 1, 0)
	})
}

// A new event does not wait for its receiver's retry.
func TestNewEventDoesNotWaitForARetry(t *testing.T) {
	eachHooked(t, func(t *testing.T, s *redistest.Server, db *DB) {
		emit(t, db, anEvent, 1)
		r := dueAt(t, db, "a")
		wantNothing(t, "while the retry is not due", take(t, db, r, longLease, again(take(t, db, r, longLease, nil), longLease)))
		emit(t, db, anEvent, 2)
		wantDelivery(t, take(t, db, dueAt(t, db, "a"), longLease, nil), 2, 0)
	})
}

func TestWaitingDeliveriesFollowAnImport(t *testing.T) {
	alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		hookedShop(hook("a", anEvent), hook("gone", anEvent)).save(t, db)
		emit(t, db, anEvent, 1, 2)
		r := dueAt(t, db, "a")
		first := take(t, db, r, longLease, nil)
		changed := hook("a", anEvent)
		changed.Secret = otherSign
		hookedShop(changed, hook("new", anEvent)).save(t, db)
		wantNothing(t, "under a document that was replaced", take(t, db, r, longLease, over(first)))
		r = dueAt(t, db, "a")
		if r.Secrets[0][0] != 0 {
			t.Errorf("the receiver is %+v, want the new secret", r)
		}
		wantDelivery(t, take(t, db, r, longLease, nil), 2, 0)
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
	alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		db.Outbox().Length = 3
		hookedShop(hook("a", anEvent)).save(t, db)
		emit(t, db, anEvent, 1, 2)
		r := dueAt(t, db, "a")
		wantDelivery(t, take(t, db, r, longLease, again(take(t, db, r, longLease, nil), longLease)), 2, 0)
		if err := db.Outbox().Release(r, nil); err != nil {
			t.Fatal(err)
		}
		emit(t, db, anEvent, 3, 4, 5)
		if got := drain(t, db, dueAt(t, db, "a")); fmt.Sprint(got) != `[{"n":3} {"n":4} {"n":5}]` || db.outbox.Dropped.Load() != 2 {
			t.Errorf("left %q, %d dropped; want the retried one and the next one dropped", got, db.outbox.Dropped.Load())
		}
		wantNothingLeft(t, s.Client())
	})
}

// An event that no node marked is found all the same: its node was killed, or the index was
// lost.
func TestUnmarkedEventsAreFound(t *testing.T) {
	alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		hookedShop(hook("a", anEvent)).save(t, db)
		unmarked := func(n int) {
			entry := outbox.Entry(&commerce.Event{Name: anEvent, Body: fmt.Appendf(nil, `{"n":%d}`, n)})
			if err := client.RPush(background, outbox.Key(shopID), entry).Err(); err != nil {
				t.Fatal(err)
			}
		}
		unmarked(1)
		r := dueAt(t, db, "a")
		wantNothing(t, "while the retry is not due", take(t, db, r, longLease, again(take(t, db, r, longLease, nil), longLease)))
		unmarked(2) // while the index has the store for later
		r = dueAt(t, db, "a")
		wantDelivery(t, take(t, db, r, longLease, nil), 2, 0)
		if err := db.Outbox().Release(r, nil); err != nil {
			t.Fatal(err)
		}
		client.Del(background, outbox.IndexKey)
		wantDelivery(t, take(t, db, dueAt(t, db, "a"), longLease, nil), 2, 0)
	})
}

func TestBrokenEntriesAreDropped(t *testing.T) {
	alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		hookedShop(hook("a", anEvent)).save(t, db)
		client.RPush(background, outbox.Key(shopID), `no entry`, `{"event":"stock.adjusted","body":{"n":1}`)
		emit(t, db, anEvent, 2)
		r := dueAt(t, db, "a")
		d := take(t, db, r, longLease, nil)
		wantDelivery(t, d, 2, 0)
		wantNothing(t, "after it", take(t, db, r, longLease, over(d)))
		wantNothingLeft(t, client)
	})
}

func TestTheOutboxWithoutRedis(t *testing.T) {
	t.Parallel()
	s := redistest.Mini(t)
	db := node(t, s, impatient)
	hookedShop(hook("a", anEvent)).save(t, db)
	emit(t, db, anEvent, 1)
	r := dueAt(t, db, "a")
	emit(t, db, anEvent, 2)
	s.Kill()
	for range 2 { // also once it is known to be unreachable
		if _, err := db.Outbox().Due(); err != engine.ErrUnavailable {
			t.Errorf("Due = %v", err)
		}
		if _, err := db.Outbox().Next(r, longLease, nil); err != engine.ErrUnavailable {
			t.Errorf("Take = %v", err)
		}
		if err := db.Outbox().Release(r, nil); err != engine.ErrUnavailable {
			t.Errorf("Release = %v", err)
		}
	}
	s.Restart()
	eventually(t, "Redis again", patience, func() bool { return !db.Away() })
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
		first := node(t, s)
		hookedShop(hook("a", anEvent)).save(t, first)
		for i := range events {
			emit(t, first, anEvent, i)
		}
		receiver := *dueAt(t, first, "a")
		var inHand atomic.Int32
		arrived, both := sync.Map{}, atomic.Bool{}
		serve := func(db *DB, d *rand.Rand) {
			r := receiver
			r.Lease = stores.NewRevision()
			var last *commerce.Settlement
			for {
				next, err := db.Outbox().Next(&r, longLease, last)
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
					client.ZAdd(background, outbox.ReceiversKey(shopID), redis.Z{Member: r.ID})
					return
				}
			}
		}
		var all sync.WaitGroup
		for range nodes {
			db, d := node(t, s), seeded(t)
			all.Go(func() {
				for client.Exists(background, outbox.QueueKey(shopID, receiver.ID)).Val() > 0 {
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
	alone(t)
	const events = outbox.FanOutEntries + 100
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		hookedShop(hook("a", anEvent)).save(t, db)
		entries := make([]any, events)
		for i := range entries {
			entries[i] = outbox.Entry(&commerce.Event{Name: anEvent, Body: fmt.Appendf(nil, `{"n":%d}`, i)})
		}
		if err := s.Client().RPush(background, outbox.Key(shopID), entries...).Err(); err != nil {
			t.Fatal(err)
		}
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
	alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		hookedShop(hook("a", anEvent)).save(t, db)
		emit(t, db, anEvent, 1)
		dueAt(t, db, "a")
		broken, headless := theShop(), testID(0x77)
		broken.ID, broken.Keys, broken.Webhooks = otherShop, nil, []shopHook{hook("b", anEvent)}
		broken.save(t, db)
		client.Set(background, outbox.Key(otherShop), "no list", 0)
		client.Set(background, stores.HeadKey(headless), "no head", 0)
		for _, store := range []uuid.UUID{otherShop, headless, shopID, testID(0x78)} {
			db.outbox.Announce(store)
		}
		dueAt(t, db, "a")
		eventually(t, "the broken ones are left alone", patience, func() bool {
			if _, err := db.Outbox().Due(); err != nil {
				t.Fatal(err)
			}
			later := float64(time.Now().Add(outbox.ServeLater / 2).UnixMilli())
			return client.ZCount(background, outbox.IndexKey, fmt.Sprint(later), "+inf").Val() == 2
		})
		if client.ZScore(background, outbox.IndexKey, testID(0x78).String()).Err() != redis.Nil {
			t.Error("a missing store is served for ever")
		}
	})
}
