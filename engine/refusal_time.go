package engine

import (
	"sync"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// The time of an answer must not show whether an address has an account: a refused login costs as much as
// the costliest hash of its store, and is answered at a step of time.

const (
	// Refused logins and all reset requests are answered at a multiple of loginStep and forgotStep.
	// Hashes of different cost, and a commit, fit into one step. So the time of the answer does not
	// show whether the address is known.
	loginStep  = 500 * time.Millisecond
	forgotStep = 250 * time.Millisecond
)

// costliestHashes are the costs of the costliest password hashes of stores that this node has met, at logins
// and in samples. All refused logins of a store cost as much. The zero value is empty.
type costliestHashes struct {
	mu     sync.Mutex
	stores map[uuid.UUID]*costliestHash
}

// costliestHash is the costliest cost of a store's hashes; sampled is the time of the last sample.
type costliestHash struct {
	cost    commerce.HashCost
	sampled time.Time
}

// sampleEvery is the minimum time between two samples of a store's hashes.
const sampleEvery = time.Minute

// of returns the entry of a store. The lock is held.
func (d *costliestHashes) of(store uuid.UUID) *costliestHash {
	own := d.stores[store]
	if own == nil {
		if d.stores == nil {
			d.stores = map[uuid.UUID]*costliestHash{}
		}
		own = &costliestHash{cost: commerce.NewHashCost}
		d.stores[store] = own
	}
	return own
}

// due reports whether a store needs a sample, and notes that it is taken.
func (d *costliestHashes) due(store uuid.UUID, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	own := d.of(store)
	if now.Sub(own.sampled) < sampleEvery {
		return false
	}
	own.sampled = now
	return true
}

// meet returns the costliest cost of a store once the hash of an account was found; "" for no account.
func (d *costliestHashes) meet(store uuid.UUID, hash string) commerce.HashCost {
	d.mu.Lock()
	defer d.mu.Unlock()
	costliest := d.of(store)
	if cost := commerce.HashCostOf(hash); cost.Exceeds(costliest.cost) {
		costliest.cost = cost
	}
	return costliest.cost
}

// constantTime waits until a whole number of steps has passed since the request began.
func constantTime(began time.Time, step time.Duration) {
	time.Sleep(step - time.Since(began)%step)
}
