package persistence

import (
	"slices"
	"sync"
	"testing"
	"time"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
)

// merchantShop is a shop with a limit, the visitors' key "key" and the merchant's key "office".
func merchantShop(limit int) shop {
	s := theShop()
	s.Limit, s.Keys = limit, append(s.Keys, apiKey("office", "orders:write"))
	return s
}

// bare is a budget without its times.
func bare(b engine.Budget) engine.Budget {
	b.RetryAfter, b.Reset = 0, time.Time{}
	return b
}

// merchantQueue are requests on a limit of 8, in order, with what is left for the key of each after
// it; -1 for a refused one. They count in one log.
var merchantQueue = []struct {
	key  string
	left int
}{
	{"office", 9}, {"key", 6}, {"key", 5}, {"key", 4}, {"key", 3}, {"key", 2}, {"office", 3}, {"key", 0}, {"key", -1}, {"office", 1}, {"key", -1},
	{"office", 0}, {"office", -1}, {"key", -1},
}

// The merchant's requests are refused only beyond the limit plus a quarter of it, all others beyond
// the limit: in Redis, and in the node's own window.
func TestMerchantsKeysStandBehindTheVisitors(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s, impatient)
		merchantShop(8).save(t, db)
		fallback := func(key string) *engine.Request {
			r := asks(key)
			r.Guards = &engine.Guards{Fallback: true}
			return r
		}
		run := func(how string) {
			for i, c := range merchantQueue {
				want := engine.Budget{Granted: c.left >= 0, Limit: 8, Remaining: max(0, c.left)}
				if got := bare(admit(t, db, fallback(c.key)).Budget); got != want {
					t.Errorf("%s: request %d of %s: %+v, want %+v", how, i, c.key, got, want)
				}
			}
		}
		run("Redis")
		wantCounted(t, s, 10)
		if s.Mini != nil {
			return
		}
		s.Kill()
		eventually(t, "the node knows", patience, func() bool { wantRefused(t, db); return db.Away() })
		run("the node's own window")
	})
}

// One pipeline has the requests of both kinds of key. Those of a kind are decided in their order, and
// a refused one takes nothing from the other kind.
func TestOnePipelineWithBothKindsOfKey(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		merchantShop(4).save(t, db)
		queue := []string{"key", "key", "office", "key", "key", "office", "key", "office", "key"}
		batch := make([]*admission, len(queue))
		for i, who := range queue {
			batch[i] = queued(t, db, who)
		}
		together(t, db, batch)
		var got []int
		for i, a := range batch {
			if answered, _ := a.Wait(time.Now().Add(patience)); !answered || a.err != nil {
				t.Fatalf("number %d: answered %v, %v", i, answered, a.err)
			}
			left := -1
			if a.decision.Granted {
				left = a.decision.Remaining
			}
			if got = append(got, left); a.decision.Limit != 4 {
				t.Errorf("number %d: %+v, want the store's limit", i, a.decision)
			}
		}
		if want := []int{3, 2, 0, 1, 0, -1, -1, -1, -1}; !slices.Equal(got, want) {
			t.Errorf("left are %v, want %v", got, want)
		}
		wantCounted(t, s, 5)
	})
}

// A call has visits of both kinds of key. A merchant's visit that stands behind refused ones is done.
func TestOneCallWithVisitsOfBothKindsOfKey(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		merchantShop(4).save(t, db)
		office := admit(t, db, asks("office"))
		version := version(db, shopID)
		var batch []*sending
		var got []*records.Result
		for i, merchant := range []bool{false, false, true, false, false, true, true, false} {
			c, r := onItsWay(db, version, i)
			if merchant {
				c.Beyond = office.Beyond()
			}
			batch, got = append(batch, c), append(got, r)
		}
		together(t, db, batch)
		want := []engine.OutcomeKind{
			engine.Done, engine.Done, engine.Done, engine.OverLimit, engine.OverLimit, engine.Done, engine.OverLimit, engine.OverLimit,
		}
		left := []int{2, 1, 1, 0, 0, 0, 0, 0}
		for i, r := range got {
			if r.Kind != want[i] || r.Budget.Limit != 4 || r.Budget.Remaining != left[i] {
				t.Errorf("number %d: %v with %+v, want %v with %d left", i, r.Kind, r.Budget, want[i], left[i])
			}
		}
		wantCounted(t, s, 5)
	})
}

// The visit of a request may go as far as its key.
func TestVisitGoesAsFarAsItsKey(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	merchantShop(40).save(t, db)
	for key, want := range map[string]int{"key": 0, "office": 10} {
		v := counting(replacing(none.Stamp, cartAt(1, "")), 1)
		v.Requests[0].Facts = admit(t, db, asks(key))
		if got := Carts.encodeVisit(db, v, nil).Beyond; got != want {
			t.Errorf("%s: %d beyond the limit, want %d", key, got, want)
		}
	}
}

// The limit is exact over two nodes, both kinds of key, reads and writes at the same time.
func TestTheLimitIsExactForBothKindsOfKey(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		patient := func(c *Config) { c.Timeout = patience }
		nodes := []*DB{node(t, s, patient), node(t, s, patient)}
		merchantShop(40).save(t, nodes[0])
		office := admit(t, nodes[0], asks("office"))
		var wg sync.WaitGroup
		var mu sync.Mutex
		granted := map[bool]int{true: 1}
		for i := range 160 {
			db, merchant := nodes[i%2], i%8 < 3
			wg.Go(func() {
				var budget engine.Budget
				if i%4 < 2 {
					key := "key"
					if merchant {
						key = "office"
					}
					r, err := tryAdmit(db, asks(key))
					if err != nil {
						t.Errorf("Admit: %v", err)
						return
					}
					budget = r.Budget
				} else {
					v := counting(replacing(none.Stamp, newCart(testID(i))), 1)
					if merchant {
						v.Requests[0].Version, v.Requests[0].Key = office.Version, office.Key
					}
					budget = send(t, db, v).Budget
				}
				mu.Lock()
				defer mu.Unlock()
				if budget.Granted {
					granted[merchant]++
				}
			})
		}
		wg.Wait()
		if granted[true]+granted[false] != 50 || granted[false] > 40 {
			t.Errorf("granted are %d requests of the merchant and %d others, want 50 in all, 40 others at most", granted[true], granted[false])
		}
		wantCounted(t, s, 50)
	})
}

// A merchant's key that was made after the node loaded the store, and a limit that was raised
// meanwhile, count with the first request.
func TestNewMerchantsKeyIsNotRefused(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		other := node(t, s)
		limitedShop(t, other, 4)
		for range 4 {
			admit(t, db, asks("key"))
		}
		merchantShop(4).save(t, other)
		if got := bare(admit(t, db, asks("office")).Budget); got != granted(4, 0) {
			t.Errorf("the first request of a new key: %+v", got)
		}
		wantCounted(t, s, 5)
		merchantShop(8).save(t, other) // the node knows a quarter of 4: 8 + 1
		for i := range 5 {
			if got := bare(admit(t, db, asks("office")).Budget); got != granted(8, 4-i) && i > 0 {
				t.Errorf("request %d after a raised limit: %+v", i, got)
			}
		}
		wantCounted(t, s, 10)
	})
}
