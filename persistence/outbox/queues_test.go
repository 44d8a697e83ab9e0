package outbox

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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
