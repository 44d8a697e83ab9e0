package front

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// Budget counts the bytes of one kind (bodies, answers) over all requests. A store has only a
// share of them, so that its clients cannot take the memory of the other stores.
type Budget struct {
	kind string
	log  *slog.Logger
	// limit is that of all stores together; parts is the number of equal parts of it of which a store
	// has one.
	limit, parts int64

	// used is changed under the lock. Requests read it without one.
	used   atomic.Int64
	mu     sync.Mutex
	stores map[uuid.UUID]int64
	logged time.Time
}

// logEvery is the minimum time between two lines in the log about one full budget.
const logEvery = time.Minute

func newBudget(kind string, limit, parts int64, log *slog.Logger) *Budget {
	return &Budget{kind: kind, log: log, limit: limit, parts: parts, stores: map[uuid.UUID]int64{}}
}

// Reserve counts n more bytes of a store. If they exceed its share or the limit, it counts nothing,
// logs it and returns false.
func (b *Budget) Reserve(store uuid.UUID, n int) bool { return b.reserveBut(store, n, 0) }

// reserveBut is Reserve that leaves so many bytes of the store's share to others.
func (b *Budget) reserveBut(store uuid.UUID, n, left int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if all, own := b.used.Load()+int64(n), b.stores[store]+int64(n); all > b.limit || own > b.limit/b.parts-int64(left) {
		b.logFull(store, time.Now())
		return false
	}
	b.count(store, n)
	return true
}

// Release counts n bytes less.
func (b *Budget) Release(store uuid.UUID, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count(store, -n)
}

// count changes the bytes of a store. The lock is held.
func (b *Budget) count(store uuid.UUID, n int) {
	b.used.Add(int64(n))
	if b.stores[store] += int64(n); b.stores[store] == 0 {
		delete(b.stores, store)
	}
}

// logFull logs that the budget is full, at most once a minute. The lock is held.
func (b *Budget) logFull(store uuid.UUID, now time.Time) {
	if now.Sub(b.logged) < logEvery {
		return
	}
	b.logged = now
	b.log.Warn("the memory for "+b.kind+" is used up: requests are refused",
		"store", store.String(), "store_bytes", b.stores[store], "bytes", b.used.Load(), "limit", b.limit)
}

// Figures returns the bytes in use and the limit.
func (b *Budget) Figures() (used, limit int64) { return b.used.Load(), b.limit }
