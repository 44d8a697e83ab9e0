package httpserver

import (
	"math"
	"sync/atomic"
	"weak"

	"github.com/cespare/xxhash/v2"

	"cartd/commerce"
	"cartd/engine"
)

// responseCache keeps the answers to repeated reads of unchanged carts, in bounded memory. A stamp
// names one state of one record and is never used twice. For one stamp, the answer depends on the
// store, the pricing context and the time, because discounts begin and end. Only answers for guests
// are kept.
type responseCache struct {
	kept [responseEntries]atomic.Pointer[cachedResponse]
	// seen is the last stamp that was rendered without being kept: an answer is kept at its second
	// read.
	seen [responseEntries]atomic.Uint64
}

const (
	responseEntries = 4096
	// maxCachedResponse is the maximum length of an answer that is kept, in bytes.
	maxCachedResponse = 4 << 10
)

// cachedResponse is one answer. It never changes.
type cachedResponse struct {
	stamp engine.Stamp
	store weak.Pointer[commerce.Store] // a replaced store may be freed
	// The answer is valid from its making until the next discount begins or ends, in microseconds
	// of Unix time. Rounding ends it early, never late.
	from, until int64
	hash        uint64
	body        []byte
}

// cacheIndex returns an index and a mark of a stamp, spread evenly: sequences count up, and writers
// are random.
func cacheIndex(s engine.Stamp) (index int, mark uint64) {
	mark = (s.Sequence ^ s.Writer) * 0x9e3779b97f4a7c15
	return int(mark >> 32 % responseEntries), mark | 1
}

// find returns the answer to a guest's read of the state with this stamp, or nil.
func (r *responseCache) find(s engine.Stamp, a *engine.Facts) *cachedResponse {
	index, _ := cacheIndex(s)
	kept, now := r.kept[index].Load(), a.Now.UnixMicro()
	if kept == nil || kept.stamp != s || now < kept.from || now >= kept.until || kept.store.Value() != a.Store {
		return nil
	}
	return kept
}

// keep copies an answer if the same state was rendered once already.
func (r *responseCache) keep(s engine.Stamp, a *engine.Facts, body []byte) {
	if len(body) > maxCachedResponse {
		return
	}
	index, mark := cacheIndex(s)
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
