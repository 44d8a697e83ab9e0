package persistence

import (
	"net/netip"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/redistest"
	"cartd/ratelimit"
)

// store keeps a cart of the shop in Redis.
func store(t testing.TB, db *DB, r commerce.CartRecord) {
	t.Helper()
	wantOutcome(t, db, replacing(none.Stamp, r), commerce.Committed, none)
}

func TestWhatAnAdmissionSeesOfARecord(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		held := map[uuid.UUID]bool{testID(0x1): true, testID(0x2): true}
		db := node(t, s, func(c *Config) {
			c.Holds = func(k commerce.RecordKey) bool { return k.Store == shopID && held[k.ID] }
		})
		theShop().save(t, db)
		record := func(id int) commerce.CartRecord {
			r := cartAt(7, "a@b.co")
			r.State.ID = testID(id)
			return r
		}
		heldCart, cold := record(0x1), record(0x3)
		store(t, db, heldCart)
		store(t, db, cold)
		for _, c := range []struct {
			what string
			cart int
			want commerce.Sighting[*commerce.Cart]
		}{
			{"held", 0x1, commerce.Sighting[*commerce.Cart]{Stamp: heldCart.Stamp}},
			{"held but gone", 0x2, commerce.Sighting[*commerce.Cart]{}},
			{"cold", 0x3, commerce.Sighting[*commerce.Cart]{Stamp: cold.Stamp, Record: &cold}},
			{"missing", 0x4, commerce.Sighting[*commerce.Cart]{}},
		} {
			ask := asks("key")
			ask.Cart = testID(c.cart)
			if got := admit(t, db, ask).Seen; !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: seen %+v, want %+v", c.what, got, c.want)
			}
		}
	})
}

func TestACorruptRecordAdmitsNobodyButHarmsNobodyElse(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	s.Client().Set(background, cartKey(commerce.RecordKey{Store: shopID, ID: testID(1)}), "garbage", 0)
	ask := asks("key")
	ask.Cart = testID(1)
	if got, err := db.Admit(ask); err != commerce.ErrUnavailable {
		t.Errorf("Admit = %+v, %v; want ErrUnavailable", got, err)
	}
	admit(t, db, asks("key"))
}

func TestNowIsRedissTime(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		theShop().save(t, db)
		if s.Mini != nil {
			s.Mini.SetTime(noon.Add(123456 * time.Microsecond))
			if got, want := admit(t, db, asks("key")).Now, noon.Add(123*time.Millisecond); !got.Equal(want) {
				t.Errorf("now %v, want %v", got, want)
			}
			return
		}
		before := s.Client().Time(background).Val().Truncate(time.Millisecond)
		got := admit(t, db, asks("key")).Now
		after := s.Client().Time(background).Val()
		if got.Before(before) || got.After(after) || got.Nanosecond()%1e6 != 0 {
			t.Errorf("now %v, want whole milliseconds between %v and %v", got, before, after)
		}
	})
}

// Spec: Authentication, API key 1 and 2.
func TestWhichKeysResolve(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		first, second := theShop(), theShop()
		first.Keys = append(first.Keys, shopKey{Name: "old", Key: "old", Scopes: []string{"commerce:read"}, Revoked: true})
		second.ID, second.Name, second.Keys = otherShop, "Other", []shopKey{apiKey("elsewhere", "commerce:read", "catalog:read")}
		first.save(t, db)
		second.save(t, db)
		for key, want := range map[string]uuid.UUID{
			"key": shopID, "elsewhere": otherShop, "old": uuid.Nil, "unknown": uuid.Nil, "": uuid.Nil,
		} {
			a := admit(t, db, asks(key))
			if want == uuid.Nil {
				if a.Store != nil || a.Key != nil || a.Budget.Limit != commerce.DefaultRateLimit || !a.Budget.Granted {
					t.Errorf("key %q: %+v, want no store and a client's budget", key, a)
				}
				continue
			}
			if a.Store == nil || a.Store.ID != want || a.Key == nil || a.Key.Name != key || a.Key.Hash != *secret(key) {
				t.Errorf("key %q: store %+v, key %+v; want store %s", key, a.Store, a.Key, want)
			}
		}
		if got := admit(t, db, asks("elsewhere")).Key.Scopes.Names(); !slices.Equal(got, []string{"commerce:read", "catalog:read"}) {
			t.Errorf("scopes %v", got)
		}
	})
}

func TestAKeyOfAStoreLoadedElsewhereIsFound(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		theShop().save(t, node(t, s))
		db := node(t, s) // has never heard of the store
		if a := admit(t, db, asks("key")); a.Store == nil || a.Store.Name != "Shop" || a.Store.Secret == ([32]byte{}) || a.Key == nil {
			t.Errorf("store %+v, key %+v; want the shop with its secret", a.Store, a.Key)
		}
		hint := s.Client().Get(background, keyHint(*secret("key"))).Val()
		if hint != shopID.String() {
			t.Errorf("hint %q, want %s", hint, shopID)
		}
	})
}

func TestAHintToAStoreThatIsNotThereResolvesToNobody(t *testing.T) {
	s := redistest.Mini(t)
	db, client := node(t, s), s.Client()
	for key, hint := range map[string]string{"a": otherShop.String(), "b": "garbage", "c": ""} {
		client.Set(background, keyHint(*secret(key)), hint, 0)
		if a := admit(t, db, asks(key)); a.Store != nil || a.Key != nil {
			t.Errorf("hint %q: store %+v, key %+v", hint, a.Store, a.Key)
		}
	}
}

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
			got := make([]commerce.Budget, len(batch))
			for i, a := range batch {
				if err := <-a.done; err != nil {
					t.Fatalf("%s, number %d: %v", queue[i], i, err)
				}
				got[i] = budget(a.decision)
				got[i].Reset, got[i].RetryAfter = time.Time{}, 0
			}
			granted := func(limit, remaining int) commerce.Budget {
				return commerce.Budget{Granted: true, Limit: limit, Remaining: remaining}
			}
			want := []commerce.Budget{
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
	if client, err := netip.ParseAddr(who); err == nil {
		ask := asks("")
		ask.Client = client
		return db.newAdmission(ask, nil)
	}
	ask := asks(who)
	slot, err := db.stores.find(ask)
	if err != nil || slot == nil {
		t.Fatalf("find(%s) = %v, %v", who, slot, err)
	}
	return db.newAdmission(ask, slot)
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
				budgets := make([]commerce.Budget, 100)
				for i := range budgets {
					wg.Go(func() {
						a, err := nodes[i%2].Admit(asks("key"))
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
func checkBudgets(t *testing.T, budgets []commerce.Budget, limit int) {
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
	want := commerce.Budget{Limit: 1, RetryAfter: 40 * time.Second, Reset: noon.Add(-time.Hour + time.Minute)}
	if got.Budget != want || !got.Now.Equal(noon) {
		t.Errorf("at %v %+v, want at %v %+v", got.Now, got.Budget, noon, want)
	}
}
