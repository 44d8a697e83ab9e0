package persistence

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/stores"
	"cartd/ratelimit"
)

// growing is the write of requests by which their store grows, one that makes an order, without a signature, or not; nil for an
// operator's command, which has no requests. Those of one write have keys of one kind; the first stands for
// its client.
func (d *DB) growing(requests []*engine.Request, bytes int, sells bool) *ratelimit.Growing {
	store := storeOf(requests)
	if store == nil {
		return nil
	}
	r := requests[0]
	w := &ratelimit.Growing{Store: store.ID, Limit: store.RateLimit, Window: commerce.RateWindow, Bytes: bytes, Part: ratelimit.VisitorsPart}
	_, w.Full = d.memoryOf(store.ID)
	beyond := r.Key.Beyond(ratelimit.WholeBucket)
	if sells || beyond > 0 {
		w.Part = ratelimit.WholeBucket + beyond
	}
	if beyond == 0 && store.ClientLimit(r.Key) > 0 {
		w.Client = r.Caller.Network()
	}
	return w
}

// grows takes the bytes of a write that lets its store grow. It returns false if the store or the client has
// grown too fast, or if the store may not grow because memory is short.
func (d *DB) grows(w *ratelimit.Growing) bool { return w == nil || d.growth.Grow(w, time.Now()) }

// mayGrow reports whether requests may let their store grow now. The visit, which is sent later, takes the bytes.
func (d *DB) mayGrow(requests []*engine.Request, bytes int) bool {
	if bytes <= 0 {
		return true
	}
	w := d.growing(requests, bytes, false)
	if !d.grows(w) {
		return false
	}
	if w != nil {
		d.growth.Return(w)
	}
	return true
}

// storeOf returns the store of requests; nil if there is none.
func storeOf(requests []*engine.Request) *commerce.Store {
	if len(requests) == 0 {
		return nil
	}
	return requests[0].Store
}

// memoryOf returns a store's master and the used part of its memory.
func (d *DB) memoryOf(store uuid.UUID) (master string, full float64) {
	return d.client.Memory(stores.HeadKey(store))
}

// watchMasters reads at each tick how full the memory of Redis is, and its clock.
func (d *DB) watchMasters(tick *time.Ticker, stop <-chan struct{}) {
	defer tick.Stop()
	for {
		d.boundGrowth()
		select {
		case <-stop:
			return
		case <-tick.C:
		}
	}
}

// boundGrowth reads how full the memory is, and chooses the stores that may not grow until the next
// reading.
func (d *DB) boundGrowth() {
	if d.Away() {
		return
	}
	d.client.ReadMasters()
	if d.client.FullestMemory() > ratelimit.NoneForMost || d.growth.Stopped() > 0 {
		d.growth.Stop(time.Now(), d.memoryOf)
	}
}

// StoresStopped counts the stores that may not grow because the memory of their master is nearly full.
func (d *DB) StoresStopped() int { return d.growth.Stopped() }
