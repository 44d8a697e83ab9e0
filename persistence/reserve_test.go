package persistence

import (
	"sync"
	"testing"

	"cartd/engine"
	"cartd/internal/redistest"
)

// reservingShop is merchantShop with a part of its limit reserved for carts.
func reservingShop(limit, reserved int) shop {
	s := merchantShop(limit)
	s.Limits = object{"reserved_for_carts": reserved}
	return s
}

// browses is a request of a route that yields to carts.
func browses(key string) *engine.Request {
	r := asks(key)
	r.Guards, r.Unreserved = &engine.Guards{Fallback: true}, true
	return r
}

// reservedQueue are requests on a limit of 8, of which 3 are reserved, in order: whether each browses, and
// what is left for it; -1 for a refused one. The office does not yield.
var reservedQueue = []struct {
	key     string
	browses bool
	left    int
}{
	{"key", true, 4}, {"key", false, 6}, {"key", true, 2}, {"key", true, 1}, {"key", true, 0}, {"key", true, -1}, {"key", false, 2},
	{"key", true, -1}, {"office", true, 3}, {"key", false, 0}, {"key", false, -1}, {"key", true, -1}, {"office", true, 1},
}

// The last requests of the budget are not for routes that yield to carts: in Redis, and in the node's own
// window. The limit that is shown stays the store's.
func TestReserveIsForCarts(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s, impatient)
		reservingShop(8, 3).save(t, db)
		run := func(how string) {
			for i, c := range reservedQueue {
				r := browses(c.key)
				r.Unreserved = c.browses
				want := engine.Budget{Granted: c.left >= 0, Limit: 8, Remaining: max(0, c.left), Reserved: c.left < 0 && i < 9}
				if got := bare(admit(t, db, r).Budget); got != want {
					t.Errorf("%s: request %d, %+v: %+v, want %+v", how, i, c, got, want)
				}
			}
		}
		run("Redis")
		wantCounted(t, s, 9)
		if s.Mini != nil {
			return
		}
		s.Kill()
		eventually(t, "the node knows", patience, func() bool { wantRefused(t, db); return db.Away() })
		run("the node's own window")
	})
}

// At most half of the limit in force counts.
func TestReserveIsAtMostHalfOfTheLimit(t *testing.T) {
	eachNode(t, func(t *testing.T, _ *redistest.Server, db *DB) {
		for _, c := range []struct{ limit, reserved, left int }{{8, 0, 7}, {8, 4, 3}, {8, 5, 3}, {9, 2_000_000_000, 4}, {1, 1, 0}} {
			s := reservingShop(c.limit, c.reserved)
			s.ID, s.Keys = testID(c.limit*100+c.reserved%50), []object{apiKey(testID(c.reserved).String(), "commerce:read")}
			s.save(t, db)
			if got := bare(admit(t, db, browses(s.Keys[0]["name"].(string))).Budget); got != granted(c.limit, c.left) {
				t.Errorf("%+v: %+v", c, got)
			}
			dropKeys(t, db, s)
		}
		// The operator's limit counts, not the document's.
		s := reservingShop(100, 40)
		s.save(t, db)
		if err := db.Limit(background, shopID, 10); err != nil {
			t.Fatal(err)
		}
		if got := bare(admit(t, db, browses("key")).Budget); got != granted(10, 4) {
			t.Errorf("under the operator's limit of 10: %+v", got)
		}
	})
}

// dropKeys imports the shop without its keys, so that another one may have them.
func dropKeys(t *testing.T, db *DB, s shop) {
	t.Helper()
	s.Keys = nil
	s.save(t, db)
}

// The reserve is exact over two nodes, with reads of carts and of the catalogue, the merchant's requests and
// writes at the same time: 40 in all, 12 of them reserved.
func TestReserveIsExact(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		patient := func(c *Config) { c.Timeout = patience }
		nodes := []*DB{node(t, s, patient), node(t, s, patient)}
		reservingShop(40, 12).save(t, nodes[0])
		ask := func(i int, r *engine.Request) bool {
			got, err := tryAdmit(nodes[i%2], r)
			if err != nil {
				t.Errorf("Admit: %v", err)
			}
			return got.Budget.Granted
		}
		var wg sync.WaitGroup
		var mu sync.Mutex
		crawled, bought := 0, 0
		for i := range 120 {
			wg.Go(func() {
				granted := false
				switch {
				case i%4 > 0:
					granted = ask(i, browses("key"))
				default:
					granted = send(t, nodes[i%2], counting(replacing(none.Stamp, newCart(testID(i))), 1)).Budget.Granted
				}
				mu.Lock()
				defer mu.Unlock()
				if granted && i%4 > 0 {
					crawled++
				} else if granted {
					bought++
				}
			})
		}
		wg.Wait()
		if crawled > 28 || bought < 12 || crawled+bought > 40 {
			t.Errorf("%d of the crawl and %d writes are granted, want at most 28, and at least 12, of 40", crawled, bought)
		}
		for ask(0, asks("key")) {
			bought++
		}
		if crawled+bought != 40 || ask(1, browses("key")) {
			t.Errorf("%d and %d are granted, want 40 in all", crawled, bought)
		}
		wantCounted(t, s, 40)
	})
}

// A reserve that an import lowers, and one that follows a limit of the operator, count with the first
// request that they grant.
func TestReserveThatIsLowered(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		other := node(t, s)
		reservingShop(8, 4).save(t, other)
		for range 4 {
			admit(t, db, browses("key"))
		}
		if got := admit(t, db, browses("key")).Budget; got.Granted || !got.Reserved {
			t.Errorf("with 4 counted of 8, 4 of them reserved: %+v", got)
		}
		reservingShop(8, 1).save(t, other)
		eventually(t, "the node follows", patience, func() bool { return admit(t, db, browses("key")).Budget.Granted })
	})
}

// The unknown codes of a basket count as requests that yield.
func TestUnknownCodesYieldToCarts(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		reservingShop(8, 3).save(t, db)
		r := admitted(t, db, browses("key"))
		if _, err := db.CountCodes(r, 3, nil); err != nil || bare(r.Budget) != granted(8, 1) {
			t.Errorf("three codes: %+v, %v", r.Budget, err)
		}
		if _, err := db.CountCodes(r, 3, nil); err != nil || r.Budget.Granted || !r.Budget.Reserved {
			t.Errorf("three more: %+v, %v", r.Budget, err)
		}
		wantCounted(t, s, 5)
	})
}
