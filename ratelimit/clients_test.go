package ratelimit

import (
	"encoding/binary"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// address is the i-th of many IPv4 addresses.
func address(i int) netip.Addr {
	return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, uint32(10<<24+i))))
}

func TestClientsAreKeyedByAddressAndIPv6Network(t *testing.T) {
	var c Clients
	for addr, want := range map[string]string{
		"192.0.2.7":               "grants:client:192.0.2.7",
		"::ffff:192.0.2.7":        "grants:client:192.0.2.7",
		"2001:db8:1:2::1":         "grants:client:2001:db8:1:2::/64",
		"2001:db8:1:3::1":         "grants:client:2001:db8:1:3::/64",
		"fe80::1%eth0":            "grants:client:fe80::/64",
		"::ffff:192.0.2.7%lo":     "grants:client:192.0.2.7",
		"2001:db8:1:2::c000:0207": "grants:client:2001:db8:1:2::/64",
	} {
		for range 2 {
			if got := c.Key(netip.MustParseAddr(addr), noon); got != want {
				t.Errorf("Key(%s) = %q, want %q", addr, got, want)
			}
		}
	}
	if got := c.Key(netip.Addr{}, noon); got != "grants:client:*" {
		t.Errorf("Key(no address) = %q, want the shared one", got)
	}
}

func TestClientsBeyondTheBoundShareOneBudget(t *testing.T) {
	var c Clients
	for i := range maxClients {
		want := clientKey(address(i).String())
		if got := c.Key(address(i), noon.Add(time.Duration(i)*time.Microsecond)); got != want {
			t.Fatalf("client %d: Key = %q, want %q", i, got, want)
		}
	}
	late := noon.Add(clientWindow - time.Microsecond)
	wantKey(t, &c, maxClients, late, otherClients)
	wantKey(t, &c, maxClients+1, late, otherClients)
	wantKey(t, &c, 1, late, address(1).String())
	// A client that was not seen for a window makes room for another one.
	later := noon.Add(clientWindow)
	wantKey(t, &c, maxClients, later, address(maxClients).String())
	wantKey(t, &c, maxClients+1, later, otherClients)
	inOrder := 0
	for u := c.live.order.next; u != &c.live.order; u = u.next {
		inOrder++
	}
	if got := len(c.live.byKey); got != maxClients || inOrder != got {
		t.Errorf("%d clients are kept, %d in order; want %d", got, inOrder, maxClients)
	}
}

func TestClientsLeaveWhenTheClockWasFarAhead(t *testing.T) {
	var c Clients
	c.Key(address(0), noon.Add(24*time.Hour))
	c.Key(address(1), noon)
	if got := len(c.live.byKey); got != 1 {
		t.Errorf("%d clients are kept, want only the one of today", got)
	}
}

func TestClientsAreSafeForConcurrentUse(t *testing.T) {
	var c Clients
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 2000 {
				wantKey(t, &c, i%50, noon.Add(time.Duration(i)*time.Second), address(i%50).String())
			}
		})
	}
	wg.Wait()
}

func wantKey(t *testing.T, c *Clients, i int, now time.Time, client string) {
	t.Helper()
	if got, want := c.Key(address(i), now), clientKey(client); got != want {
		t.Errorf("client %d at %v: Key = %q, want %q", i, now, got, want)
	}
}

func BenchmarkClientsKey(b *testing.B) {
	var c Clients
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Key(address(i%maxClients), noon)
	}
}

var (
	oneStore     = uuid.UUID{1}
	anotherStore = uuid.UUID{2}
)

// No window of a minute has more requests than the limit. A request, which may count as several, all or none, is
// refused only if the minute and the second before it have too few left, and one that comes after RetryAfter
// is granted.
func TestClientCountsAreExactToASecond(t *testing.T) {
	alone(t)
	r := seeded(t)
	for range 60 {
		var c ClientCounts
		limit, now := 1+r.IntN(30), noon
		var granted []time.Time
		var open time.Time // a request at this time is granted
		again := 1         // it counts as so many
		for i := range 400 {
			now = now.Add([]time.Duration{0, time.Duration(r.Int64N(int64(time.Second))), time.Duration(r.Int64N(int64(8 * time.Second)))}[r.IntN(3)])
			if now.Before(open) && r.IntN(4) == 0 {
				now = open
			}
			if r.IntN(60) == 0 {
				limit = 1 + r.IntN(30)
				open = time.Time{}
			}
			n := 1
			if now.Equal(open) {
				n = again
			} else if r.IntN(5) == 0 {
				n += r.IntN(limit)
			}
			d := c.Decide(oneStore, address(1), n, limit, now)
			within := func(window time.Duration) (n int) {
				for _, at := range granted {
					if now.Sub(at) < window {
						n++
					}
				}
				return n
			}
			switch {
			case d.Granted && within(time.Minute)+n > limit:
				t.Fatalf("step %d: granted with %d of %d in the minute", i, within(time.Minute), limit)
			case !d.Granted && within(time.Minute+time.Second)+n <= limit:
				t.Fatalf("step %d: refused with %d of %d in 61 seconds", i, within(time.Minute+time.Second), limit)
			case !d.Granted && now.Equal(open):
				t.Fatalf("step %d: refused at the time that RetryAfter named", i)
			}
			if d.Granted {
				for range n {
					granted = append(granted, now)
				}
				open = time.Time{}
				if d.Limit != limit || d.Remaining < 0 || d.Remaining > limit-within(time.Minute) {
					t.Fatalf("step %d: %+v with %d in the minute", i, d, within(time.Minute))
				}
				continue
			}
			open, again = now.Add(d.RetryAfter), n
			if d.Limit != limit || d.Remaining < 0 || d.Remaining > max(0, limit-within(time.Minute)) || d.Remaining >= n ||
				d.RetryAfter > 61*time.Second || !d.Reset.Equal(open) {
				t.Fatalf("step %d: %+v", i, d)
			}
		}
	}
}

// A request that counts as more than the limit is never granted, and counts nothing.
func TestMoreThanTheLimitOfAClient(t *testing.T) {
	var c ClientCounts
	for i := range 3 {
		now := noon.Add(time.Duration(i) * time.Hour)
		if d := c.Decide(oneStore, address(1), 11, 10, now); d.Granted || d.Limit != 10 || d.Remaining != 10 || d.RetryAfter <= 0 || d.RetryAfter > 61*time.Second {
			t.Errorf("11 of 10: %+v", d)
		}
		if d := c.Decide(oneStore, address(1), 10, 10, now); !d.Granted || d.Remaining != 0 {
			t.Errorf("10 of 10: %+v", d)
		}
	}
}

func TestClientsOfStoresAreCountedApart(t *testing.T) {
	var c ClientCounts
	one := func(store uuid.UUID, addr string) bool {
		return c.Decide(store, netip.MustParseAddr(addr), 1, 1, noon).Granted
	}
	for _, want := range []struct {
		store   uuid.UUID
		addr    string
		granted bool
	}{
		{oneStore, "192.0.2.1", true}, {oneStore, "192.0.2.1", false}, {oneStore, "::ffff:192.0.2.1", false}, {oneStore, "192.0.2.2", true},
		{anotherStore, "192.0.2.1", true}, {oneStore, "2001:db8::1", true}, {oneStore, "2001:db8::2", false}, {oneStore, "2001:db8:0:1::1", true},
	} {
		if got := one(want.store, want.addr); got != want.granted {
			t.Errorf("%v of %v: granted %v", want.addr, want.store, got)
		}
	}
	if d := c.Decide(oneStore, netip.Addr{}, 1, 1, noon); d != (Decision{}) {
		t.Errorf("a request without an address: %+v", d)
	}
}

// A store counts 10,000 clients, a node 100,000. Further ones are not counted until others have left off
// for a minute.
func TestClientCountsBeyondTheBounds(t *testing.T) {
	var c ClientCounts
	counted := func(store, client int, now time.Time) bool {
		return c.Decide(uuid.UUID{byte(store)}, address(client), 1, 1000, now).Limit > 0
	}
	for store := range 12 {
		for client := range maxStoreClients + 1 {
			if got, want := counted(store, client, noon), client < maxStoreClients && store < 10; got != want {
				t.Fatalf("client %d of store %d is counted: %v", client, store, got)
			}
		}
	}
	if !counted(3, 17, noon) || counted(11, 0, noon) || c.Counted() != maxClients {
		t.Errorf("%d clients are counted", c.Counted())
	}
	late := noon.Add(time.Minute + 999*time.Millisecond)
	if counted(11, 0, noon.Add(time.Minute)) || !counted(3, 17, late) {
		t.Error("a client has left off too early")
	}
	for store, want := range map[int]bool{0: true, 3: true, 11: true} {
		if got := counted(store, maxStoreClients, late.Add(time.Second)); got != want {
			t.Errorf("store %d has room: %v", store, got)
		}
	}
	if got := c.Counted(); got != 4 || len(c.byStore) != 3 {
		t.Errorf("%d clients of %d stores are counted, want those of the last minute", got, len(c.byStore))
	}
}

// A million addresses of one store leave the memory within its bound, and the clients of another store
// are counted as before.
func TestAMillionAddresses(t *testing.T) {
	alone(t)
	var c ClientCounts
	before := heap()
	for i := range 1_000_000 {
		now := noon.Add(time.Duration(i) * 10 * time.Microsecond)
		c.Decide(oneStore, address(i), 1, 120, now)
		if i%1000 == 0 {
			if d := c.Decide(anotherStore, address(i%7000), 1, 1000, now); !d.Granted {
				t.Fatalf("a client of another store is refused: %+v", d)
			}
		}
	}
	if got := c.Counted(); got != maxStoreClients+7 {
		t.Errorf("%d clients are counted", got)
	}
	if grown := heap() - before; grown > 10<<20 {
		t.Errorf("%d bytes for %d clients", grown, c.Counted())
	}
	runtime.KeepAlive(&c)
}

// The memory of clients with requests in every second of a minute.
func TestMemoryOfBusyClients(t *testing.T) {
	alone(t)
	var c ClientCounts
	before := heap()
	for second := range 64 {
		for i := range maxStoreClients {
			c.Decide(oneStore, address(i), 1, 1000, noon.Add(time.Duration(second)*time.Second))
		}
	}
	if each := (heap() - before) / maxStoreClients; each > 1<<10 {
		t.Errorf("%d bytes a client, want at most 1 KiB", each)
	}
	runtime.KeepAlive(&c)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestClientCountsAreSafeForConcurrentUse(t *testing.T) {
	var c ClientCounts
	var wg sync.WaitGroup
	var granted atomic.Int64
	for range 8 {
		wg.Go(func() {
			for i := range 1000 {
				if c.Decide(oneStore, address(i%10), 1, 300, noon.Add(time.Duration(i)*time.Millisecond)).Granted {
					granted.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if got := granted.Load(); got != 10*300 {
		t.Errorf("%d requests of ten clients are granted, want 300 of each", got)
	}
}

func BenchmarkClientCounts(b *testing.B) {
	for name, clients := range map[string]int{"one client": 1, "all clients of a store": maxStoreClients, "all clients": maxClients} {
		b.Run(name, func(b *testing.B) {
			var c ClientCounts
			addresses := make([]netip.Addr, clients)
			for i := range addresses {
				addresses[i] = address(i)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c.Decide(uuid.UUID{byte(i % clients / maxStoreClients)}, addresses[i%clients], 1, 2_000_000_000, time.Now())
			}
		})
	}
}
