package persistence

import (
	"testing"
	"time"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/stores"
)

// A store that Redis has lost is unavailable until it is imported again. The loss is logged
// once.
func TestStoreThatRedisLost(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		var log shoptest.Log
		importer, db := node(t, s), node(t, s, func(c *Config) { c.Logger = log.Logger() })
		theShop().save(t, importer)
		old := admit(t, db, asks("key")).Store.Secret
		s.Client().FlushAll(background)
		for range 3 {
			if a, err := tryAdmit(db, asks("key")); err != engine.ErrUnavailable {
				t.Errorf("a read: %+v, %v; want ErrUnavailable", a, err)
			}
			ask := asks("key")
			ask.Write = true
			if known, err := db.Recall(ask); !known || err != nil {
				t.Fatalf("Recall = %v, %v", known, err)
			}
			v := replacing(none.Stamp, cartAt(1, ""))
			v.Version = ask.Version
			wantOutcome(t, db, v, engine.OtherHead, none)
			if err := db.Refresh(ask.Store.ID, ask); err != engine.ErrUnavailable {
				t.Errorf("a write: Refresh = %v, want ErrUnavailable", err)
			}
		}
		if log.Count("\n") != 1 || log.Count("is not in Redis any more") != 1 {
			t.Errorf("logged:\n%s", log.String())
		}
		theShop().save(t, importer)
		eventually(t, "the store with its new secret", patience, func() bool {
			a := admit(t, db, asks("key"))
			return a.Key != nil && a.Store.Secret != old
		})
		wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Done, none)
	})
}

// A store may be evicted while a write of it is under way. Then the node knows no more of it than a
// new node.
func TestRefreshOfAnEvictedStore(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	admit(t, db, asks("key"))
	ask := asks("key")
	if known, err := db.Recall(ask); !known || err != nil {
		t.Fatalf("Recall = %v, %v", known, err)
	}
	if err := node(t, s).Refresh(ask.Store.ID, ask); err != nil || ask.Store == nil || ask.Key == nil {
		t.Fatalf("Refresh = %v", err)
	}
	v := replacing(none.Stamp, cartAt(1, ""))
	v.Version, v.Judged = ask.Version, ask.Now
	wantOutcome(t, db, v, engine.Done, none)
	s.Mini.FlushAll()
	if err := node(t, s).Refresh(ask.Store.ID, ask); err != engine.ErrUnavailable {
		t.Errorf("of a store that Redis lost: Refresh = %v", err)
	}
}

// ordered counts an order that takes the last use of a discount: it moves the head's usage
// revision.
func ordered(t *testing.T, s *redistest.Server, n int) {
	t.Helper()
	if err := s.Client().HIncrBy(background, stores.UsageKey(shopID), testID(0xd00+n).String(), 1).Err(); err != nil {
		t.Fatal(err)
	}
	head, _ := s.Mini.Get(stores.HeadKey(shopID))
	s.Mini.Set(stores.HeadKey(shopID), stores.UsedUp(head))
}

// The counts are read again with the request that finds a new usage revision, on an idle and on
// a busy node, and only then.
func TestUsageRevisionIsFollowedAtOnce(t *testing.T) {
	s := redistest.Mini(t)
	now := noon
	s.Mini.SetTime(now)
	db := node(t, s)
	shop := theShop()
	shop.Discounts = []object{discount(1, 5, 0)}
	shop.save(t, db)
	wantUsed(t, db, 0)
	trips := shoptest.CountTrips(db.client.Redis)
	for used, idle := range []time.Duration{0, time.Hour} {
		now = now.Add(idle)
		s.Mini.SetTime(now)
		wantUsed(t, db, int64(used))
		trips.Want(t, "without news", []string{"evalsha"})
		ordered(t, s, 1)
		trips.Collect()
		wantUsed(t, db, int64(used)+1)
		trips.Want(t, "with news", []string{"evalsha"}, []string{"hmget"})
	}
	// A write is judged by the node's memory; its visit finds the new head.
	ordered(t, s, 1)
	ask := asks("key")
	ask.Write = true
	if known, err := db.Recall(ask); !known || err != nil || ask.Store.Discounts[0].Used != 2 {
		t.Fatalf("Recall = %v, %v; the counts are %+v", known, err, ask.Store.Discounts)
	}
	v := replacing(none.Stamp, cartAt(1, ""))
	v.Version, v.Judged = ask.Version, ask.Now
	wantOutcome(t, db, v, engine.OtherHead, none)
	trips.Collect()
	if err := db.Refresh(ask.Store.ID, ask); err != nil || ask.Store.Discounts[0].Used != 3 {
		t.Errorf("Refresh = %v, the counts are %+v", err, ask.Store.Discounts)
	}
	trips.Want(t, "refreshing", []string{"get"}, []string{"hmget"})
	v.Version = ask.Version
	wantOutcome(t, db, v, engine.Done, none)
}
