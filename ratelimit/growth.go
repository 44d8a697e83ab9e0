package ratelimit

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Growth bounds by how much each store grows in Redis. A store's bucket fills with PerRequest bytes
// for each request of its limit, up to GrowthBurst. Each node has its own buckets. While the memory of
// a store's master is nearly full, its bucket is smaller, and the stores that grew most may not grow.
type Growth struct {
	// PerRequest is in bytes.
	PerRequest int64

	mu      sync.Mutex
	stores  map[uuid.UUID]growthBucket
	sweepAt int // the number of buckets at which the next sweep is due
	refused uint64
	stopped map[uuid.UUID]bool // the stores that may not grow now
}

// growthBucket is the part of a burst that is used up at a time.
type growthBucket struct {
	used int64
	// steady is the used part of a bucket of one window's fill, which counts while memory is short. A write
	// beyond it uses it up.
	steady int64
	// grown is the number of bytes by which the store grew; its weight halves each grownHalf.
	grown float64
	at    time.Time
}

const (
	// DefaultGrowth is the usual Growth.PerRequest, in bytes.
	DefaultGrowth = 4 << 10
	// GrowthBurst is the size of a bucket, in bytes.
	GrowthBurst = 64 << 20
	// minBuckets is the number of buckets that are kept without a sweep.
	minBuckets = 1024
	// grownHalf is the time in which the weight of earlier growth halves.
	grownHalf = 10 * time.Minute
	// grownLittle is the growth up to which a store is never among those that grew most, in bytes.
	grownLittle = 64 << 10
)

// The parts of a master's memory above which there are no bursts, and above which the stores that grew
// most may not grow.
const (
	NoBursts    = 0.8
	NoneForMost = 0.9
)

// Grow takes bytes from the bucket of a store with a request limit for each window. full is the part of
// its master's memory that is used. It returns false, and takes nothing, if the bucket has fewer; but a
// whole bucket grants any number. beyond is the number of bytes by which a merchant's write may exceed
// GrowthBurst, so that visitors who have used it up do not stop the merchant; 0 for others.
func (g *Growth) Grow(store uuid.UUID, limit int, window time.Duration, bytes, beyond int, full float64, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	b, fill := g.stores[store], int64(limit)*g.PerRequest
	filled := min(max(float64(now.Sub(b.at))/float64(window), 0)*float64(fill), GrowthBurst)
	b.used, b.steady, b.grown = max(0, b.used-int64(filled)), max(0, b.steady-int64(filled)), b.grownAt(now)
	b.at = now
	short := fill + fill*int64(beyond)/GrowthBurst // the bucket while memory is short
	if b.used > 0 && b.used+int64(bytes) > GrowthBurst+int64(beyond) || g.stopped[store] ||
		full > NoBursts && b.steady > 0 && b.steady+int64(bytes) > short {
		g.refused++
		return false
	}
	b.used, b.steady, b.grown = b.used+int64(bytes), max(b.steady, min(b.steady+int64(bytes), short)), b.grown+float64(bytes)
	if g.stores == nil || len(g.stores) >= g.sweepAt {
		g.sweep(now)
	}
	g.stores[store] = b
	return true
}

// grownAt returns the weight at a time of what the store grew.
func (b *growthBucket) grownAt(now time.Time) float64 {
	return b.grown * math.Exp2(-max(0, now.Sub(b.at).Seconds())/grownHalf.Seconds())
}

// Stop chooses the stores that may not grow until the next call: of each master above NoneForMost those
// that grew most lately. Together they are half of the growth there, and more the fuller it is: all of
// it at its end. masterOf returns a store's master, and the part of its memory that is used.
func (g *Growth) Stop(now time.Time, masterOf func(uuid.UUID) (master string, full float64)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stopped = nil
	type grower struct {
		store uuid.UUID
		grown float64
	}
	growers, left := map[string][]grower{}, map[string]float64{}
	for store, b := range g.stores {
		master, full := masterOf(store)
		if grown := b.grownAt(now); full > NoneForMost && grown > 0 {
			growers[master] = append(growers[master], grower{store, grown})
			left[master] += grown * min(1, (full-NoneForMost)/(1-NoneForMost)/2+0.5)
		}
	}
	for master, all := range growers {
		slices.SortFunc(all, func(a, b grower) int { return cmp.Compare(b.grown, a.grown) })
		for _, one := range all {
			if left[master] <= 0 || one.grown <= grownLittle {
				break
			}
			left[master] -= one.grown
			if g.stopped == nil {
				g.stopped = map[uuid.UUID]bool{}
			}
			g.stopped[one.store] = true
		}
	}
}

// Stopped counts the stores that may not grow now.
func (g *Growth) Stopped() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.stopped)
}

// Return gives bytes back that were not written.
func (g *Growth) Return(store uuid.UUID, bytes int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if b, is := g.stores[store]; is {
		b.used, b.steady, b.grown = max(0, b.used-int64(bytes)), max(0, b.steady-int64(bytes)), max(0, b.grown-float64(bytes))
		g.stores[store] = b
	}
}

// Refused counts the refusals.
func (g *Growth) Refused() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refused
}

// sweep drops the buckets that nothing was taken from for a day: they count as full.
func (g *Growth) sweep(now time.Time) {
	kept := map[uuid.UUID]growthBucket{}
	for store, b := range g.stores {
		if now.Sub(b.at) < 24*time.Hour {
			kept[store] = b
		}
	}
	g.stores, g.sweepAt = kept, max(minBuckets, 2*len(kept))
}
