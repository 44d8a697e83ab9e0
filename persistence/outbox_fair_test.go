package persistence

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
	"cartd/persistence/outbox"
)

// Stores that have something new at every look keep no other out.
func TestEveryStoreOfTheOutboxIsLookedAt(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		const stores = outbox.StoresAtOnce + 4
		db := node(t, s)
		seen := map[uuid.UUID]bool{}
		for range 1000 { // much longer than a millisecond, which is what the index tells apart
			for i := range stores {
				db.outbox.Announce(testID(i))
			}
			leased, err := db.Outbox().LeaseStores()
			if err != nil || len(leased) == 0 {
				t.Fatalf("look = %+v, %v", leased, err)
			}
			for i := range leased {
				seen[leased[i].Store] = true
				leased[i].Again(0)
			}
			if err := db.Outbox().ReturnStores(leased); err != nil {
				t.Fatal(err)
			}
			if len(seen) == stores {
				return
			}
		}
		t.Errorf("%d of %d stores were ever looked at", len(seen), stores)
	})
}

// A store that was told of before stays before those told of later, and one that was to
// be looked at later is looked at now.
func TestTheOutboxKnowsWhoCameFirst(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		client.ZAdd(background, outbox.IndexKey, redis.Z{Member: otherShop.String(), Score: 1})
		client.ZAdd(background, outbox.IndexKey, redis.Z{Member: shopID.String(), Score: 1e15})
		for _, store := range []uuid.UUID{shopID, otherShop, testID(1)} {
			db.outbox.Announce(store)
		}
		leased, err := db.Outbox().LeaseStores()
		if err != nil || len(leased) != 3 || leased[0].Store != otherShop {
			t.Errorf("look = %+v, %v; want all three, the other shop first", leased, err)
		}
	})
}

// What is told of a store while a look at it takes longer than its mark lasts is not lost
// when the look ends with nothing to do.
func TestAStoreThatWasToldOfBehindAMarkStaysInTheOutboxes(t *testing.T) {
	s := redistest.Mini(t)
	s.Mini.SetTime(noon)
	slow, other := node(t, s), node(t, s)
	slow.Outbox().Announce(shopID)
	leased, err := slow.Outbox().LeaseStores()
	if err != nil || len(leased) != 1 {
		t.Fatalf("look = %+v, %v", leased, err)
	}
	s.Mini.SetTime(noon.Add(2 * outbox.StoreLease))
	for i := range outbox.StoresAtOnce { // they have waited longer
		s.Client().ZAdd(background, outbox.IndexKey, redis.Z{Member: testID(0x100 + i).String(), Score: 1})
	}
	other.Outbox().Announce(shopID)
	if theirs, err := other.Outbox().LeaseStores(); err != nil || len(theirs) != outbox.StoresAtOnce {
		t.Fatalf("look = %+v, %v", theirs, err)
	}
	if err := slow.Outbox().ReturnStores(leased); err != nil {
		t.Fatal(err)
	}
	if err := s.Client().ZScore(background, outbox.IndexKey, shopID.String()).Err(); err != nil {
		t.Errorf("the store left the index: %v", err)
	}
}

// Webhooks that nobody has a slot for keep no other of their store from being offered.
func TestEveryWebhookOfTheOutboxIsOffered(t *testing.T) {
	alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		hooks := make([]shopHook, 100)
		for i := range hooks {
			hooks[i] = hook(fmt.Sprintf("h%d", i), anEvent)
		}
		db := node(t, s)
		hookedShop(hooks...).save(t, db)
		emit(t, db, anEvent, 1)
		for i := range hooks {
			dueAt(t, db, fmt.Sprintf("h%d", i))
		}
	})
}

// An event does not move a webhook behind others that have waited less long.
func TestTheOutboxKeepsAWebhooksTurn(t *testing.T) {
	eachHooked(t, func(t *testing.T, s *redistest.Server, db *DB) {
		emit(t, db, anEvent, 1)
		r := dueAt(t, db, "a")
		s.Client().ZAdd(background, outbox.ReceiversKey(shopID), redis.Z{Member: r.ID, Score: 1})
		emit(t, db, anEvent, 2)
		dueAt(t, db, "a")
		if since := s.Client().ZScore(background, outbox.ReceiversKey(shopID), r.ID).Val(); since != 1 {
			t.Errorf("the webhook is due since %v, want 1", since)
		}
	})
}

// A webhook that is let go is not due since its oldest retry was: others have their turn.
func TestTheOutboxLetsAWebhookGoBehindOthers(t *testing.T) {
	eachHooked(t, func(t *testing.T, s *redistest.Server, db *DB) {
		emit(t, db, anEvent, 1)
		r := dueAt(t, db, "a")
		wantNothing(t, "before the retry", take(t, db, r, longLease, again(take(t, db, r, longLease, nil), longLease)))
		letItPass(s.Client(), r)
		retried := take(t, db, r, longLease, nil)
		wantDelivery(t, retried, 1, 1)
		if err := db.Outbox().Release(r, nil); err != nil {
			t.Fatal(err)
		}
		since := int64(s.Client().ZScore(background, outbox.ReceiversKey(shopID), r.ID).Val())
		if since < retried.Now.UnixMilli() {
			t.Errorf("the webhook is due since %d, want %d or later", since, retried.Now.UnixMilli())
		}
	})
}
