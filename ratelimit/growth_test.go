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
		if got := g.Grow(store, 120, time.Minute, bytes, now); got != want {
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
		if bytes := 1 + dice.IntN(1<<20); g.Grow(uuid.Nil, 120, time.Minute, bytes, now) {
			grown += bytes
		}
		if bound := GrowthBurst + int(now.Sub(began).Minutes()*120*4096) + 1; grown > bound {
			t.Fatalf("%d bytes in %v, at most %d", grown, now.Sub(began), bound)
		}
	}
}

func TestIdleBucketsAreDropped(t *testing.T) {
	g, now := Growth{PerRequest: 1}, time.Unix(1_800_000_000, 0)
	for i := range 10 * minBuckets {
		now = now.Add(time.Minute)
		g.Grow(uuid.UUID{byte(i), byte(i >> 8)}, 1, time.Minute, 100, now)
	}
	if len(g.stores) > 2*24*60+1 {
		t.Errorf("%d buckets are kept", len(g.stores))
	}
}
