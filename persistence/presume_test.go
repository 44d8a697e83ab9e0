package persistence

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/ratelimit"
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
		trips := countTrips(db.main.client)
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
		var commits []commit
		for i := range busyAnswers * mostTallied {
			c, _ := onItsWay(i, 1, p)
			commits = append(commits, c)
		}
		db.flushCommits(commits)
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

// Where the limiter has a Redis of its own, that counts the requests of a commit before
// the main Redis is asked, by that commit.
func TestALimiterOfItsOwnCountsBeforeTheCommit(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		limiter, first := redistest.Mini(t), cartAt(1, "")
		db := node(t, s, holdingAt(first.Stamp), func(c *Config) { c.LimiterURL = limiter.URL() })
		limitedShop(t, db, 3)
		store(t, db, first)
		presumed(t, db, "key")
		ask := presumes(t, s, db)
		main, limits := countTrips(db.main.client), countTrips(db.limiter.client)
		got := admit(t, db, ask)
		main.want(t, "the admission")
		limits.want(t, "the admission")
		if got.Presumed == nil {
			t.Fatalf("admitted %+v, want it presumed", got)
		}
		commit := counting(replacing(first.Stamp, cartAt(2, "")), 1, got.Presumed)
		o := send(t, db, commit)
		limits.want(t, "its limit", []string{"evalsha"})
		main.want(t, "its commit", []string{"evalsha"})
		if o.Kind != engine.Committed || o.Budget != (engine.Budget{}) || o.Counted != granted(3, 2) {
			t.Errorf("its commit: %+v", o)
		}
		commit.Uncounted = 0 // sent again: nothing is left to count
		if o := send(t, db, commit); o.Kind != engine.Committed || o.Counted != (engine.Budget{}) {
			t.Errorf("its commit again: %+v", o)
		}
		limits.want(t, "sent again")
		main.want(t, "sent again", []string{"evalsha"})
		again := *ask // what the commit cannot answer is admitted without being counted again
		again.Presume, again.Counted = false, &o.Counted
		if confirmed := admit(t, db, &again); confirmed.Presumed != nil || confirmed.Budget != o.Counted || confirmed.Store == nil || confirmed.Cart.Stamp != cartAt(2, "").Stamp {
			t.Errorf("admitted again: %+v", confirmed)
		}
		main.want(t, "admitted again", []string{"evalsha", "getrange"})
		limits.want(t, "its limit")
		wantCounted(t, limiter, 1)
		wantCounted(t, s, 0)
		for _, c := range []struct {
			requests, within int
			counted          engine.Budget
		}{{3, 2, granted(3, 1)}, {1, 0, engine.Budget{}}} {
			o := send(t, db, counting(replacing(cartAt(2, "").Stamp, cartAt(3, "")), c.requests, got.Presumed))
			if o.Kind != engine.Exceeded || o.Within != c.within || o.Counted != c.counted || o.Budget != (engine.Budget{}) {
				t.Errorf("%d requests: %+v, want %d within the limit", c.requests, o, c.within)
			}
		}
		main.want(t, "beyond the limit")
		wantCounted(t, limiter, 3)
	})
}

// Commits that are counted together are told apart, in their order.
func TestALimiterOfItsOwnCountsABatchInItsOrder(t *testing.T) {
	s, limiter := redistest.Mini(t), redistest.Mini(t)
	db := node(t, s, func(c *Config) { c.LimiterURL = limiter.URL() })
	limitedShop(t, db, 6)
	p := presumed(t, db, "key")
	answers := make(chan result, 1)
	var batch []commit
	for id, n := range []int{2, 3, 2, 1} {
		c, _ := onItsWay(id, n, p)
		batch = append(batch, c)
	}
	got := make([]result, len(batch))
	for i := range batch {
		batch[i].done = func(r result) { got[i] = r; answers <- r }
	}
	s.Mini.SetError("LOADING") // what goes on to the main Redis is refused there
	go db.flushCounts(batch)
	for range batch {
		<-answers
	}
	want := []result{
		{kind: engine.Refused, counted: granted(6, 5)}, {kind: engine.Refused, counted: granted(6, 3)},
		{kind: engine.Exceeded, within: 1, counted: granted(6, 0)}, {kind: engine.Exceeded},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("told %+v\nwant %+v", got, want)
	}
	wantCounted(t, limiter, 6)
}

// Commits that wait behind a silent limiter are refused once the node knows, and those
// that it has nothing to do with do not wait.
func TestASilentLimiterHoldsUpNoCommitForLong(t *testing.T) {
	t.Parallel()
	s, limiter := redistest.Mini(t), redistest.Real(t)
	db := node(t, s, func(c *Config) { c.LimiterURL, c.Timeout = limiter.URL(), time.Second })
	theShop().save(t, db)
	p := presumed(t, db, "key")
	made := countTrips(db.limiter.client)
	limiter.Pause()
	defer limiter.Resume()
	const n = 3 * maxBatch
	refused := make(chan struct{}, n)
	for i := range n {
		c, _ := onItsWay(i, 1, p)
		c.done = func(r result) {
			if r.kind != engine.Refused {
				t.Errorf("commit %d: %+v", i, r)
			}
			refused <- struct{}{}
		}
		db.sendCommit(c)
	}
	plain := replacing(none.Stamp, cartAt(1, ""))
	done := make(chan int, 1)
	plain.Done = func(engine.Outcome[*commerce.Cart]) { done <- len(refused) }
	db.Send(plain)
	go db.Flush(soonest())
	if behind := <-done; behind > 0 {
		t.Errorf("a commit that is not counted was done behind %d that are", behind)
	}
	for range n {
		<-refused
	}
	waited := 0
	for _, trip := range made.take() {
		if trip[0] == "evalsha" {
			waited++
		}
	}
	if waited != 1 {
		t.Errorf("%d pipelines waited for the limiter, want one", waited)
	}
}

// Commits of a store's old and new settings are counted under the limit of each.
func TestALimiterOfItsOwnCountsUnderEachPresumption(t *testing.T) {
	s, limiter := redistest.Mini(t), redistest.Mini(t)
	db := node(t, s, func(c *Config) { c.LimiterURL = limiter.URL() })
	limitedShop(t, db, 100)
	old := presumed(t, db, "key")
	narrow := *old
	narrow.Limit = 1
	count := func(id int, ps ...*engine.Presumption) (told []result) {
		t.Helper()
		answers := make([]chan result, len(ps))
		var batch []commit
		for i, p := range ps {
			c, _ := onItsWay(id+i, 1, p)
			answers[i] = make(chan result, 1)
			c.done = func(r result) { answers[i] <- r }
			batch = append(batch, c)
		}
		db.flushCounts(batch)
		for _, answer := range answers {
			told = append(told, <-answer)
		}
		return told
	}
	if got := count(0, &narrow)[0]; got.kind != engine.Committed || got.counted != granted(1, 0) {
		t.Errorf("the first one: %+v", got)
	}
	got := count(1, old, &narrow)
	if got[0].kind != engine.Committed || got[0].counted != granted(100, 98) || got[1].kind != engine.Exceeded {
		t.Errorf("under the wide limit and the narrow one: %+v", got)
	}
}

// A limiter that has forgotten its script is given it again; one that does not answer
// has nothing sent to the main Redis.
func TestALimiterOfItsOwnThatFails(t *testing.T) {
	t.Parallel()
	s, limiter := redistest.Mini(t), redistest.Mini(t)
	db := node(t, s, impatient, func(c *Config) { c.LimiterURL = limiter.URL() })
	theShop().save(t, db)
	p := presumed(t, db, "key")
	if err := limiter.Client().ScriptFlush(background).Err(); err != nil {
		t.Fatal(err)
	}
	first := cartAt(1, "")
	if o := send(t, db, counting(replacing(none.Stamp, first), 1, p)); o.Kind != engine.Committed || o.Counted != granted(120, 119) {
		t.Errorf("after its scripts were flushed: %+v", o)
	}
	limiter.Kill()
	trips := countTrips(db.main.client)
	if o := send(t, db, counting(replacing(first.Stamp, cartAt(2, "")), 1, p)); o.Kind != engine.Refused || o.Counted != (engine.Budget{}) {
		t.Errorf("while it is away: %+v", o)
	}
	trips.want(t, "while it is away")
}

func TestACountedCommitOfAnotherHeadIsSuperseded(t *testing.T) {
	s, limiter := redistest.Mini(t), redistest.Mini(t)
	db := node(t, s, func(c *Config) { c.LimiterURL = limiter.URL() })
	theShop().save(t, db)
	p := *presumed(t, db, "key")
	p.Head += " changed"
	wantTally(t, db, counting(replacing(none.Stamp, cartAt(1, "")), 0, &p), tallied(engine.Superseded, none, engine.Budget{}))
}

// A Redis that is away is no matter of presumption.
func TestNothingIsPresumedWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	s := redistest.Mini(t)
	db := node(t, s, holdingAt(cartAt(1, "").Stamp), impatient)
	theShop().save(t, db)
	presumed(t, db, "key")
	ask := presumes(t, s, db)
	db.main.away.Store(true)
	if got, err := tryAdmit(db, ask); err != engine.ErrUnavailable {
		t.Errorf("Admit = %+v, %v; want ErrUnavailable", got, err)
	}
}

// A log on the main Redis, from before the limiter had one of its own, is no matter of a
// commit that was counted elsewhere.
func TestACountedCommitIsNotJudgedByTheMainRedis(t *testing.T) {
	s, limiter := redistest.Mini(t), redistest.Mini(t)
	db := node(t, s, func(c *Config) { c.LimiterURL = limiter.URL() })
	limitedShop(t, db, 3)
	ratelimit.Script.Run(background, s.Client(), ratelimit.Keys(ratelimit.StoreKey(shopID.String()), ""), ratelimit.Args(5, 120, time.Minute)...)
	p := presumed(t, db, "key")
	wantTally(t, db, counting(replacing(none.Stamp, cartAt(1, "")), 0, p), tallied(engine.Committed, none, engine.Budget{}))
}
