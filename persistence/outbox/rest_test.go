package outbox

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// backlog writes a number of events for the shop's only webhook.
func backlog(t testing.TB, s *redistest.Server, db *node, events int) *commerce.Receiver {
	t.Helper()
	db.save(t, shopID, hook("a", anEvent))
	entries := make([]any, events)
	for i := range entries {
		entries[i] = entry(anEvent, i)
	}
	db.push(t, entries...)
	return dueAt(t, db, "a")
}

// An event that always fails does not delay the others, also if there are many such events:
// after each of its failures comes an event that never failed.
func TestEventThatAlwaysFailsDelaysNoOther(t *testing.T) {
	shoptest.Alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		const others = 12
		db := open(t, s, nil)
		r := backlog(t, s, db, 1+others)
		var last *commerce.Settlement
		for n := range others {
			always := leaseNext(t, db, r, longLease, last)
			wantDelivery(t, always, 0, n)
			other := leaseNext(t, db, r, longLease, again(always, longLease))
			wantDelivery(t, other, n+1, 0)
			last = over(other)
			letItPass(s.Client(), r)
		}
	})
}

// Events that fail only the first time do not wait for all the others.
func TestRetryComesBetweenOthersThatFail(t *testing.T) {
	shoptest.Alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *node) {
		r := backlog(t, s, db, 3)
		second := leaseNext(t, db, r, longLease, again(leaseNext(t, db, r, longLease, nil), longLease))
		wantDelivery(t, second, 1, 0)
		letItPass(s.Client(), r)
		wantDelivery(t, leaseNext(t, db, r, longLease, again(second, longLease)), 0, 1)
	})
}

// A receiver at which several events in a row failed gets no other waiting event at that
// moment, until one arrives.
func TestFailingReceiverRests(t *testing.T) {
	shoptest.Alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *node) {
		r := backlog(t, s, db, 10)
		next := leaseNext(t, db, r, longLease, nil)
		for n := range 4 {
			wantDelivery(t, next, n, 0)
			next = leaseNext(t, db, r, longLease, again(next, longLease))
		}
		for _, want := range []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 300 * time.Millisecond} {
			began, _ := s.Client().Time(background).Result()
			wantNothing(t, "as the rest begins", leaseNext(t, db, r, longLease, again(next, longLease)))
			until := time.UnixMilli(int64(s.Client().ZScore(background, receiversKey(shopID), r.ID).Val()))
			if rest := until.Sub(began); rest < want-time.Millisecond || rest > want+patience {
				t.Errorf("the receiver rests for %v, want %v", rest, want)
			}
			longer := redis.Z{Score: float64(time.Now().Add(time.Minute).UnixMilli()), Member: r.ID}
			s.Client().ZAdd(background, receiversKey(shopID), longer) // than this test
			emit(t, db, anEvent, 10)
			if due, err := db.Due(); err != nil || len(due) != 0 {
				t.Errorf("Due during the rest = %+v, %v", due, err)
			}
			wantNothing(t, "during the rest", leaseNext(t, db, r, longLease, nil))
			s.Client().ZAdd(background, receiversKey(shopID), redis.Z{Member: r.ID})
			next = leaseNext(t, db, r, longLease, nil)
		}
		wantDelivery(t, next, 7, 0)
		next = leaseNext(t, db, r, longLease, over(next))
		wantDelivery(t, leaseNext(t, db, r, longLease, again(next, longLease)), 9, 0)
	})
}

// A receiver that is down for an hour while many events wait is tried ever more rarely, and
// gets all events at once when it is back.
func TestReceiverThatIsBackGetsAllEvents(t *testing.T) {
	t.Parallel()
	shoptest.Alone(t)
	const events = 400
	s := redistest.Mini(t)
	db := open(t, s, nil)
	r := backlog(t, s, db, events)
	now := time.Now()
	end, attempts := now.Add(time.Hour), 0
	serve := func(arrives bool) *commerce.Settlement {
		s.Mini.SetTime(now)
		d := leaseNext(t, db, r, longLease, nil)
		if d == nil {
			now = time.UnixMilli(int64(s.Client().ZScore(background, receiversKey(shopID), r.ID).Val()))
			return nil
		}
		attempts++
		if arrives {
			return over(d)
		}
		return again(d, time.Second<<d.Failures)
	}
	for now.Before(end) {
		if last := serve(false); last != nil {
			if err := db.Release(r, last); err != nil {
				t.Fatal(err)
			}
		}
	}
	if attempts < 300 || attempts > 900 {
		t.Errorf("%d attempts in an hour", attempts)
	}
	untried := int(s.Client().LLen(background, queueKey(shopID, r.ID)).Val())
	failed := int(s.Client().ZCard(background, retryKey(shopID, r.ID)).Val())
	if untried < 100 || untried+failed != events {
		t.Fatalf("%d untried and %d failed events are left, want %d", untried, failed, events)
	}
	s.Mini.SetTime(end.Add(10 * time.Second))
	if got := len(drain(t, db, r)); got <= untried {
		t.Errorf("%d of %d events arrive at once, want the %d untried and those due", got, events, untried)
	}
	s.Mini.SetTime(end.Add(time.Hour))
	drain(t, db, r)
	wantNothingLeft(t, s.Client())
}
