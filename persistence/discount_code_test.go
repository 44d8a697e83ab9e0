package persistence

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/stores"
)

// voucherShop is a store with a discount of two batches of codes.
func voucherShop() shop {
	s := theShop()
	batch := func(n int, prefix string) object {
		return object{"number": n, "prefix": prefix, "secret": "whsec_QmF0Y2ggMCBvZiB0aGUgcmFpbHMuIE5vLg==", "active": n == 1}
	}
	s.Discounts = []object{{"id": testID(0xd1), "name": "Voucher", "kind": "order", "value": object{"type": "fixed", "amount": 500},
		"code_batches": []object{batch(1, "ONE"), batch(2, "TWO")}}}
	return s
}

// requesting is a request for codes of batch 1.
func requesting(t testing.TB, db *DB, key *engine.IdempotencyKey, count int64, from ...int64) (*engine.Request, *commerce.CodeRequest) {
	t.Helper()
	r, q := countedAsk(t, db, "key"), &commerce.CodeRequest{Discount: testID(0xd1), Batch: 1, Count: count}
	r.Idempotency = key
	if len(from) > 0 {
		q.From = &from[0]
	}
	return r, q
}

func give(t testing.TB, db *DB, key *engine.IdempotencyKey, count int64, from ...int64) (engine.GivenCodes, error) {
	t.Helper()
	return db.GiveCodes(requesting(t, db, key, count, from...))
}

// wantSerials gives codes, and compares the first serial.
func wantSerials(t testing.TB, db *DB, key *engine.IdempotencyKey, first, count int64, replayed bool, from ...int64) {
	t.Helper()
	got, err := give(t, db, key, count, from...)
	if err != nil || got.First != first || got.Count != count || got.Replayed != replayed || got.Discount.ID != testID(0xd1) || got.Batch.Number != 1 {
		t.Errorf("%d codes from %v: %+v, %v; want first serial %d, replayed %v", count, from, got, err, first, replayed)
	}
}

// wantTooFew wants a refusal that says how many codes are left.
func wantTooFew(t testing.TB, db *DB, left string, count int64, from ...int64) {
	t.Helper()
	var refusal *commerce.Refusal
	_, err := give(t, db, nil, count, from...)
	if !errors.As(err, &refusal) || refusal.Fields[0].Field != "count" ||
		refusal.Fields[0].Messages[0].Text() != "The count field must not be greater than "+left+"." {
		t.Errorf("%d codes from %v: %v; want that %s are left", count, from, err, left)
	}
}

// docs/api/discounts.md#batches-of-codes: without from the codes are those that were never given.
func TestCodesAreGivenOnce(t *testing.T) {
	eachNode(t, func(t *testing.T, _ *redistest.Server, db *DB) {
		voucherShop().save(t, db)
		wantSerials(t, db, nil, 0, 3, false)
		wantSerials(t, db, once(1), 3, 2, false)
		wantSerials(t, db, nil, 5, 1, false)
		wantSerials(t, db, once(1), 3, 2, true)       // a replay gives the same codes
		wantSerials(t, db, nil, 0, 6, false, 0)       // given codes again
		wantSerials(t, db, nil, 6, 1, false)          // which takes none away
		wantSerials(t, db, once(2), 10, 5, false, 10) // codes that were never given
		wantSerials(t, db, nil, 15, 1, false)         // are given by then
		wantSerials(t, db, once(2), 10, 5, true, 10)
		other := once(1)
		other.Request[0]++
		if _, err := give(t, db, other, 9); !errors.Is(err, commerce.IdempotencyKeyReused) {
			t.Errorf("another request under the key: %v", err)
		}
		wantSerials(t, db, nil, 16, 1, false)
	})
}

// A batch has 1,048,576 codes; a request gets all that it asks for, or none.
func TestABatchEnds(t *testing.T) {
	eachNode(t, func(t *testing.T, _ *redistest.Server, db *DB) {
		voucherShop().save(t, db)
		wantSerials(t, db, nil, commerce.BatchCodes-5, 2, false, commerce.BatchCodes-5)
		wantTooFew(t, db, "3", 4)
		wantTooFew(t, db, "3", 10_000)
		wantTooFew(t, db, "4", 5, commerce.BatchCodes-4)
		wantSerials(t, db, nil, commerce.BatchCodes-3, 3, false)
		wantTooFew(t, db, "0", 1)
		wantSerials(t, db, nil, commerce.BatchCodes-1, 1, false, commerce.BatchCodes-1)
		wantSerials(t, db, nil, 7, 1, false, 7)
		wantTooFew(t, db, "0", 1)
	})
}

// Batches count apart. An operator's command counts with the requests. An unknown batch is refused.
func TestEachBatchCountsItsCodes(t *testing.T) {
	eachNode(t, func(t *testing.T, _ *redistest.Server, db *DB) {
		voucherShop().save(t, db)
		wantSerials(t, db, nil, 0, 3, false)
		q := &commerce.CodeRequest{Discount: testID(0xd1), Batch: 2, Count: 4}
		for _, first := range []int64{0, 4} { // also of an inactive batch
			if given, err := db.GiveCodesTo(background, shopID, q, "a test"); err != nil || given.First != first || given.Next() != first+4 {
				t.Errorf("batch 2: %+v, %v; want %d", given, err, first)
			}
		}
		q.Batch = 1
		if given, err := db.GiveCodesTo(background, shopID, q, "a test"); err != nil || given.First != 3 || len(given.Codes()) != 4 ||
			!strings.HasPrefix(given.Codes()[3], "ONE-0006") {
			t.Errorf("batch 1: %+v, %v", given, err)
		}
		wantSerials(t, db, nil, 7, 1, false)
		r, unknown := requesting(t, db, nil, 1)
		unknown.Batch = 3
		var refusal *commerce.Refusal
		if _, err := db.GiveCodes(r, unknown); !errors.As(err, &refusal) || refusal.Fields[0].Field != "batch" {
			t.Errorf("an unknown batch: %v", err)
		}
		given, err := db.CodesGiven(background, shopID)
		var lines []stores.GivenCodes
		for _, g := range given {
			lines = append(lines, stores.GivenCodes{Batch: g.Batch, Count: g.Count, Next: g.Next, By: g.By})
		}
		want := []stores.GivenCodes{
			{Batch: 1, Count: 1, Next: 8, By: "key key"}, {Batch: 1, Count: 4, Next: 7, By: "a test"}, {Batch: 2, Count: 4, Next: 8, By: "a test"},
			{Batch: 2, Count: 4, Next: 4, By: "a test"}, {Batch: 1, Count: 3, Next: 3, By: "key key"},
		}
		if err != nil || !slices.Equal(lines, want) || given[0].At.IsZero() || given[0].Discount != testID(0xd1) {
			t.Errorf("the history: %+v, %v", given, err)
		}
	})
}

// Two nodes that are asked for codes at once never give a serial twice.
func TestTwoNodesNeverGiveASerialTwice(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		nodes := []*DB{node(t, s), node(t, s)}
		shop := voucherShop()
		shop.Limit = 10_000
		shop.save(t, nodes[0])
		var all sync.WaitGroup
		var mu sync.Mutex
		var serials []int64
		for i := range 8 {
			all.Go(func() {
				for n := range 10 {
					count := int64(1 + (i+n)%7)
					given, err := give(t, nodes[i%2], nil, count)
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					for serial := given.First; serial < given.Next(); serial++ {
						serials = append(serials, serial)
					}
					mu.Unlock()
				}
			})
		}
		all.Wait()
		slices.Sort(serials)
		for i, serial := range serials {
			if serial != int64(i) {
				t.Fatalf("serial %d of %d is %d", i, len(serials), serial)
			}
		}
	})
}

// A request that was judged under another head gives nothing.
func TestCodesUnderANewHead(t *testing.T) {
	eachNode(t, func(t *testing.T, _ *redistest.Server, db *DB) {
		voucherShop().save(t, db)
		r, q := requesting(t, db, nil, 3)
		limitedShop(t, db, 7)
		if given, err := db.GiveCodes(r, q); err != engine.ErrOutdated {
			t.Errorf("%+v, %v; want ErrOutdated", given, err)
		}
		voucherShop().save(t, db)
		wantSerials(t, db, nil, 0, 1, false)
	})
}

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
