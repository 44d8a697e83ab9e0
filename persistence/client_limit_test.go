package persistence

import (
	"net/netip"
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
		eventually(t, "a key without the limit", patience, func() bool { return granted() && granted() && granted() })
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
