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
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

// In one pipeline each store and each caller has its own budget, in queue order.
func TestPipelineGivesEachItsOwnBudgetInQueueOrder(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		small, large := theShop(), theShop()
		small.Limit = 2
		large.ID, large.Limit, large.Keys = otherShop, 4, []object{apiKey("large")}
		small.save(t, db)
		large.save(t, db)
		queue := []string{"key", "large", "1.1.1.1", "key", "large", "key", "2.2.2.2", "1.1.1.1", "large", "key", "large", "large"}
		batch := make([]*admission, len(queue))
		for i, who := range queue {
			batch[i] = queued(t, db, who)
		}
		main := shoptest.CountTrips(db.client.Redis)
		together(t, db, batch)
		if n := len(main.Collect()); n != 2 {
			t.Errorf("%d round trips, want the pipeline's and the one that follows", n)
		}
		got := make([]engine.Budget, len(batch))
		for i, a := range batch {
			if answered, _ := a.Wait(time.Now().Add(patience)); !answered || a.err != nil {
				t.Fatalf("%s, number %d: answered %v, %v", queue[i], i, answered, a.err)
			}
			got[i] = a.decision
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
}

// queued is the admission of a key, or of a caller's address.
func queued(t *testing.T, db *DB, who string) *admission {
	t.Helper()
	a := newAdmission().(*admission)
	a.db = db
	if client, err := netip.ParseAddr(who); err == nil {
		ask := asks("")
		ask.Caller.Addr = client
		db.fill(a, ask, nil)
		return a
	}
	ask := asks(who)
	entry, err := db.Stores.Find(ask)
	if err != nil || entry == nil {
		t.Fatalf("find(%s) = %v, %v", who, entry, err)
	}
	db.fill(a, ask, entry)
	return a
}

// checkBudgets fails unless each request of the limit was granted exactly once and each refused
// one has a time to retry.
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

// together sends operations on one shop in one pipeline, up to its size, and waits for their
// replies.
func together[O redisdb.Operation](t testing.TB, db *DB, ops []O) {
	t.Helper()
	for _, op := range ops {
		if !db.client.Queue(stores.HeadKey(shopID), op) {
			t.Fatal("an operation was not queued")
		}
	}
	db.client.Flush(time.Now().Add(patience))
	// a trip that follows them
	db.client.Run(time.Now().Add(patience), &redisdb.Call{Keys: []string{stores.HeadKey(shopID)}, Args: []any{"GET", stores.HeadKey(shopID)}})
}

// upTo lists the numbers from 0 to n-1.
func upTo(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}
