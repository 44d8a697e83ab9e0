package persistence

import (
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// A read and a visit cost one round trip each, with cold records too.
func TestRoundTripsOfARequest(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		resident := false
		db := node(t, s, func(c *Config) {
			c.ResidentCart = func(engine.RecordKey) *engine.CartRecord {
				if resident {
					return &engine.CartRecord{}
				}
				return nil
			}
		})
		theShop().save(t, db)
		first := cartAt(1, "")
		store(t, db, first)
		admit(t, db, asks("key"))
		trips := shoptest.CountTrips(db.client.Redis)
		read := func(edit func(*engine.Request)) {
			ask := asks("key")
			ask.CartID = first.State.ID
			edit(ask)
			admit(t, db, ask)
		}
		read(func(*engine.Request) {})
		trips.Want(t, "a cold record", []string{"evalsha", "get"})
		read(func(a *engine.Request) { a.Token = secret("a token") })
		trips.Want(t, "a cold record with a token", []string{"evalsha", "get", "evalsha"})
		resident = true
		read(func(*engine.Request) {})
		trips.Want(t, "a resident record", []string{"evalsha", "getrange"})
		read(func(a *engine.Request) { a.CartID, a.KeyHash = testID(0), commerce.KeyHash{} })
		trips.Want(t, "a request without a key", []string{"evalsha"})
		send(t, db, withKeys(replacing(first.Stamp, cartAt(2, "")), once(1)))
		trips.Want(t, "a write with a guest and a key", []string{"evalsha"})
		if _, err := load(t, db); err != nil {
			t.Fatal(err)
		}
		trips.Want(t, "a load", []string{"get"})
		admit(t, db, asks("unknown"))
		trips.Want(t, "an unknown key", []string{"get"}, []string{"evalsha"})
	})
}

func TestRequestPastItsDeadlineDoesNotMakeRedisUnreachable(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	late := asks("key") // its store is not loaded yet
	late.Deadline = time.Now().Add(-time.Second)
	if got, err := tryAdmit(db, late); err != engine.ErrUnavailable {
		t.Errorf("Admit = %+v, %v; want ErrUnavailable", got, err)
	}
	if db.Away() {
		t.Error("Redis counts as unreachable")
	}
	admit(t, db, asks("key"))
}
