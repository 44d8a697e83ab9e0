package persistence

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/stores"
)

// The unknown codes of a basket count in one trip: each as a further request of the store and, if a trusted
// proxy named the visitor, as a try of the visitor. Beyond a budget the last one is not granted.
func TestUnknownCodesOfABasketCountAsRequests(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		limitedShop(t, db, 40)
		visitor := engine.Caller{Addr: netip.MustParseAddr("203.0.113.7"), Forwarded: true}
		ask := func(caller engine.Caller) *engine.Request {
			r := asks("key")
			r.Caller = caller
			r.Facts = admit(t, db, r)
			return r
		}
		count := func(r *engine.Request, unknown int) engine.Budget {
			t.Helper()
			tries, err := db.CountCodes(r, unknown, nil)
			if err != nil {
				t.Fatal(err)
			}
			return tries
		}
		first := ask(stranger)
		trips := shoptest.CountTrips(db.client.Redis)
		if tries := count(first, 3); tries != (engine.Budget{}) || first.Budget != granted(40, 36) {
			t.Errorf("three codes of a stranger: %+v, %+v", tries, first.Budget)
		}
		trips.Want(t, "three codes", []string{"evalsha"})
		own := ask(visitor)
		trips.Want(t, "an admission", []string{"evalsha"})
		if tries := count(own, 2); !tries.Granted || tries.Remaining != commerce.UnknownCodes-2 || own.Budget != granted(40, 33) {
			t.Errorf("two codes of a visitor: %+v, %+v", tries, own.Budget)
		}
		trips.Want(t, "two codes of a visitor", []string{"evalsha", "evalsha", "evalsha"})
		if tries := count(own, 0); !tries.Granted || tries.Remaining != commerce.UnknownCodes-2 || own.Budget != granted(40, 33) {
			t.Errorf("a known code of a visitor: %+v, %+v", tries, own.Budget)
		}
		trips.Want(t, "a known code of a visitor", []string{"evalsha"})
		for left := commerce.UnknownCodes - 2; left > 0; left -= 9 {
			if tries := count(ask(visitor), 9); !tries.Granted || tries.Remaining != left-9 {
				t.Errorf("nine codes more: %+v", tries)
			}
		}
		for _, unknown := range []int{0, 1} {
			if tries := count(ask(visitor), unknown); tries.Granted || tries.Limit != commerce.UnknownCodes || tries.RetryAfter <= 0 ||
				tries.RetryAfter > commerce.CodeWindow {
				t.Errorf("%d codes after twenty: %+v", unknown, tries)
			}
		}
		last := ask(stranger) // the 31st request
		if count(last, 9); last.Budget != granted(40, 0) {
			t.Errorf("nine codes at the end of the limit: %+v", last.Budget)
		}
		if count(last, 1); last.Budget.Granted || last.Budget.Limit != 40 || last.Budget.RetryAfter <= 0 {
			t.Errorf("a code beyond the limit: %+v", last.Budget)
		}
	})
}

// The counts of uses are read in the trip that counts the codes, or in one of their own.
func TestUsesOfABasketAreReadWithItsCodes(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		limitedShop(t, db, 40)
		discount, account := testID(0xd01), testID(0xada)
		uses := []commerce.Use{
			{Discount: discount, Counter: commerce.CountCode, Field: "7:99"},
			{Discount: discount, Counter: commerce.CountCustomer, Field: account.String()},
		}
		s.Client().HSet(background, stores.UsesKey(shopID, discount), account.String(), "3")
		warm := asks("key")
		warm.Facts = admit(t, db, warm)
		trips := shoptest.CountTrips(db.client.Redis)
		for unknown, want := range [][]string{{"hget", "hget"}, {"evalsha", "hget", "hget"}} {
			r := asks("key")
			r.Caller, r.Facts = stranger, admit(t, db, r)
			trips.Want(t, "an admission", []string{"evalsha"})
			tries, err := db.CountCodes(r, unknown, uses)
			trips.Want(t, "the codes", want)
			if err != nil || tries != (engine.Budget{}) || r.Counts == nil || !slices.Equal(r.Counts.Uses, uses) || !slices.Equal(r.Counts.Counts, []int64{0, 3}) {
				t.Errorf("%d unknown codes: %+v, %v, counts %+v; want 0 and 3", unknown, tries, err, r.Counts)
			}
		}
		s.Client().HSet(background, stores.UsesKey(shopID, discount), account.String(), "many")
		r := asks("key")
		r.Facts = admit(t, db, r)
		if _, err := db.CountCodes(r, 0, uses); err != engine.ErrUnavailable {
			t.Errorf("a count that is no number: %v", err)
		}
	})
}

// A node without Redis answers 503, and so does one whose log is broken.
func TestCodesWithoutRedis(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	r := asks("key")
	r.Caller = engine.Caller{Addr: netip.MustParseAddr("203.0.113.7"), Forwarded: true}
	r.Facts = admit(t, db, r)
	s.Mini.SetError("LOADING")
	for _, unknown := range []int{0, 1} {
		if _, err := db.CountCodes(r, unknown, nil); err != engine.ErrUnavailable {
			t.Errorf("%d codes: %v", unknown, err)
		}
	}
	s.Mini.SetError("")
	r.Deadline = time.Now().Add(-time.Second)
	if _, err := db.CountCodes(r, 1, nil); err != engine.ErrUnavailable {
		t.Errorf("too late: %v", err)
	}
}
