package outbox

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

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
