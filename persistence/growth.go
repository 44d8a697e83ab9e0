package persistence

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/stores"
	"cartd/ratelimit"
)

// grows takes the bytes by which requests let their store grow. It returns false if the store has
// grown too fast, or may not grow because memory is short. Operators' commands have no requests.
func (d *DB) grows(requests []*engine.Request, bytes int) bool {
	store := storeOf(requests)
	if store == nil {
		return true
	}
	_, full := d.memoryOf(store.ID)
	beyond := requests[0].Key.Beyond(ratelimit.GrowthBurst)
	return d.growth.Grow(store.ID, store.RateLimit, commerce.RateWindow, bytes, beyond, full, time.Now())
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

// watchMemory reads at each tick how full the memory of Redis is.
func (d *DB) watchMemory(tick *time.Ticker, stop <-chan struct{}) {
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
	d.client.ReadMemory()
	if d.client.FullestMemory() > ratelimit.NoneForMost || d.growth.Stopped() > 0 {
		d.growth.Stop(time.Now(), d.memoryOf)
	}
}

// GrowthRefused counts the writes that were refused because their store grows too fast.
func (d *DB) GrowthRefused() uint64 { return d.growth.Refused() }

// StoresStopped counts the stores that may not grow because the memory of their master is nearly full.
func (d *DB) StoresStopped() int { return d.growth.Stopped() }
