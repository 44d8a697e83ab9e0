package persistence

import (
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/ratelimit"
)

// The budgets of one pipeline: each store and each client its own, in queue order.
func TestABatchGivesEachItsOwnBudgetInQueueOrder(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		eachLimiter(t, s, func(t *testing.T, db *DB) {
			small, large := theShop(), theShop()
			small.Limit = 2
			large.ID, large.Limit, large.Keys = otherShop, 4, []shopKey{apiKey("large")}
			small.save(t, db)
			large.save(t, db)
			queue := []string{"key", "large", "1.1.1.1", "key", "large", "key", "2.2.2.2", "1.1.1.1", "large", "key", "large", "large"}
			batch := make([]*admission, len(queue))
			for i, who := range queue {
				batch[i] = queued(t, db, who)
			}
			main := countTrips(db.main.client)
			db.flushAdmissions(batch)
			if n := len(main.take()); n != 1 {
				t.Errorf("%d round trips, want 1", n)
			}
			got := make([]engine.Budget, len(batch))
			for i, a := range batch {
				if err := <-a.done; err != nil {
					t.Fatalf("%s, number %d: %v", queue[i], i, err)
				}
				got[i] = budget(a.decision)
				got[i].Reset, got[i].RetryAfter = time.Time{}, 0
			}
			granted := func(limit, remaining int) engine.Budget {
				return engine.Budget{Granted: true, Limit: limit, Remaining: remaining}
			}
			want := []engine.Budget{
				granted(2, 1), granted(4, 3), granted(120, 119), granted(2, 0), granted(4, 2), {Limit: 2}, granted(120, 119),
				granted(120, 118), granted(4, 1), {Limit: 2}, granted(4, 0), {Limit: 4},
			}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("%s, number %d: %+v, want %+v", queue[i], i, got[i], want[i])
				}
			}
		})
	})
}

// queued is the admission of a key, or of a client's address.
func queued(t *testing.T, db *DB, who string) *admission {
	t.Helper()
	a := newAdmission().(*admission)
	if client, err := netip.ParseAddr(who); err == nil {
		ask := asks("")
		ask.Caller.Addr = client
		db.fill(a, ask, nil)
		return a
	}
	ask := asks(who)
	slot, err := db.stores.find(ask)
	if err != nil || slot == nil {
		t.Fatalf("find(%s) = %v, %v", who, slot, err)
	}
	db.fill(a, ask, slot)
	return a
}

// eachLimiter runs a test with the limiter's lists beside the records, and on a
// Redis of their own.
func eachLimiter(t *testing.T, s *redistest.Server, f func(t *testing.T, db *DB)) {
	t.Run("one Redis", func(t *testing.T) {
		f(t, node(t, s))
		s.Client().FlushAll(background)
	})
	t.Run("own Redis", func(t *testing.T) {
		limiter := redistest.Mini(t)
		f(t, node(t, s, func(c *Config) { c.LimiterURL = limiter.URL() }))
		for _, key := range limiter.Mini.Keys() {
			if kind := limiter.Mini.Type(key); kind != "list" {
				t.Errorf("the limiter's Redis has %s, a %s", key, kind)
			}
		}
		if n := s.Client().Exists(background, ratelimit.StoreKey(shopID.String())).Val(); n != 0 {
			t.Error("the main Redis has a list of the limiter")
		}
	})
}

// Spec: Limits, Request rate.
func TestTheLimitIsExactOverTwoNodes(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		limiter := redistest.Mini(t)
		for name, edit := range map[string]func(*Config){
			"one Redis": func(*Config) {}, "own Redis": func(c *Config) { c.LimiterURL = limiter.URL() },
		} {
			t.Run(name, func(t *testing.T) {
				s.Client().FlushAll(background)
				nodes := []*DB{node(t, s, edit), node(t, s, edit)}
				limited := theShop()
				limited.Limit = 40
				limited.save(t, nodes[0])
				var wg sync.WaitGroup
				budgets := make([]engine.Budget, 100)
				for i := range budgets {
					wg.Go(func() {
						a, err := tryAdmit(nodes[i%2], asks("key"))
						if err != nil {
							t.Errorf("Admit: %v", err)
						}
						budgets[i] = a.Budget
					})
				}
				wg.Wait()
				checkBudgets(t, budgets, limited.Limit)
			})
		}
	})
}

// checkBudgets fails unless each place of the limit was granted exactly once and
// whoever was refused was told when to come back.
func checkBudgets(t *testing.T, budgets []engine.Budget, limit int) {
	t.Helper()
	var remaining []int
	for _, b := range budgets {
		if b.Granted {
			remaining = append(remaining, b.Remaining)
			continue
		}
		if b.Limit != limit || b.Remaining != 0 || b.RetryAfter <= 0 || b.RetryAfter > commerce.RateWindow || b.Reset.IsZero() {
			t.Errorf("refused with %+v", b)
		}
	}
	slices.Sort(remaining)
	if !slices.Equal(remaining, upTo(limit)) {
		t.Errorf("granted with %v remaining, want each of 0 to %d once", remaining, limit-1)
	}
}

// The other clock judges its own window only: a request's time and its expiry
// dates stay the main Redis's, and what is left of the window the limiter's.
func TestALimiterWhoseClockDiffers(t *testing.T) {
	main, limiter := redistest.Mini(t), redistest.Mini(t)
	main.Mini.SetTime(noon)
	limiter.Mini.SetTime(noon.Add(-time.Hour))
	db := node(t, main, func(c *Config) { c.LimiterURL = limiter.URL() })
	limited := theShop()
	limited.Limit = 1
	limited.save(t, db)
	admit(t, db, asks("key"))
	limiter.Mini.SetTime(noon.Add(-time.Hour + 20*time.Second))
	got := admit(t, db, asks("key"))
	want := engine.Budget{Limit: 1, RetryAfter: 40 * time.Second, Reset: noon.Add(-time.Hour + time.Minute)}
	if got.Budget != want || !got.Now.Equal(noon) {
		t.Errorf("at %v %+v, want at %v %+v", got.Now, got.Budget, noon, want)
	}
}

// A Redis that has forgotten its scripts is asked again, a limiter of its own that has
// answered is not: each request counts once.
func TestAForgottenScriptCountsNobodyTwice(t *testing.T) {
	s, limiter := redistest.Real(t), redistest.Real(t)
	db := node(t, s, func(c *Config) { c.LimiterURL = limiter.URL() })
	shop := theShop()
	shop.Limit = 2
	shop.Customers = []shopCustomer{{ID: ada, Email: "ada@example.com", Tokens: []shopToken{{"token", time.Now().Add(time.Hour)}}}}
	shop.save(t, db)
	ask := asks("key")
	ask.Token = secret("token")
	if err := s.Client().ScriptFlush(background).Err(); err != nil {
		t.Fatal(err)
	}
	for left := 1; left >= 0; left-- {
		if a := admit(t, db, ask); !a.Visitor.Known || a.Budget != granted(2, left) {
			t.Errorf("with %d left: %+v of visitor %+v", left, a.Budget, a.Visitor)
		}
	}
	if a := admit(t, db, ask); a.Budget.Granted {
		t.Errorf("beyond the limit: %+v", a.Budget)
	}
}

// Lists of client addresses may still be on the main Redis when the limiter moves to one of
// its own.
func TestStrangersAreAdmittedWhenTheLimiterMoves(t *testing.T) {
	s := redistest.Real(t)
	old := node(t, s)
	theShop().save(t, old)
	admit(t, old, asks(""))
	for name, url := range map[string]string{"away": redistest.Real(t).URL(), "nowhere": s.URL()} {
		moved := node(t, s, func(c *Config) { c.LimiterURL = url })
		for range 2 {
			if a, err := tryAdmit(moved, asks("")); err != nil || !a.Budget.Granted {
				t.Errorf("%s: %+v, %v", name, a.Budget, err)
			}
		}
	}
}
