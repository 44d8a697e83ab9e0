package persistence

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/records"
	"cartd/ratelimit"
)

// limitedShop saves the shop with a request limit.
func limitedShop(t testing.TB, db *DB, limit int) {
	t.Helper()
	limited := theShop()
	limited.Limit = limit
	limited.save(t, db)
}

// wantCounted fails unless the shop's log has this number of grants.
func wantCounted(t testing.TB, s *redistest.Server, want int) {
	t.Helper()
	got := 0
	for _, entry := range s.Client().LRange(background, ratelimit.StoreKey(shopID.String()), 0, -1).Val() {
		with, err := strconv.Atoi(strings.TrimSpace(entry[16:32]))
		before, err2 := strconv.Atoi(strings.TrimSpace(entry[32:48]))
		if err != nil || err2 != nil {
			t.Fatalf("the limiter's entry %q: %v, %v", entry, err, err2)
		}
		got += with - before
	}
	if got != want {
		t.Errorf("%d requests are counted, want %d", got, want)
	}
}

func granted(limit, remaining int) engine.Budget {
	return engine.Budget{Granted: true, Limit: limit, Remaining: remaining}
}

// A visit beyond the limit does nothing and returns how many of its requests are within it. Its
// budget is that of an admission.
func TestVisitBeyondTheLimit(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	limitedShop(t, db, 3)
	s.Mini.SetTime(noon)
	first := cartAt(1, "")
	first.State.ExpiresAt = noon.Add(time.Hour)
	// More in one visit than the limit allows: as if the requests within it were counted now.
	over := send(t, db, counting(replacing(none.Stamp, first), 5))
	want := engine.Budget{Limit: 3, RetryAfter: time.Minute, Reset: noon.Add(time.Minute)}
	if over.Kind != engine.OverLimit || over.Counted || over.Within != 3 || over.Budget != want {
		t.Errorf("of an empty window: %+v, want 3 within it and %+v", over, want)
	}
	wantLoaded(t, db, none)
	admit(t, db, asks("key"))
	s.Mini.SetTime(noon.Add(20 * time.Second))
	send(t, db, counting(replacing(none.Stamp, first), 2))
	s.Mini.SetTime(noon.Add(25 * time.Second))
	second := cartAt(2, "")
	second.State.ExpiresAt = noon.Add(time.Hour)
	got := send(t, db, counting(replacing(first.Stamp, second), 1))
	want = engine.Budget{Limit: 3, RetryAfter: 35 * time.Second, Reset: noon.Add(time.Minute)}
	if by := admit(t, db, asks("key")).Budget; got.Budget != want || got.Within != 0 || by != want {
		t.Errorf("the budget of a visit is %+v, of an admission %+v, want %+v", got, by, want)
	}
	wantCounted(t, s, 3)
	s.Mini.SetTime(noon.Add(time.Minute)) // exactly when the first has expired
	if o := send(t, db, counting(replacing(first.Stamp, second), 1)); o.Kind != engine.Done || o.Budget != granted(3, 0) {
		t.Errorf("a minute later: %+v", o)
	}
}

// Redis's time differs from the time of the judgement by more than the visit's tolerance.
func TestVisitThatComesTooLate(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		now := s.Client().Time(background).Val()
		for _, judged := range []time.Time{now.Add(-time.Minute), now.Add(time.Minute)} {
			v := counting(replacing(none.Stamp, cartAt(1, "")), 1)
			v.Judged = judged
			wantOutcome(t, db, v, engine.TooLate, none)
			v.Tolerance = 2 * time.Minute
			v.Writes = false
			wantOutcome(t, db, v, engine.Done, none)
		}
		wantCounted(t, s, 2)
		wantLoaded(t, db, none)
	})
}

// onItsWay returns a sending of a new cart, and its result.
func onItsWay(db *DB, version *engine.StoreVersion, id int) (*sending, *records.Result) {
	r, got := newCart(testID(id)), new(records.Result)
	v := counting(visiting(engine.RecordKey{Store: version.Store, ID: r.State.ID}, none.Stamp, r), 1)
	w := Carts.encodeVisit(db, v, nil)
	w.version, w.judged, w.tolerance, w.alone = version, time.Now(), patience, false
	w.done = func(r *records.Result) { *got = *r }
	return w, got
}

// One round trip has the visits of all stores, 32 for each call. Each store's are counted in
// order.
func TestBatchCountsEachStoreInQueueOrder(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		other := theShop()
		other.ID, other.Limit, other.Keys = otherShop, 2, []object{apiKey("elsewhere")}
		limitedShop(t, db, 200)
		other.save(t, db)
		one, two := version(db, shopID), version(db, otherShop)
		store(t, db, newCart(testID(20)))
		trips := shoptest.CountTrips(db.client.Redis)
		var batch []*sending
		var got, elsewhere []*records.Result
		for i := range 70 {
			c, r := onItsWay(db, one, i)
			batch, got = append(batch, c), append(got, r)
			if i == 20 {
				c.Record = c.Record[:records.StampFrom] + "x" + c.Record[records.StampFrom+1:]
			}
			if i%20 == 0 {
				c, r := onItsWay(db, two, i)
				batch, elsewhere = append(batch, c), append(elsewhere, r)
			}
		}
		together(t, db, batch)
		if made := slices.Concat(trips.Collect()...); !slices.Equal(made, []string{"evalsha", "evalsha", "evalsha", "evalsha", "get"}) {
			t.Errorf("the batch made the calls %q, want one for each 32 of a store", made) // the last is of the test
		}
		left := 200
		for i, r := range got {
			if i == 20 {
				if r.Kind != engine.OtherRecord || r.Record == "" {
					t.Errorf("number %d: %+v, want the record of the conflict", i, r)
				}
				continue
			}
			if left--; r.Kind != engine.Done || r.Budget != granted(200, left) {
				t.Errorf("number %d: %+v, want %d remaining", i, r, left)
			}
		}
		for i, r := range elsewhere {
			if want := []engine.OutcomeKind{engine.Done, engine.Done, engine.OverLimit, engine.OverLimit}[i]; r.Kind != want {
				t.Errorf("number %d of the other store: %+v, want %v", i, r, want)
			}
		}
		wantCounted(t, s, 69)
	})
}

func TestTheLimitIsExactOverReadsAndWritesOfTwoNodes(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		patient := func(c *Config) { c.Timeout = patience } // a hundred scripts at once, on a busy machine
		nodes := []*DB{node(t, s, patient), node(t, s, patient)}
		limitedShop(t, nodes[0], 40)
		var wg sync.WaitGroup
		budgets := make([]engine.Budget, 100)
		for i := range budgets {
			db := nodes[i%2]
			wg.Go(func() {
				if i%4 < 2 {
					a, err := tryAdmit(db, asks("key"))
					if err != nil {
						t.Errorf("Admit: %v", err)
					}
					budgets[i] = a.Budget
					return
				}
				o := send(t, db, counting(replacing(none.Stamp, newCart(testID(i))), 1))
				if budgets[i] = o.Budget; (o.Kind == engine.Done) != o.Budget.Granted {
					t.Errorf("outcome %+v", o)
				}
			})
		}
		wg.Wait()
		checkBudgets(t, budgets, 40)
		wantCounted(t, s, 40)
	})
}
