package ratelimit

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/google/uuid"
)

// write is a write of a store with 120 requests a minute, which may use its whole bucket.
func write(store uuid.UUID, bytes int, full float64) *Growing {
	return &Growing{Store: store, Limit: 120, Window: time.Minute, Bytes: bytes, Part: WholeBucket, Full: full}
}

func TestGrowthOfAStoreIsBounded(t *testing.T) {
	g := Growth{PerRequest: 4096}
	one, other, now := uuid.UUID{1}, uuid.UUID{2}, time.Unix(1_800_000_000, 0)
	grow := func(store uuid.UUID, bytes int, want bool) {
		t.Helper()
		if got := g.Grow(write(store, bytes, 0), now); got != want {
			t.Errorf("%d bytes at %v: %v, want %v", bytes, now, got, want)
		}
	}
	grow(one, GrowthBurst-1000, true)
	grow(one, 1001, false)
	grow(one, 1000, true)
	grow(one, 1, false)
	grow(other, GrowthBurst, true)
	now = now.Add(time.Second)
	grow(one, 120*4096/60+1, false)
	grow(one, 120*4096/60, true) // 480 KiB a minute
	g.Return(write(one, 500, 0))
	grow(one, 500, true)
	grow(one, 1, false)
	now = now.Add(-time.Hour) // the clock steps back
	grow(one, 1, false)
	now = now.Add(10 * time.Hour)
	grow(one, 2*GrowthBurst, true) // a whole bucket grants any record
	grow(one, 1, false)
}

// In any time a store takes at most a burst, and what its limit fills meanwhile.
func TestGrowthNeverExceedsItsBound(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	g, began := Growth{PerRequest: 4096}, time.Unix(1_800_000_000, 0)
	now, grown := began, 0
	for range 20_000 {
		now = now.Add(time.Duration(dice.Int64N(int64(time.Second))))
		if bytes := 1 + dice.IntN(1<<20); g.Grow(write(uuid.Nil, bytes, 0), now) {
			grown += bytes
		}
		if bound := GrowthBurst + int(now.Sub(began).Minutes()*120*4096) + 1; grown > bound {
			t.Fatalf("%d bytes in %v, at most %d", grown, now.Sub(began), bound)
		}
	}
}

// While memory is short a store grows by what its limit fills, also one that has not grown before.
func TestNoBurstsWhileMemoryIsShort(t *testing.T) {
	g, now := Growth{PerRequest: 4096}, time.Unix(1_800_000_000, 0)
	const fill = 120 * 4096
	grow := func(store byte, bytes int, full float64, want bool) {
		t.Helper()
		if got := g.Grow(write(uuid.UUID{store}, bytes, full), now); got != want {
			t.Errorf("store %d, %d bytes at %v: %v, want %v", store, bytes, full, got, want)
		}
	}
	grow(1, 10*fill, 0.8, true)
	grow(1, 1, 0.81, false)
	grow(1, 1, 0.8, true)
	grow(2, fill-1, 0.81, true)
	grow(2, 2, 0.81, false)
	now = now.Add(30 * time.Second)
	grow(1, fill/2, 0.81, true)
	grow(1, 1, 0.81, false)
	now = now.Add(time.Minute)
	grow(1, 3*fill, 0.95, true) // a whole bucket grants any write
	grow(1, 1, 0.95, false)
	grow(1, 1, 0.5, true)
}

// Visitors leave the last eighth to orders, and a merchant's writes may take a quarter more than all, also
// while memory is short.
func TestPartsOfABucket(t *testing.T) {
	g, now := Growth{PerRequest: 4096}, time.Unix(1_800_000_000, 0)
	const fill, merchant = 120 * 4096, WholeBucket + 2
	for _, c := range []struct {
		bytes, part int
		full        float64
		want        bool
	}{
		{GrowthBurst/8*7 - 1, VisitorsPart, 0, true}, {1, VisitorsPart, 0, true}, {1, VisitorsPart, 0, false},
		{GrowthBurst / 8, WholeBucket, 0, true}, {1, WholeBucket, 0, false}, {1, VisitorsPart, 0, false},
		{1, merchant, 0, true}, {fill / 4, merchant, 0.85, false}, {fill/4 - 1, merchant, 0.85, true}, {1, merchant, 0.85, false},
		{GrowthBurst / 4, merchant, 0, false}, {1, WholeBucket, 0, false},
	} {
		w := write(uuid.Nil, c.bytes, c.full)
		w.Part = c.part
		if got := g.Grow(w, now); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	g = Growth{PerRequest: 4096}
	for _, c := range []struct {
		bytes, part int
		want        bool
	}{{fill / 8 * 7, VisitorsPart, true}, {1, VisitorsPart, false}, {fill / 8, WholeBucket, true}, {1, WholeBucket, false},
		{fill / 4, merchant, true}, {1, merchant, false}} {
		w := write(uuid.Nil, c.bytes, 0.85)
		w.Part = c.part
		if got := g.Grow(w, now); got != c.want {
			t.Errorf("while memory is short, %+v: %v", c, got)
		}
	}
}

// A client has a quarter of its store's bucket and of what fills it. What it may not take it does not take from
// the store either.
func TestGrowthOfAClientIsBounded(t *testing.T) {
	g, now := Growth{PerRequest: 4096}, time.Unix(1_800_000_000, 0)
	grow := func(client string, bytes int, full float64, want bool) {
		t.Helper()
		w := write(uuid.UUID{1}, bytes, full)
		w.Part, w.Client = VisitorsPart, Network(netip.MustParseAddr(client))
		if got := g.Grow(w, now); got != want {
			t.Errorf("%d bytes of %s at %v: %v, want %v", bytes, client, now, got, want)
		}
	}
	const one, other, third = "192.0.2.1", "2001:db8::1", "192.0.2.3"
	grow(one, GrowthBurst/4-10, 0, true)
	grow(one, 11, 0, false)
	grow(one, 10, 0, true)
	for range 1000 {
		grow(one, 1<<20, 0, false)
	}
	grow(other, GrowthBurst/4, 0, true)
	grow("2001:db8::2", 1, 0, false) // the same /64
	now = now.Add(4 * time.Second)
	grow(one, 120*4096*4/60/4+1, 0, false)
	grow(one, 120*4096*4/60/4, 0, true)
	w := write(uuid.UUID{1}, 100, 0)
	w.Client = Network(netip.MustParseAddr(one))
	g.Return(w)
	grow(one, 100, 0, true)
	grow(one, 1, 0, false)
	now = now.Add(10 * time.Minute)
	grow(third, 120*4096/4, 0.85, true) // while memory is short: a quarter of what fills in a minute
	grow(third, 1, 0.85, false)
	grow(third, 1, 0, true)
	if !g.Grow(write(uuid.UUID{2}, GrowthBurst, 0), now) || !g.Grow(write(uuid.UUID{1}, GrowthBurst/2, 0), now) {
		t.Error("a write without such a bound is refused")
	}
}

// Random writes and orders of eight clients, of a merchant's key and of a key without the limit: each is granted
// exactly if its part of the store's bucket, and its client's bucket, have room.
func TestGrowthOfClientsAgainstAModel(t *testing.T) {
	r := seeded(t)
	const perMinute = 120 * 4096
	for range 20 {
		g, now := Growth{PerRequest: 4096}, time.Unix(1_800_000_000, 0)
		store, clients := 0.0, map[int]float64{} // the used bytes, filled as slowly as the rule allows
		for step := range 4000 {
			passed := time.Duration(r.Int64N(int64(2 * time.Second)))
			now = now.Add(passed)
			store = max(0, store-passed.Minutes()*perMinute)
			for c := range clients {
				clients[c] = max(0, clients[c]-passed.Minutes()*perMinute/4)
			}
			who, w := r.IntN(10), write(uuid.UUID{9}, 1+r.IntN(1<<19), 0)
			switch {
			case who < 8:
				w.Client = Network(netip.AddrFrom4([4]byte{192, 0, 2, byte(who)}))
				if w.Part = VisitorsPart; r.IntN(8) == 0 {
					w.Part = WholeBucket
				}
			case who == 8:
				w.Part = WholeBucket + 2
			default:
				w.Part = VisitorsPart
			}
			bytes := float64(w.Bytes)
			beyondStore := store + bytes - GrowthBurst/8*float64(w.Part)
			beyondClient := clients[who] + bytes - GrowthBurst/4
			fits := (store == 0 || beyondStore <= 0) && (who >= 8 || clients[who] == 0 || beyondClient <= 0)
			near := max(-beyondStore, beyondStore) < 4096 || who < 8 && max(-beyondClient, beyondClient) < 4096 // rounding to whole bytes
			got := g.Grow(w, now)
			if got != fits && !near {
				t.Fatalf("step %d: %+v after %.0f of the store and %.0f of the client: %v, want %v", step, w, store, clients[who], got, fits)
			}
			if got {
				store += bytes
				clients[who] += bytes
			}
		}
	}
}

// The buckets of clients are bounded: whole ones are dropped, and of very many clients further ones have the
// store's bucket only.
func TestClientsBucketsAreBounded(t *testing.T) {
	g, now := Growth{PerRequest: 4096}, time.Unix(1_800_000_000, 0)
	grow := func(client, bytes int) bool {
		w := write(uuid.UUID{1}, bytes, 0)
		w.Client = Network(address(client))
		return g.Grow(w, now)
	}
	for i := range 100_000 {
		now = now.Add(time.Second)
		if !grow(i, 100) { // whole again in 49 milliseconds
			t.Fatalf("client %d is refused", i)
		}
		if n := len(g.stores[uuid.UUID{1}].clients); n > minClients {
			t.Fatalf("%d buckets after %d clients", n, i)
		}
	}
	for i := range 2 * maxStoreClients {
		if !grow(i, 5000) && i < maxStoreClients {
			t.Fatalf("client %d is refused", i)
		}
	}
	if n := len(g.stores[uuid.UUID{1}].clients); n != maxStoreClients {
		t.Errorf("%d buckets, want %d", n, maxStoreClients)
	}
}

// Above 90 % the stores that grew most stop, more of them the fuller the memory is, and others go on.
func TestStoresThatGrewMostStop(t *testing.T) {
	g, now := Growth{PerRequest: 4096}, time.Unix(1_800_000_000, 0)
	for store, bytes := range []int{1: 40 << 20, 2: 30 << 20, 3: 20 << 20, 4: 5 << 20, 5: grownLittle, 6: 60 << 20} {
		g.Grow(write(uuid.UUID{byte(store)}, bytes, 0), now)
	}
	full := 0.0
	masterOf := func(store uuid.UUID) (string, float64) {
		if store == (uuid.UUID{6}) {
			return "another master", 0.5
		}
		return "a master", full
	}
	for _, c := range []struct {
		full    float64
		stopped []byte
	}{{0.9, nil}, {0.901, []byte{1, 2}}, {0.97, []byte{1, 2, 3}}, {1, []byte{1, 2, 3, 4}}, {0.5, nil}} {
		full = c.full
		g.Stop(now, masterOf)
		if g.Stopped() != len(c.stopped) {
			t.Errorf("at %v %d stores stop, want %v", full, g.Stopped(), c.stopped)
		}
		for _, store := range c.stopped {
			if g.Grow(write(uuid.UUID{store}, 1, 0), now) {
				t.Errorf("at %v store %d grows", full, store)
			}
		}
		if !g.Grow(write(uuid.UUID{5}, 1, 0), now) || !g.Grow(write(uuid.UUID{6}, 1, 0), now) {
			t.Errorf("at %v a store that has grown little, or of another master, stops", full)
		}
		g.Return(write(uuid.UUID{5}, 1, 0))
	}
	full = 0.95
	g.Stop(now.Add(12*grownHalf), masterOf)
	if g.Stopped() != 0 {
		t.Errorf("after two hours %d stores stop", g.Stopped())
	}
}

func TestIdleBucketsAreDropped(t *testing.T) {
	g, now := Growth{PerRequest: 1}, time.Unix(1_800_000_000, 0)
	for i := range 10 * minBuckets {
		now = now.Add(time.Minute)
		g.Grow(&Growing{Store: uuid.UUID{byte(i), byte(i >> 8)}, Limit: 1, Window: time.Minute, Bytes: 100, Part: WholeBucket}, now)
	}
	if len(g.stores) > 2*24*60+1 {
		t.Errorf("%d buckets are kept", len(g.stores))
	}
}
