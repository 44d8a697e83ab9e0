package ratelimit

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
)

func TestGrowthOfAStoreIsBounded(t *testing.T) {
	g := Growth{PerRequest: 4096}
	one, other, now := uuid.UUID{1}, uuid.UUID{2}, time.Unix(1_800_000_000, 0)
	grow := func(store uuid.UUID, bytes int, want bool) {
		t.Helper()
		if got := g.Grow(store, 120, time.Minute, bytes, 0, 0, now); got != want {
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
	g.Return(one, 500)
	grow(one, 500, true)
	grow(one, 1, false)
	now = now.Add(-time.Hour) // the clock steps back
	grow(one, 1, false)
	now = now.Add(10 * time.Hour)
	grow(one, 2*GrowthBurst, true) // a whole bucket grants any record
	grow(one, 1, false)
	if g.Refused() != 6 {
		t.Errorf("%d refusals", g.Refused())
	}
}

// In any time a store takes at most a burst, and what its limit fills meanwhile.
func TestGrowthNeverExceedsItsBound(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	g, began := Growth{PerRequest: 4096}, time.Unix(1_800_000_000, 0)
	now, grown := began, 0
	for range 20_000 {
		now = now.Add(time.Duration(dice.Int64N(int64(time.Second))))
		if bytes := 1 + dice.IntN(1<<20); g.Grow(uuid.Nil, 120, time.Minute, bytes, 0, 0, now) {
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
		if got := g.Grow(uuid.UUID{store}, 120, time.Minute, bytes, 0, full, now); got != want {
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

// A merchant's writes may take a quarter more, which visitors leave, also while memory is short.
func TestMerchantGrowsBeyondVisitors(t *testing.T) {
	g, now := Growth{PerRequest: 4096}, time.Unix(1_800_000_000, 0)
	const fill = 120 * 4096
	for _, c := range []struct {
		bytes, beyond int
		full          float64
		want          bool
	}{
		{GrowthBurst, 0, 0, true}, {1, 0, 0, false}, {1, GrowthBurst / 4, 0, true},
		{fill / 4, GrowthBurst / 4, 0.85, false}, {fill/4 - 1, GrowthBurst / 4, 0.85, true}, {1, GrowthBurst / 4, 0.85, false},
		{GrowthBurst / 4, GrowthBurst / 4, 0, false}, {1, 0, 0, false},
	} {
		if got := g.Grow(uuid.Nil, 120, time.Minute, c.bytes, c.beyond, c.full, now); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// Above 90 % the stores that grew most stop, more of them the fuller the memory is, and others go on.
func TestStoresThatGrewMostStop(t *testing.T) {
	g, now := Growth{PerRequest: 4096}, time.Unix(1_800_000_000, 0)
	for store, bytes := range []int{1: 40 << 20, 2: 30 << 20, 3: 20 << 20, 4: 5 << 20, 5: grownLittle, 6: 60 << 20} {
		g.Grow(uuid.UUID{byte(store)}, 120, time.Minute, bytes, 0, 0, now)
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
			if g.Grow(uuid.UUID{store}, 120, time.Minute, 1, 0, 0, now) {
				t.Errorf("at %v store %d grows", full, store)
			}
		}
		if !g.Grow(uuid.UUID{5}, 120, time.Minute, 1, 0, 0, now) || !g.Grow(uuid.UUID{6}, 120, time.Minute, 1, 0, 0, now) {
			t.Errorf("at %v a store that has grown little, or of another master, stops", full)
		}
		g.Return(uuid.UUID{5}, 1)
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
		g.Grow(uuid.UUID{byte(i), byte(i >> 8)}, 1, time.Minute, 100, 0, 0, now)
	}
	if len(g.stores) > 2*24*60+1 {
		t.Errorf("%d buckets are kept", len(g.stores))
	}
}
