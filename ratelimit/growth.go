package ratelimit

import (
	"cmp"
	"math"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Growth bounds by how much each store grows in Redis. A store's bucket fills with PerRequest bytes
// for each request of its limit, up to GrowthBurst; that of a client of the store has ClientPart of both. Each
// node has its own buckets. While the memory of a store's master is nearly full, its buckets are smaller, and
// the stores that grew most may not grow.
type Growth struct {
	// PerRequest is in bytes.
	PerRequest int64

	mu      sync.Mutex
	stores  map[uuid.UUID]storeGrowth
	sweepAt int                // the number of buckets at which the next sweep is due
	stopped map[uuid.UUID]bool // the stores that may not grow now
}

// Growing is a write by which a store grows.
type Growing struct {
	Store uuid.UUID
	// Client has a bucket of its own; zero if the write has to fit into its store's only.
	Client netip.Prefix
	// Limit is the store's number of requests for each Window.
	Limit  int
	Window time.Duration
	Bytes  int
	// Part is the part of the store's bucket that the write may use up, in eighths.
	Part int
	// Full is the part of the memory of the store's master that is used.
	Full float64
}

// The parts of a store's bucket, in eighths of it.
const (
	// WholeBucket is for orders. Merchants may go beyond it.
	WholeBucket = 8
	// VisitorsPart is for other writes: the last eighth stays for orders while visitors use up the rest.
	VisitorsPart = 7
	// ClientPart is for all writes of one client.
	ClientPart = 2
)

// storeGrowth is the bucket of a store, with those of its clients.
type storeGrowth struct {
	growthBucket
	clients map[netip.Prefix]growthBucket
	sweepAt int // the number of clients at which the next sweep is due
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
	// minBuckets is the number of stores whose buckets are kept without a sweep; minClients is that of the
	// clients of one store.
	minBuckets = 1024
	minClients = 64
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

// Grow takes the bytes of a write from the buckets of its store and of its client. It returns false, and
// takes nothing, if one of them has fewer; but a whole bucket grants any number. At most maxStoreClients
// clients of a store have a bucket at a time; further ones use the store's only.
func (g *Growth) Grow(w *Growing, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	store, fill := g.stores[w.Store], int64(w.Limit)*g.PerRequest
	client, counted := store.client(w, fill, now)
	store.fill(fill, w.Window, now)
	if g.stopped[w.Store] || !store.grants(w, w.Part, fill) || counted && !client.grants(w, ClientPart, fill) {
		return false
	}
	store.take(w, w.Part, fill)
	if counted {
		client.take(w, ClientPart, fill)
		store.clients[w.Client] = client
	}
	if g.stores == nil || len(g.stores) >= g.sweepAt {
		g.sweep(now)
	}
	g.stores[w.Store] = store
	return true
}

// client returns the bucket of a write's client at a time; false if the client has none.
func (s *storeGrowth) client(w *Growing, fill int64, now time.Time) (b growthBucket, counted bool) {
	if !w.Client.IsValid() {
		return b, false
	}
	fill = fill * ClientPart / WholeBucket
	b, counted = s.clients[w.Client]
	if !counted && len(s.clients) >= s.sweepAt {
		s.sweep(fill, w.Window, now)
	}
	b.fill(fill, w.Window, now)
	return b, counted || len(s.clients) < maxStoreClients
}

// sweep drops the clients whose buckets are whole.
func (s *storeGrowth) sweep(fill int64, window time.Duration, now time.Time) {
	kept := map[netip.Prefix]growthBucket{}
	for client, b := range s.clients {
		if b.fill(fill, window, now); b.used > 0 || b.steady > 0 {
			kept[client] = b
		}
	}
	s.clients, s.sweepAt = kept, max(minClients, 2*len(kept))
}

// fill fills the bucket with so many bytes for each window, up to a time.
func (b *growthBucket) fill(bytes int64, window time.Duration, now time.Time) {
	filled := int64(min(max(float64(now.Sub(b.at))/float64(window), 0)*float64(bytes), GrowthBurst))
	b.used, b.steady, b.grown = max(0, b.used-filled), max(0, b.steady-filled), b.grownAt(now)
	b.at = now
}

// grants reports whether a part of the bucket has room for a write, in a store that is filled so much for
// each window.
func (b *growthBucket) grants(w *Growing, part int, fill int64) bool {
	within := func(used, size int64) bool { return used == 0 || used+int64(w.Bytes) <= size*int64(part)/WholeBucket }
	return within(b.used, GrowthBurst) && (w.Full <= NoBursts || within(b.steady, fill))
}

// take uses up the bucket.
func (b *growthBucket) take(w *Growing, part int, fill int64) {
	b.used, b.grown = b.used+int64(w.Bytes), b.grown+float64(w.Bytes)
	b.steady = max(b.steady, min(b.steady+int64(w.Bytes), fill*int64(part)/WholeBucket))
}

// giveBack undoes take.
func (b *growthBucket) giveBack(bytes int) {
	b.used, b.steady, b.grown = max(0, b.used-int64(bytes)), max(0, b.steady-int64(bytes)), max(0, b.grown-float64(bytes))
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

// Return gives the bytes of a granted write back that was not done.
func (g *Growth) Return(w *Growing) {
	g.mu.Lock()
	defer g.mu.Unlock()
	store, is := g.stores[w.Store]
	if !is {
		return
	}
	store.giveBack(w.Bytes)
	if client, is := store.clients[w.Client]; is {
		client.giveBack(w.Bytes)
		store.clients[w.Client] = client
	}
	g.stores[w.Store] = store
}

// sweep drops the buckets that nothing was taken from for a day: they count as full.
func (g *Growth) sweep(now time.Time) {
	kept := map[uuid.UUID]storeGrowth{}
	for store, b := range g.stores {
		if now.Sub(b.at) < 24*time.Hour {
			kept[store] = b
		}
	}
	g.stores, g.sweepAt = kept, max(minBuckets, 2*len(kept))
}
