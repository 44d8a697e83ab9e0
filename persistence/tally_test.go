package persistence

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/ratelimit"
)

// limitedShop saves the shop with a request limit.
func limitedShop(t testing.TB, db *DB, limit int) {
	t.Helper()
	limited := theShop()
	limited.Limit = limit
	limited.save(t, db)
}

// presumed is the store of a key as the node knows it.
func presumed(t testing.TB, db *DB, key string) *engine.Presumption {
	t.Helper()
	s, err := db.stores.find(asks(key))
	if err != nil || s == nil {
		t.Fatalf("find(%s) = %v, %v", key, s, err)
	}
	return s.current.Load().presumed
}

// counting is a commit that answers n requests which have still to be counted.
func counting(c *engine.Commit[*commerce.Cart], n int, p *engine.Presumption) *engine.Commit[*commerce.Cart] {
	c.Uncounted, c.Presumed = n, p
	return c
}

// wantCounted fails unless the shop's log holds so many grants.
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

// wantTally sends a counted commit and fails unless this became of it; reset and
// Retry-After are another test's.
func wantTally(t testing.TB, db *DB, c *engine.Commit[*commerce.Cart], want engine.Outcome[*commerce.Cart]) {
	t.Helper()
	got := send(t, db, c)
	got.Budget.Reset, got.Budget.RetryAfter = time.Time{}, 0
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("outcome %+v, want %+v", got, want)
	}
}

func tallied(kind engine.OutcomeKind, current engine.CartRecord, b engine.Budget) engine.Outcome[*commerce.Cart] {
	return engine.Outcome[*commerce.Cart]{Kind: kind, Current: current, Budget: b}
}

func granted(limit, remaining int) engine.Budget {
	return engine.Budget{Granted: true, Limit: limit, Remaining: remaining}
}

func TestRequestsAreCountedIfAndOnlyIfTheirCommitIsMade(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		limitedShop(t, db, 9)
		p := presumed(t, db, "key")
		first, second, other := cartAt(1, ""), cartAt(2, ""), cartAt(2, "a@b.co")
		other.Stamp.Writer = 10
		wantTally(t, db, counting(replacing(first.Stamp, second), 1, p), tallied(engine.Conflicted, none, granted(9, 9)))
		wantCounted(t, s, 0)
		create, replace := counting(replacing(none.Stamp, first), 2, p), counting(replacing(first.Stamp, second), 3, p)
		for range 2 { // the second time it is done already
			wantTally(t, db, create, tallied(engine.Committed, none, granted(9, 8)))
			wantCounted(t, s, 2)
		}
		for range 2 {
			wantTally(t, db, replace, tallied(engine.Committed, none, granted(9, 6)))
			wantCounted(t, s, 5)
		}
		// An overtaken commit is told what it was told when it was made.
		wantTally(t, db, create, tallied(engine.Conflicted, second, granted(9, 5)))
		wantTally(t, db, counting(replacing(first.Stamp, other), 1, p), tallied(engine.Conflicted, second, granted(9, 4)))
		wantLoaded(t, db, second)
		if got := admit(t, db, asks("key")).Budget; got != granted(9, 3) {
			t.Errorf("the next admission %+v, want %+v", got, granted(9, 3))
		}
		wantCounted(t, s, 6)
	})
}

func TestACountedCartLeavesWithItsExpiry(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		theShop().save(t, db)
		r := cartAt(1, "")
		send(t, db, counting(replacing(none.Stamp, r), 1, presumed(t, db, "key")))
		got := time.Now().Add(s.Client().PTTL(background, cartKey(keyOf(r))).Val())
		if d := got.Sub(r.State.ExpiresAt).Abs(); d > 10*time.Second {
			t.Errorf("Redis lets the cart leave at %v, want %v", got, r.State.ExpiresAt)
		}
	})
}

func TestACommitBeyondTheLimitDoesNothingAndSaysHowManyAreWithinIt(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		limitedShop(t, db, 3)
		p := presumed(t, db, "key")
		admit(t, db, asks("key"))
		first := cartAt(1, "")
		want := tallied(engine.Exceeded, none, engine.Budget{Limit: 3})
		want.Within = 2
		wantTally(t, db, counting(replacing(none.Stamp, first), 5, p), want)
		wantCounted(t, s, 1)
		wantLoaded(t, db, none)
		wantTally(t, db, counting(replacing(none.Stamp, first), 2, p), tallied(engine.Committed, none, granted(3, 1)))
		want.Within = 0
		wantTally(t, db, counting(replacing(first.Stamp, cartAt(2, "")), 1, p), want)
		wantLoaded(t, db, first)
		wantCounted(t, s, 3)
	})
}

// Whoever is refused by a commit is told what an admission would have told.
func TestABudgetIsTheSameByCommitAndByAdmission(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	limitedShop(t, db, 3)
	p := presumed(t, db, "key")
	s.Mini.SetTime(noon)
	first := cartAt(1, "")
	// More in one commit than the limit allows: as if those within it were counted now.
	over := send(t, db, counting(replacing(none.Stamp, first), 5, p))
	if want := (engine.Budget{Limit: 3, RetryAfter: time.Minute, Reset: noon.Add(time.Minute)}); over.Within != 3 || over.Budget != want {
		t.Errorf("of an empty window: %+v, want 3 within it and %+v", over, want)
	}
	admit(t, db, asks("key"))
	s.Mini.SetTime(noon.Add(20 * time.Second))
	send(t, db, counting(replacing(none.Stamp, first), 2, p))
	s.Mini.SetTime(noon.Add(25 * time.Second))
	got := send(t, db, counting(replacing(first.Stamp, cartAt(2, "")), 1, p))
	want := engine.Budget{Limit: 3, RetryAfter: 35 * time.Second, Reset: noon.Add(time.Minute)}
	if by := admit(t, db, asks("key")).Budget; got.Budget != want || by != want {
		t.Errorf("a commit is told %+v, an admission %+v, want %+v", got.Budget, by, want)
	}
	s.Mini.SetTime(noon.Add(time.Minute)) // exactly when the first has left
	wantTally(t, db, counting(replacing(first.Stamp, cartAt(2, "")), 1, p), tallied(engine.Committed, none, granted(3, 0)))
}

func TestUnderAnotherHeadNothingIsDone(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		theShop().save(t, db)
		p := presumed(t, db, "key")
		create := counting(replacing(none.Stamp, cartAt(1, "")), 1, p)
		limitedShop(t, node(t, s), 7)
		wantTally(t, db, create, tallied(engine.Superseded, none, engine.Budget{}))
		wantCounted(t, s, 0)
		wantLoaded(t, db, none)
		s.Client().Del(background, headKey(shopID))
		wantTally(t, db, create, tallied(engine.Superseded, none, engine.Budget{}))
		create.Uncounted, create.Presumed = 0, nil // the same commit goes on without being counted
		wantOutcome(t, db, create, engine.Committed, none)
	})
}

// onItsWay is a sending of a counted commit of a cart of its own, with its outcome.
func onItsWay(db *DB, id, uncounted int, p *engine.Presumption) (*commit, *result) {
	r := cartAt(1, "")
	r.State.ID = testID(id)
	key, got := engine.RecordKey{Store: shopID, ID: r.State.ID}, new(result)
	c := replacing(none.Stamp, r)
	c.Key = key
	return &commit{
		db: db, wire: cartKind.wire(c), claim: c.Claim, uncounted: uncounted, presumed: p,
		done: func(r result) { *got = r },
	}, got
}

// One round trip for plain commits and for counted ones, of any stores, 32 a call.
func TestABatchCountsEachStoreInQueueOrder(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		other := theShop()
		other.ID, other.Limit, other.Keys = otherShop, 2, []shopKey{apiKey("elsewhere")}
		limitedShop(t, db, 200)
		other.save(t, db)
		p, elsewhere := presumed(t, db, "key"), presumed(t, db, "elsewhere")
		stands, _ := onItsWay(db, 20, 0, nil)
		together(t, db, []*commit{stands})
		trips := countTrips(db.main.Redis)
		var batch []*commit
		var got []*result
		for i := range 70 {
			c, r := onItsWay(db, i, 1, p)
			if i == 20 {
				c.wire = replaced(c.wire)
			}
			batch, got = append(batch, c), append(got, r)
			if i%20 == 0 {
				plain, r := onItsWay(db, 100+i, 0, nil)
				away, a := onItsWay(db, 200+i, 1, elsewhere)
				batch = append(batch, plain, away)
				defer func() {
					within := i < 40
					if r.kind != engine.Committed || (a.kind == engine.Committed) != within || (a.kind == engine.Exceeded) == within {
						t.Errorf("beside number %d: a plain one %+v, one of the other store %+v", i, r, a)
					}
				}()
			}
		}
		together(t, db, batch)
		want := []string{"evalsha", "evalsha", "evalsha", "evalsha"} // the plain ones
		trips.want(t, "the batch", append(want, "evalsha", "evalsha", "evalsha", "evalsha"), []string{"get"})
		left := 200
		for i, r := range got {
			if i == 20 {
				if r.kind != engine.Conflicted || r.way.record == "" {
					t.Errorf("number %d: %+v, want the record in the way", i, r)
				}
				continue
			}
			if left--; r.kind != engine.Committed || r.budget != granted(200, left) {
				t.Errorf("number %d: %+v, want %d remaining", i, r, left)
			}
		}
		wantCounted(t, s, 69)
	})
}

// replaced is a commit of the same record with another stamp.
func replaced(w *wire) *wire {
	next := *w
	record := []byte(w.record)
	record[stampFrom] ^= 1
	next.record = string(record)
	return &next
}

func TestTheLimitIsExactOverNodesThatAdmitAndNodesThatTally(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		nodes := []*DB{node(t, s), node(t, s)}
		limitedShop(t, nodes[0], 40)
		var wg sync.WaitGroup
		budgets := make([]engine.Budget, 100)
		for i := range budgets {
			db := nodes[i%2]
			p := presumed(t, db, "key")
			wg.Go(func() {
				if i%4 < 2 {
					a, err := tryAdmit(db, asks("key"))
					if err != nil {
						t.Errorf("Admit: %v", err)
					}
					budgets[i] = a.Budget
					return
				}
				r := cartAt(1, "")
				r.State.ID = testID(i)
				o := send(t, db, counting(replacing(none.Stamp, r), 1, p))
				if budgets[i] = o.Budget; (o.Kind == engine.Committed) != o.Budget.Granted {
					t.Errorf("outcome %+v", o)
				}
			})
		}
		wg.Wait()
		checkBudgets(t, budgets, 40)
		wantCounted(t, s, 40)
	})
}
