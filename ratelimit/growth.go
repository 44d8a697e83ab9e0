package ratelimit

import (
	"sync"
	"time"

	"github.com/google/uuid"
)

// Growth bounds by how much each store grows in Redis. A store's bucket fills with PerRequest bytes
// for each request of its limit, up to GrowthBurst. Each node has its own buckets.
type Growth struct {
	// PerRequest is in bytes.
	PerRequest int64

	mu      sync.Mutex
	stores  map[uuid.UUID]growthBucket
	sweepAt int // the number of buckets at which the next sweep is due
	refused uint64
}

// growthBucket is the part of a burst that is used up at a time.
type growthBucket struct {
	used int64
	at   time.Time
}

const (
	// DefaultGrowth is the usual Growth.PerRequest, in bytes.
	DefaultGrowth = 4 << 10
	// GrowthBurst is the size of a bucket, in bytes.
	GrowthBurst = 64 << 20
	// minBuckets is the number of buckets that are kept without a sweep.
	minBuckets = 1024
)

// Grow takes bytes from the bucket of a store with a request limit for each window. It returns false,
// and takes nothing, if the bucket has fewer; but a whole bucket grants any number.
func (g *Growth) Grow(store uuid.UUID, limit int, window time.Duration, bytes int, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.stores[store]
	b.used, b.at = g.left(b, limit, window, now), now
	if b.used > 0 && b.used+int64(bytes) > GrowthBurst {
		g.refused++
		return false
	}
	b.used += int64(bytes)
	if g.stores == nil || len(g.stores) >= g.sweepAt {
		g.sweep(now)
	}
	g.stores[store] = b
	return true
}

// Return gives bytes back that were not written.
func (g *Growth) Return(store uuid.UUID, bytes int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if b, is := g.stores[store]; is {
		b.used = max(0, b.used-int64(bytes))
		g.stores[store] = b
	}
}

// Refused counts the refusals.
func (g *Growth) Refused() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refused
}

// left is what is used of a bucket at a time.
func (g *Growth) left(b growthBucket, limit int, window time.Duration, now time.Time) int64 {
	filled := float64(now.Sub(b.at)) / float64(window) * float64(limit) * float64(g.PerRequest)
	return b.used - int64(min(max(filled, 0), float64(b.used)))
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
