package outbox

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

const stockEvent = commerce.EventStockAdjusted

// dueOf returns the receivers that are due, by their ids.
func dueOf(t testing.TB, db *node, want int) map[string]*commerce.Receiver {
	t.Helper()
	found := map[string]*commerce.Receiver{}
	db.soon, db.swept = shoptest.PollEvery, time.Time{}
	eventually(t, fmt.Sprint(want, " receivers are due"), patience, func() bool {
		due, err := db.Due()
		if err != nil {
			t.Fatal(err)
		}
		for i := range due {
			found[due[i].ID] = &due[i]
		}
		return len(found) >= want
	})
	return found
}

// Changes of stock wait in a queue of their own: another event is taken at once, however many of them
// wait, and while one of them is being delivered.
func TestChangesOfStockDelayNoOtherEvent(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := open(t, s, nil)
		db.save(t, shopID, hook("a", stockEvent, otherEvent))
		emit(t, db, stockEvent, 1, 2, 3, 4, 5)
		emit(t, db, otherEvent, 6)
		emit(t, db, stockEvent, 7)
		due := dueOf(t, db, 2)
		var first, second *commerce.Receiver
		for id, r := range due {
			if strings.HasSuffix(id, ":stock") {
				second = r
			} else {
				first = r
			}
		}
		slow := leaseNext(t, db, second, longLease, nil) // and not finished
		wantDelivery(t, slow, 1, 0)
		reset := leaseNext(t, db, first, longLease, nil)
		wantDelivery(t, reset, 6, 0)
		if !strings.HasSuffix(reset.ID, "_"+first.ID) || !strings.HasSuffix(slow.ID, "_"+first.ID) {
			t.Errorf("the ids are %s and %s, want both of webhook %s", reset.ID, slow.ID, first.ID)
		}
		wantNothing(t, "the first queue", leaseNext(t, db, first, longLease, over(reset)))
		last := slow
		for _, n := range []int{2, 3, 4, 5, 7} {
			last = leaseNext(t, db, second, longLease, over(last))
			wantDelivery(t, last, n, 0)
		}
		wantNothing(t, "the second queue", leaseNext(t, db, second, longLease, over(last)))
	})
}

// The changes of stock beyond the bound of their queue are dropped. No other event is.
func TestChangesOfStockPushOutNoOtherEvent(t *testing.T) {
	s := redistest.Mini(t)
	db := open(t, s, nil)
	db.length = 3
	db.save(t, shopID, hook("a", stockEvent, otherEvent))
	emit(t, db, otherEvent, 1, 2)
	emit(t, db, stockEvent, 3, 4, 5, 6, 7, 8)
	dueOf(t, db, 2)
	queues, err := db.Webhooks(background, shopID)
	if err != nil || len(queues) != 2 || queues[0].Waiting != 2 || queues[1].Waiting != 3 || db.Dropped.Load() != 3 {
		t.Errorf("the queues are %+v, %v, %d dropped", queues, err, db.Dropped.Load())
	}
	if !slices.Equal(queues[0].Events, []string{otherEvent}) || !slices.Equal(queues[1].Events, []string{stockEvent}) || !queues[0].First() ||
		queues[1].First() || !queues[1].Of(queues[0].ID) {
		t.Errorf("the queues are %+v", queues)
	}
}

// A given-up delivery is kept, can be listed, and is sent again under its id. A given-up
// password reset is not kept, because its token is of no use any more.
func TestGivenUpDeliveriesAreSentAgain(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := open(t, s, nil)
		db.save(t, shopID, hook("a", anEvent, otherEvent))
		emit(t, db, anEvent, 1, 2)
		emit(t, db, otherEvent, 3)
		r := dueAt(t, db, "a")
		first := leaseNext(t, db, r, longLease, nil)
		second := leaseNext(t, db, r, longLease, again(first, 0))
		third := leaseNext(t, db, r, longLease, over(second))
		wantDelivery(t, third, 3, 0)
		wantNothing(t, "after all", leaseNext(t, db, r, longLease, again(third, 0)))

		given, err := db.GivenUp(background, r)
		if err != nil || len(given) != 1 || given[0].ID != first.ID || string(given[0].Body) != `{"n":1}` {
			t.Fatalf("given up: %+v, %v; want the first event", given, err)
		}
		if life := s.Client().PTTL(background, GivenUpKey(r.Store, r.ID)).Val(); life <= 0 || life > givenUpTime {
			t.Errorf("it is kept for %v", life)
		}
		queues, err := db.Webhooks(background, shopID)
		if err != nil || len(queues) != 1 || queues[0].GivenUp != 1 || queues[0].Waiting+queues[0].Retrying != 0 {
			t.Errorf("the queues are %+v, %v", queues, err)
		}
		if n, err := db.Resend(background, r); n != 1 || err != nil {
			t.Fatalf("sent again: %d, %v", n, err)
		}
		if n, err := db.Resend(background, r); n != 0 || err != nil {
			t.Errorf("sent again once more: %d, %v", n, err)
		}
		r = dueAt(t, db, "a")
		resent := leaseNext(t, db, r, longLease, nil)
		wantDelivery(t, resent, 1, 0)
		if resent.ID != first.ID {
			t.Errorf("its id was %s and is %s", first.ID, resent.ID)
		}
		// While a node serves the webhook, the deliveries that are sent again are next for this
		// node, not for another.
		second2 := leaseNext(t, db, r, longLease, again(resent, 0))
		wantNothing(t, "nothing is left", second2)
		emit(t, db, anEvent, 4)
		r = dueAt(t, db, "a")
		fourth := leaseNext(t, db, r, longLease, nil)
		wantDelivery(t, fourth, 4, 0)
		if n, err := db.Resend(background, r); n != 1 || err != nil {
			t.Fatalf("sent again under a lease: %d, %v", n, err)
		}
		theirs := *r
		theirs.Lease = "another's"
		wantNothing(t, "while a node serves it", leaseNext(t, db, &theirs, longLease, nil))
		wantDelivery(t, leaseNext(t, db, r, longLease, over(fourth)), 1, 0)
	})
}

// A given-up delivery that cannot be read is not sent again. A line in the log names its webhook.
func TestResendLogsWhatItCannotRead(t *testing.T) {
	s := redistest.Mini(t)
	var log shoptest.Log
	db := open(t, s, &log)
	db.save(t, shopID, hook("a", anEvent))
	emit(t, db, anEvent, 1)
	r := dueAt(t, db, "a")
	wantNothing(t, "after the end", leaseNext(t, db, r, longLease, again(leaseNext(t, db, r, longLease, nil), 0)))
	s.Client().RPush(background, GivenUpKey(r.Store, r.ID), "secret of a shopper")
	if n, err := db.Resend(background, r); n != 1 || err != nil {
		t.Fatalf("sent again: %d, %v", n, err)
	}
	if text := log.String(); log.Count("delivery is dropped") != 1 || !strings.Contains(text, r.ID) || strings.Contains(text, "shopper") {
		t.Errorf("the log is\n%s", text)
	}
}

// Of the given-up deliveries the newest are kept.
func TestGivenUpDeliveriesAreBounded(t *testing.T) {
	s := redistest.Mini(t)
	db := open(t, s, nil)
	db.save(t, shopID, hook("a", anEvent))
	emit(t, db, anEvent, 1)
	r := dueAt(t, db, "a")
	for n := range GivenUpLength {
		s.Client().RPush(background, GivenUpKey(shopID, r.ID), fmt.Sprintf(`0 1 {"id":%q,"event":"x","body":{"n":%d}}`, uuid.NewString(), -n))
	}
	wantNothing(t, "after it was given up", leaseNext(t, db, r, longLease, again(leaseNext(t, db, r, longLease, nil), 0)))
	given, err := db.GivenUp(background, r)
	if err != nil || len(given) != GivenUpLength || string(given[0].Body) != `{"n":-1}` || string(given[GivenUpLength-1].Body) != `{"n":1}` {
		t.Errorf("%d are kept, %v", len(given), err)
	}
}

// The age of a delivery is read from its text; a damaged one has none.
func TestAgeOfADelivery(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string
		want  int64
	}{
		{"a delivery", []string{`3 1700000000123 {"id":"1"}`}, 1700000000123},
		{"none", nil, 0},
		{"a damaged one", []string{"3 soon {}"}, 0},
		{"a short one", []string{"3"}, 0},
	} {
		since, ok := waitsSince(c.texts)
		if ok != (c.want > 0) || ok && !since.Equal(time.UnixMilli(c.want)) {
			t.Errorf("%s: waitsSince(%q): got %v, %v; want %d", c.name, c.texts, since, ok, c.want)
		}
	}
}
