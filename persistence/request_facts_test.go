package persistence

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// store writes a cart of the shop into Redis.
func store(t testing.TB, db *DB, r engine.CartRecord) {
	t.Helper()
	wantOutcome(t, db, replacing(none.Stamp, r), engine.Done, none)
}

func TestAdmissionReadsARecordOrItsStamp(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		record := func(id int) engine.CartRecord {
			r := cartAt(7, "a@b.co")
			r.State.ID = testID(id)
			return r
		}
		residentCart, cold, outdated := record(0x1), record(0x3), &engine.CartRecord{Stamp: engine.Stamp{Counter: 6}}
		resident := map[uuid.UUID]*engine.CartRecord{testID(0x1): &residentCart, testID(0x2): outdated, testID(0x5): outdated}
		db := node(t, s, func(c *Config) {
			c.ResidentCart = func(k engine.RecordKey) *engine.CartRecord {
				if k.Store != shopID {
					return nil
				}
				return resident[k.ID]
			}
		})
		theShop().save(t, db)
		changed := record(0x5)
		store(t, db, residentCart)
		store(t, db, cold)
		store(t, db, changed)
		for _, c := range []struct {
			what string
			cart int
			want engine.Sighting[*commerce.Cart]
		}{
			{"resident", 0x1, engine.Sighting[*commerce.Cart]{Stamp: residentCart.Stamp, Record: &residentCart, Resident: true}},
			{"another one in memory", 0x5, engine.Sighting[*commerce.Cart]{Stamp: changed.Stamp}},
			{"in memory, not in Redis", 0x2, engine.Sighting[*commerce.Cart]{}},
			{"cold", 0x3, engine.Sighting[*commerce.Cart]{Stamp: cold.Stamp, Record: &cold}},
			{"missing", 0x4, engine.Sighting[*commerce.Cart]{}},
		} {
			ask := asks("key")
			ask.CartID = testID(c.cart)
			if got := admit(t, db, ask).Cart; !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: seen %+v, want %+v", c.what, got, c.want)
			}
		}
	})
}

func TestNowIsTheTimeOfRedis(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
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
func TestKeysThatResolve(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		first, second := theShop(), theShop()
		first.Keys = append(first.Keys, apiKey("old", "commerce:read"))
		first.Keys[1]["revoked"] = true
		second.ID, second.Name, second.Keys = otherShop, "Other", []object{apiKey("elsewhere", "commerce:read", "catalog:read")}
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

// A node that knows a key in its old store serves it in the new one from the first request on.
func TestNodeFollowsAKeyToAnotherStore(t *testing.T) {
	s := redistest.Mini(t)
	first, second := theShop(), shop{shoptest.Shop{ID: otherShop, Name: "Other", Keys: []object{apiKey("other")}}}
	first.Keys = append(first.Keys, apiKey("moves"))
	first.save(t, node(t, s))
	second.save(t, node(t, s))
	knowsBoth, knowsOne := node(t, s), node(t, s)
	admit(t, knowsBoth, asks("moves"))
	admit(t, knowsBoth, asks("other"))
	admit(t, knowsOne, asks("moves"))
	first.Keys, second.Keys = first.Keys[:1], append(second.Keys, apiKey("moves"))
	first.save(t, node(t, s))
	second.save(t, node(t, s))
	for _, db := range []*DB{knowsBoth, knowsOne} {
		a := admit(t, db, asks("moves"))
		if a.Store == nil || a.Store.ID != otherShop || a.Key == nil || !a.Budget.Granted {
			t.Errorf("the key opens %+v, want the other store", a)
		}
	}
	first.Keys = append(first.Keys, apiKey("goes"))
	first.save(t, node(t, s))
	admit(t, knowsBoth, asks("goes"))
	first.Keys = first.Keys[:1]
	first.save(t, node(t, s))
	if a := admit(t, knowsBoth, asks("goes")); a.Key != nil {
		t.Errorf("a key that is in no document any more resolves to %+v", a.Key)
	}
}

// A write is judged by the node's memory, on an idle and on a busy node. It is not counted yet,
// and costs no trip to Redis, except for an unknown token.
func TestRecallFromMemory(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		shopWith(theCustomer()).save(t, db)
		cold := asks("key")
		if known, err := db.Recall(cold); !known || err != nil || cold.Store.ID != shopID { // the store is loaded for it
			t.Fatalf("Recall = %v, %v", known, err)
		}
		trips := shoptest.CountTrips(db.client.Redis)
		for _, c := range []struct {
			what, token string
			known       bool
			trips       [][]string
		}{
			{what: "no token"},
			{"a cold token", "token-ada", true, [][]string{{"evalsha"}}},
			{"a warm token", "token-ada", true, nil},
			{"an unknown token", "unknown", false, [][]string{{"evalsha"}}},
		} {
			ask := asks("key")
			if c.token != "" {
				ask.Token = secret(c.token)
			}
			known, err := db.Recall(ask)
			trips.Want(t, c.what, c.trips...)
			now, heard := ask.Version.Clock.Now()
			if !known || err != nil || ask.Counted || !ask.Budget.Granted || ask.Key.Name != "key" || ask.Visitor.Known != c.known ||
				!heard || now.Sub(ask.Now).Abs() > patience || ask.Now.Nanosecond()%1e6 != 0 {
				t.Errorf("%s: Recall = %v, %v: %+v", c.what, known, err, ask.Facts)
			}
		}
		wantCounted(t, s, 0)
		for what, key := range map[string]string{"no key": "", "an unknown key": "unknown"} {
			if known, err := db.Recall(asks(key)); known || err != nil {
				t.Errorf("%s: Recall = %v, %v; want it unknown", what, known, err)
			}
		}
	})
}

func TestRecallWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	s := redistest.Mini(t)
	db := node(t, s, impatient)
	theShop().save(t, db)
	admit(t, db, asks("key"))
	s.Kill()
	eventually(t, "the node knows", patience, func() bool { tryAdmit(db, asks("key")); return db.Away() })
	if known, err := db.Recall(asks("key")); err != engine.ErrUnavailable {
		t.Errorf("Recall = %v, %v; want ErrUnavailable", known, err)
	}
	late := asks("key")
	late.Store, late.Deadline = &commerce.Store{ID: shopID}, time.Now().Add(silence)
	if err := db.Refresh(late.Store.ID, late); err != engine.ErrUnavailable {
		t.Errorf("Refresh = %v; want ErrUnavailable", err)
	}
}
