package persistence

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// Each step of a login or a reset is one round trip, for a known and for an unknown address.
func TestRoundTripsOfLoginAndReset(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		shopWith(theCustomer()).save(t, db)
		visitor := engine.Caller{Addr: stranger.Addr, Forwarded: true}
		admit(t, db, asks("key"))
		trips := shoptest.CountTrips(db.client.Redis)
		for email, known := range map[string]bool{"ada@example.com": true, "nobody@example.com": false} {
			if found := find(t, db, email); (found.Record != nil) != known {
				t.Errorf("%s: found %+v", email, found.Record)
			}
			trips.Want(t, email, []string{"evalsha"})
			for _, caller := range []engine.Caller{stranger, visitor} {
				_, takeBack := login(t, db, email, caller)
				trips.Want(t, "a failed login", []string{"evalsha"})
				takeBack()
				removals := []string{"lrem"}
				if caller.Forwarded {
					removals = append(removals, "lrem")
				}
				trips.Want(t, "a login that is taken back", removals)
			}
		}
		if err := db.EmptyTrip(shopID, soonest()); err != nil {
			t.Fatal(err)
		}
		trips.Want(t, "a trip that changes nothing", []string{"evalsha"})
		send(t, db, contactVisit(t, db, "ada@example.com", func(c *commerce.Contact) { c.Phone = "1" }))
		trips.Want(t, "an account and its visit", []string{"evalsha"}, []string{"evalsha"})
	})
}

// login begins a login on a Redis that answers.
func login(t testing.TB, db *DB, email string, caller engine.Caller) (engine.Budget, func()) {
	t.Helper()
	budget, takeBack, err := db.BeginLogin(shopID, email, caller, soonest())
	if err != nil {
		t.Fatal(err)
	}
	return budget, takeBack
}

// A visitor whom a trusted proxy names may fail 100 times an hour over all addresses. Without a
// proxy that names visitors there is no such limit.
func TestVisitorMayFailAHundredTimesAnHour(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	now := noon
	s.Mini.SetTime(now)
	visitor := engine.Caller{Addr: netip.MustParseAddr("2001:db8::1"), Forwarded: true}
	neighbour := engine.Caller{Addr: netip.MustParseAddr("2001:db8::2"), Forwarded: true} // of the same /64
	shared := engine.Caller{Addr: visitor.Addr}
	want := func(b engine.Budget, granted bool, limit, remaining int) {
		t.Helper()
		if b.Granted != granted || b.Limit != limit || b.Remaining != remaining {
			t.Errorf("got %+v, want granted %v, %d of %d", b, granted, remaining, limit)
		}
	}
	for i := range 100 {
		b, _ := login(t, db, fmt.Sprint("a@b", i), []engine.Caller{visitor, neighbour}[i%2])
		if left := commerce.CallerFailures - i; left < commerce.LoginFailures { // the smaller budget is returned
			want(b, true, commerce.CallerFailures, left)
		} else {
			want(b, true, commerce.LoginFailures, commerce.LoginFailures)
		}
	}
	full, _ := login(t, db, "ada@example.com", visitor)
	want(full, false, commerce.CallerFailures, 0)
	if full.RetryAfter != time.Hour {
		t.Errorf("retry after %v, want an hour", full.RetryAfter)
	}
	b, _ := login(t, db, "ada@example.com", shared)
	want(b, true, commerce.LoginFailures, commerce.LoginFailures)
	s.Mini.SetTime(now.Add(commerce.CallerWindow))
	b, _ = login(t, db, "ada@example.com", visitor)
	want(b, true, commerce.LoginFailures, commerce.LoginFailures)
}

// At most a fixed number of unknown codes is accepted in a window, also of concurrent requests.
// CodeBudget counts nothing, and a try that revealed nothing is taken back.
func TestUnknownCodesAreCounted(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		caller, cart := netip.MustParseAddr("192.0.2.1"), engine.RecordKey{Store: shopID, ID: testID(1)}
		budget := func() engine.Budget {
			b, err := db.CodeBudget(cart, caller, soonest())
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		for i := range commerce.UnknownCodes {
			if b := budget(); !b.Granted || b.Remaining != commerce.UnknownCodes-i {
				t.Fatalf("ahead of try %d: %+v", i, b)
			}
			b, takeBack, err := db.BeginCode(cart, caller, soonest())
			if err != nil || !b.Granted {
				t.Fatalf("try %d: %+v, %v", i, b, err)
			}
			takeBack()
			if b, _, err := db.BeginCode(cart, caller, soonest()); err != nil || !b.Granted {
				t.Fatalf("try %d: %+v, %v", i, b, err)
			}
		}
		b, takeBack, err := db.BeginCode(cart, caller, soonest())
		if err != nil || b.Granted || b.RetryAfter <= 0 || b.RetryAfter > commerce.CodeWindow {
			t.Errorf("one too many: %+v, %v", b, err)
		}
		takeBack() // of an attempt that never began: no effect
		if b := budget(); b.Granted || b.Remaining != 0 || b.Limit != commerce.UnknownCodes {
			t.Errorf("afterwards: %+v", b)
		}
		for _, other := range []struct {
			store, cart uuid.UUID
			caller      string
		}{
			{otherShop, cart.ID, "192.0.2.1"}, {shopID, testID(2), "192.0.2.1"},
			{shopID, cart.ID, "192.0.2.2"}, {shopID, cart.ID, "2001:db8::1"},
		} {
			k := engine.RecordKey{Store: other.store, ID: other.cart}
			if b, err := db.CodeBudget(k, netip.MustParseAddr(other.caller), soonest()); err != nil || b.Remaining != commerce.UnknownCodes {
				t.Errorf("%+v: %+v, %v", other, b, err)
			}
		}
	})
}
