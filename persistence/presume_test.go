package persistence

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/internal/redistest"
)

// holdingAt makes a node hold the test's cart with this stamp.
func holdingAt(stamp engine.Stamp) func(*Config) {
	return func(c *Config) {
		c.Held = func(k engine.RecordKey) (engine.Stamp, bool) {
			return stamp, k == keyOf(cartAt(1, ""))
		}
	}
}

// presumes is a write on the test's cart that begins while the node is busy.
func presumes(t testing.TB, s *redistest.Server, db *DB) *engine.Request {
	t.Helper()
	now, err := s.Client().Time(background).Result()
	if err != nil {
		t.Fatal(err)
	}
	for range busyAnswers {
		db.clock.set(now, time.Now())
	}
	ask := asks("key")
	ask.CartID, ask.Presume, ask.Began = testID(0xca), true, db.clock.last.Load().here
	return ask
}

func TestABusyNodeAdmitsAWriteByWhatItKnows(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		first := cartAt(1, "")
		db := node(t, s, holdingAt(first.Stamp))
		theShop().save(t, db)
		store(t, db, first)
		presumed(t, db, "key")
		ask := presumes(t, s, db)
		trips := countTrips(db.main.Redis)
		got := admit(t, db, ask)
		trips.want(t, "the admission")
		now := db.clock.last.Load().redis.Truncate(time.Millisecond)
		if got.Presumed == nil || got.Cart.Stamp != first.Stamp || got.Cart.Record != nil || got.Store.ID != shopID || got.Key.Name != "key" || !got.Now.Equal(now) || !got.Budget.Granted {
			t.Errorf("admitted %+v, want the shop, the held stamp, at %v", got, now)
		}
		create := *ask
		create.CartID = uuid.Nil
		if got := admit(t, db, &create); got.Presumed == nil || !got.Cart.Stamp.Zero() {
			t.Errorf("a creation: %+v, want it presumed", got)
		}
		wantCounted(t, s, 0)
		o := send(t, db, counting(replacing(got.Cart.Stamp, cartAt(2, "")), 1, got.Presumed))
		trips.want(t, "a write on a busy node", []string{"evalsha"})
		if o.Kind != engine.Committed || o.Budget != granted(120, 119) {
			t.Errorf("its commit: %+v", o)
		}
		wantCounted(t, s, 1)
	})
}

// A tally's answer is an answer of Redis like any other.
func TestTalliesKeepANodeBusy(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	p := presumed(t, db, "key")
	batch := func() {
		var commits []*commit
		for i := range busyAnswers * maxTallied {
			c, _ := onItsWay(db, i, 1, p)
			commits = append(commits, c)
		}
		together(t, db, commits)
	}
	batch()
	last := db.clock.last.Load()
	if now, _ := db.clock.busyAt(last.here); now.IsZero() {
		t.Errorf("after %d tallies: %+v, want a busy node", busyAnswers, last)
	}
}

func TestWhatANodeDoesNotPresume(t *testing.T) {
	limit := int64(5)
	code := shopDiscount{ID: testID(0xd1), Name: "Code", Kind: "order", Code: "C", Limit: &limit, Value: map[string]any{"type": "percent", "percent": "10"}}
	for _, c := range []struct {
		name string
		edit func(*shop)
		db   func(*DB)
		ask  func(*engine.Request)
		want bool
	}{
		{name: "all is known", want: true},
		{name: "not asked to", ask: func(a *engine.Request) { a.Presume = false }},
		{name: "an unknown key", ask: func(a *engine.Request) { a.KeyHash = secret("unknown") }},
		{name: "no key", ask: func(a *engine.Request) { a.KeyHash = nil }},
		{name: "a cart that the node does not hold", ask: func(a *engine.Request) { a.CartID = testID(0xcb) }},
		{name: "a cart that holds stock", db: func(db *DB) {
			db.config.Presumable = func(engine.RecordKey) (engine.Stamp, bool) { return engine.Stamp{}, false }
		}},
		{name: "Redis was not heard for a while", ask: func(a *engine.Request) { a.Began = a.Began.Add(clockTrust + 1) }},
		{name: "an idle node", db: func(db *DB) { db.clock = clock{} }},
		{name: "a store that is being read again", db: func(db *DB) { db.stores.slot(shopID).behind.Store(true) }},
		{name: "usage counts of long ago", edit: func(s *shop) { s.Discounts = []shopDiscount{code} }},
		{name: "keys and settings of two heads", db: func(db *DB) {
			db.stores.install(db.stores.slot(shopID), func(old *loaded) *loaded { l := *old; l.head.text = ""; return &l })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := redistest.Mini(t)
			db := node(t, s, holdingAt(cartAt(1, "").Stamp))
			shop := theShop()
			if c.edit != nil {
				c.edit(&shop)
			}
			shop.save(t, db)
			presumed(t, db, "key")
			ask := presumes(t, s, db)
			if c.db != nil {
				c.db(db)
			}
			if c.ask != nil {
				c.ask(ask)
			}
			if got := admit(t, db, ask); (got.Presumed != nil) != c.want || (got.Budget.Limit == 0) != c.want {
				t.Errorf("admitted %+v, want it presumed: %v", got, c.want)
			}
		})
	}
}

// A Redis that is away is no matter of presumption.
func TestNothingIsPresumedWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	s := redistest.Mini(t)
	db := node(t, s, holdingAt(cartAt(1, "").Stamp), impatient)
	theShop().save(t, db)
	presumed(t, db, "key")
	ask := presumes(t, s, db)
	s.Kill()
	eventually(t, "the node knows", patience, func() bool { tryAdmit(db, asks("key")); return db.Away() })
	if got, err := tryAdmit(db, ask); err != engine.ErrUnavailable {
		t.Errorf("Admit = %+v, %v; want ErrUnavailable", got, err)
	}
}
