package outbox

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// An event does not move a webhook after others that have waited less.
func TestEventKeepsTheDueTimeOfItsWebhook(t *testing.T) {
	eachHooked(t, func(t *testing.T, s *redistest.Server, db *node) {
		emit(t, db, anEvent, 1)
		r := dueAt(t, db, "a")
		s.Client().ZAdd(background, receiversKey(shopID), redis.Z{Member: r.ID, Score: 1})
		emit(t, db, anEvent, 2)
		dueAt(t, db, "a")
		if since := s.Client().ZScore(background, receiversKey(shopID), r.ID).Val(); since != 1 {
			t.Errorf("the webhook is due since %v, want 1", since)
		}
	})
}

// A returned webhook waits after the others, even if its oldest retry was due earlier.
func TestReturnedWebhookWaitsAfterTheOthers(t *testing.T) {
	eachHooked(t, func(t *testing.T, s *redistest.Server, db *node) {
		emit(t, db, anEvent, 1)
		r := dueAt(t, db, "a")
		wantNothing(t, "while the retry is not due", leaseNext(t, db, r, longLease, again(leaseNext(t, db, r, longLease, nil), longLease)))
		letItPass(s.Client(), r)
		retried := leaseNext(t, db, r, longLease, nil)
		wantDelivery(t, retried, 1, 1)
		if err := db.Release(r, nil); err != nil {
			t.Fatal(err)
		}
		since := int64(s.Client().ZScore(background, receiversKey(shopID), r.ID).Val())
		if since < retried.Now.UnixMilli() {
			t.Errorf("the webhook is due since %d, want %d or later", since, retried.Now.UnixMilli())
		}
	})
}
