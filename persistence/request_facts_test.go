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
