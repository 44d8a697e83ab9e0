package persistence

import (
	"net/netip"
	"slices"
	"syscall"
	"testing"
	"time"

	"cartd/engine"
	"cartd/internal/redistest"
)

// clientShop limits each client, but not those of the key "office".
func clientShop(limit int) shop {
	s := merchantShop(100)
	s.Limits = object{"per_client": limit}
	s.Keys[1]["client_limit"] = false
	return s
}

// asksFrom is asks of a client.
func asksFrom(key, addr string) *engine.Request {
	r := asks(key)
	r.Caller.Addr = netip.MustParseAddr(addr)
	return r
}

// admitted is admit, and sets the facts and the client's budget of the request.
func admitted(t testing.TB, db *DB, r *engine.Request) *engine.Request {
	t.Helper()
	if err := db.Admit(r); err != nil {
		t.Fatalf("Admit(%+v) = %v", *r, err)
	}
	return r
}

// A client's request beyond its limit is refused by the node's memory: Redis neither counts it nor hears of
// it. Each node counts alone.
func TestClientBeyondItsLimit(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, other := node(t, s), node(t, s)
		clientShop(2).save(t, db)
		for i, c := range []struct {
			db        *DB
			key, addr string
			left      int // -1 for a refused one
		}{
			{db, "key", "192.0.2.1", 1}, {db, "key", "192.0.2.1", 0}, {db, "key", "192.0.2.1", -1}, {other, "key", "192.0.2.1", 1},
			{db, "key", "192.0.2.2", 1}, {db, "key", "2001:db8::1", 1}, {db, "key", "2001:db8::2", 0}, {db, "key", "2001:db8::3", -1},
		} {
			a := admitted(t, c.db, asksFrom(c.key, c.addr))
			want := engine.Budget{Granted: c.left >= 0, Limit: 2, Remaining: max(0, c.left)}
			if got := bare(a.Client); got != want || a.Counted != want.Granted || a.Key == nil || a.Store == nil {
				t.Errorf("request %d, %+v: %+v, counted %v; want %+v", i, c, got, a.Counted, want)
			}
		}
		wantCounted(t, s, 6)
		for range 4 {
			if a := admitted(t, db, asksFrom("office", "192.0.2.1")); a.Client != (engine.Budget{}) || !a.Budget.Granted {
				t.Errorf("a key without the limit: %+v", a.Client)
			}
		}
		wantCounted(t, s, 10)
	})
}

// A request is counted once for its client, however often its facts are gathered: a write that the node
// judges by its memory, and that is refreshed or admitted later.
func TestRequestCountsOnceForItsClient(t *testing.T) {
	eachNode(t, func(t *testing.T, _ *redistest.Server, db *DB) {
		clientShop(5).save(t, db)
		admit(t, db, asks("key"))
		r := asks("key")
		r.Write = true
		for range 3 {
			if known, err := db.Recall(r); !known || err != nil {
				t.Fatalf("Recall: %v, %v", known, err)
			}
			if err := db.Refresh(shopID, r); err != nil {
				t.Fatal(err)
			}
			admitted(t, db, r)
		}
		if r.Client.Remaining != 3 {
			t.Errorf("%+v, want 3 left after two requests", r.Client)
		}
	})
}

// A write beyond the limit costs no trip either, also with a token that the node does not know.
func TestWriteBeyondTheClientsLimit(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		clientShop(1).save(t, db)
		admit(t, db, asks("key"))
		r := asks("key")
		r.Write, r.Token = true, secret("a token")
		if known, err := db.Recall(r); !known || err != nil || r.Client.Granted || r.Key == nil {
			t.Errorf("Recall: %v, %v, %+v", known, err, r.Client)
		}
		wantCounted(t, s, 1)
	})
}

// A suspended store answers 403 whatever its clients did: they are not counted.
func TestClientsOfASuspendedStore(t *testing.T) {
	eachNode(t, func(t *testing.T, _ *redistest.Server, db *DB) {
		clientShop(1).save(t, db)
		if err := db.Suspend(background, shopID, true); err != nil {
			t.Fatal(err)
		}
		admit(t, db, asks("key"))
		for range 3 {
			if a := admitted(t, db, asks("key")); a.Client.Limit != 0 || !a.Store.Suspended || !a.Counted {
				t.Errorf("client %+v, counted %v", a.Client, a.Counted)
			}
		}
	})
}

// The first request after an import, however long ago that was, is judged by the new limits: of clients, and
// of what is reserved for carts.
func TestFirstRequestAfterAnImportOfLimits(t *testing.T) {
	for name, c := range map[string]struct {
		before, after object
		write         bool
		client        engine.Budget
		left          int // of the store's limit of 10, after four other requests; -1 for a refused one
	}{
		"a limit of clients": {nil, object{"per_client": 5}, false, engine.Budget{Granted: true, Limit: 5, Remaining: 4}, 5},
		"a higher one":       {object{"per_client": 5}, object{"per_client": 7}, false, engine.Budget{Granted: true, Limit: 7, Remaining: 2}, 5},
		"a lower one":        {object{"per_client": 5}, object{"per_client": 4}, false, engine.Budget{Limit: 4}, 5},
		"none any more":      {object{"per_client": 5}, nil, false, engine.Budget{}, 5},
		"of a write":         {nil, object{"per_client": 5}, true, engine.Budget{Granted: true, Limit: 5, Remaining: 4}, 0},
		"a reserve":          {nil, object{"reserved_for_carts": 5}, false, engine.Budget{}, 0},
		"a larger one":       {object{"reserved_for_carts": 1}, object{"reserved_for_carts": 2}, false, engine.Budget{}, 3},
		"a smaller one":      {object{"reserved_for_carts": 5}, object{"reserved_for_carts": 4}, false, engine.Budget{}, 1},
		"no reserve":         {object{"reserved_for_carts": 5}, nil, false, engine.Budget{}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			s := redistest.Mini(t)
			db, importer := node(t, s), node(t, s)
			imported := func(limits object) {
				sold := merchantShop(10)
				sold.Limits = limits
				sold.save(t, importer)
			}
			s.Mini.SetTime(noon)
			imported(c.before)
			for range 4 {
				admitted(t, db, asks("key"))
			}
			s.Mini.SetTime(noon.Add(-30 * time.Second))
			imported(c.after)
			s.Mini.SetTime(noon)
			r := asks("key")
			r.Unreserved, r.Write = !c.write, c.write
			if c.write {
				if known, err := db.Recall(r); !known || err != nil {
					t.Fatalf("Recall: %v, %v", known, err)
				}
				if err := db.Refresh(shopID, r); err != nil {
					t.Fatal(err)
				}
			} else if admitted(t, db, r); bare(r.Budget) != (engine.Budget{Granted: true, Limit: 10, Remaining: c.left}) {
				t.Errorf("%+v, want %d left", r.Budget, c.left)
			}
			if got := bare(r.Client); got != c.client {
				t.Errorf("client %+v, want %+v", got, c.client)
			}
		})
	}
	t.Run("a reserve that is used up", func(t *testing.T) {
		s := redistest.Mini(t)
		db, importer := node(t, s), node(t, s)
		sold := merchantShop(10)
		s.Mini.SetTime(noon)
		sold.save(t, importer)
		for range 5 {
			admitted(t, db, asks("key"))
		}
		s.Mini.SetTime(noon.Add(-30 * time.Second))
		sold.Limits = object{"reserved_for_carts": 5}
		sold.save(t, importer)
		s.Mini.SetTime(noon)
		r := asks("key")
		r.Unreserved = true
		if admitted(t, db, r); r.Budget.Granted || !r.Budget.Reserved {
			t.Errorf("%+v, want a refusal", r.Budget)
		}
	})
}

// A client that is refused follows an import all the same: of another limit, and of a key without it.
func TestRefusedClientFollowsAnImport(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		other := node(t, s)
		clientShop(1).save(t, db)
		granted := func() bool {
			a := admitted(t, db, asks("key"))
			return a.Client.Limit == 0 || a.Client.Granted
		}
		if !granted() || granted() {
			t.Fatal("the limit is 1")
		}
		clientShop(2).save(t, other)
		eventually(t, "a higher limit", patience, granted)
		exempt := clientShop(2)
		exempt.Keys[0]["client_limit"] = false
		exempt.save(t, other)
		eventually(t, "a key without the limit", patience, func() bool {
			return !slices.Contains([]bool{granted(), granted(), granted()}, false)
		})
	})
}

// BenchmarkAdmitClient measures what limits inside a store cost a request: the bound of its request limit, and
// the count of its client.
func BenchmarkAdmitClient(b *testing.B) {
	for _, c := range []struct {
		name   string
		limits object
	}{{"both off", nil}, {"both on", object{"per_client": 2_000_000_000, "reserved_for_carts": 50}}} {
		b.Run(c.name, func(b *testing.B) {
			db := node(b, redistest.Mini(b))
			s := theShop()
			s.Limits = c.limits
			s.save(b, db)
			admit(b, db, asks("key"))
			entry, clients := db.Stores.Entry(shopID), make([]*engine.Request, 1000)
			for i := range clients {
				clients[i] = browses("key")
				clients[i].Caller.Addr = netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)})
			}
			b.ReportAllocs()
			began, i := processorTime(b), 0
			for ; b.Loop(); i++ {
				r := clients[i%len(clients)]
				r.Client = engine.Budget{}
				if !db.admitClient(r, entry) || boundOf(r, entry).Limit == 0 {
					b.Fatal("refused")
				}
			}
			b.ReportMetric(float64((processorTime(b)-began).Nanoseconds())/float64(i), "cpu-ns/op")
		})
	}
}

// processorTime is what this process has used of processors, which other work on the machine does not change.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
