package httpserver

import (
	"math"
	"sync/atomic"
	"weak"

	"github.com/cespare/xxhash/v2"

	"cartd/commerce"
	"cartd/engine"
)

// responseCache are the answers to reads of carts that are read again unchanged, in
// bounded memory. A stamp names one state of one record for good; with it, the answer
// depends on the store, on the pricing context (only a guest's is kept) and, through
// the discounts that begin and end, on the time.
type responseCache struct {
	kept [responseSlots]atomic.Pointer[cachedResponse]
	// seen holds the stamp that was rendered last and not kept: what is read only once
	// is not worth a copy.
	seen [responseSlots]atomic.Uint64
}

const (
	responseSlots = 4096
	// maxCachedResponse is the longest answer that is kept, in bytes.
	maxCachedResponse = 4 << 10
)

// cachedResponse is one answer, never changed once it is kept.
type cachedResponse struct {
	stamp engine.Stamp
	store weak.Pointer[commerce.Store] // a store that was replaced may go
	// It holds from the time it was made until the next discount begins or ends, in
	// microseconds of Unix time (cut off: it ends early, never late).
	from, until int64
	hash        uint64
	body        []byte
}

// slot spreads stamps: their sequence counts up, their writer is random.
func slot(s engine.Stamp) (index int, mark uint64) {
	mark = (s.Sequence ^ s.Writer) * 0x9e3779b97f4a7c15
	return int(mark >> 32 % responseSlots), mark | 1
}

// find returns the answer to a guest's read of the state with this stamp, or nil.
func (r *responseCache) find(s engine.Stamp, a *engine.Facts) *cachedResponse {
	index, _ := slot(s)
	kept, now := r.kept[index].Load(), a.Now.UnixMicro()
	if kept == nil || kept.stamp != s || now < kept.from || now >= kept.until || kept.store.Value() != a.Store {
		return nil
	}
	return kept
}

// keep copies an answer that was made before for the same state.
func (r *responseCache) keep(s engine.Stamp, a *engine.Facts, body []byte) {
	if len(body) > maxCachedResponse {
		return
	}
	index, mark := slot(s)
	if r.seen[index].Swap(mark) != mark {
		return
	}
	until := int64(math.MaxInt64)
	if next := a.Store.NextChange(a.Now); !next.IsZero() {
		until = next.UnixMicro()
	}
	r.kept[index].Store(&cachedResponse{
		stamp: s, store: weak.Make(a.Store), from: a.Now.UnixMicro(), until: until,
		body: append([]byte(nil), body...), hash: xxhash.Sum64(body),
	})
}
