package httpserver

import (
	"math"
	"sync/atomic"
	"weak"

	"github.com/cespare/xxhash/v2"

	"cartd/commerce"
	"cartd/engine"
)

// renderings are the answers to reads of carts that are read again unchanged, in
// bounded memory. A stamp names one state of one record for good; with it, the answer
// depends on the store, on the pricing context (only a guest's is kept) and, through
// the discounts that begin and end, on the time.
type renderings struct {
	kept [renderingSlots]atomic.Pointer[rendering]
	// once holds the stamp that was rendered last and not kept: what is read only once
	// is not worth a copy.
	once [renderingSlots]atomic.Uint64
}

const (
	renderingSlots = 4096
	// maxRendering is the longest answer that is kept, in bytes.
	maxRendering = 4 << 10
)

// rendering is one answer, never changed once it is kept.
type rendering struct {
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
	return int(mark >> 32 % renderingSlots), mark | 1
}

// find returns the answer to a guest's read of the state with this stamp, or nil.
func (r *renderings) find(s engine.Stamp, a *engine.Facts) *rendering {
	index, _ := slot(s)
	kept, now := r.kept[index].Load(), a.Now.UnixMicro()
	if kept == nil || kept.stamp != s || now < kept.from || now >= kept.until || kept.store.Value() != a.Store {
		return nil
	}
	return kept
}

// keep copies an answer that was made before for the same state.
func (r *renderings) keep(s engine.Stamp, a *engine.Facts, body []byte) {
	if len(body) > maxRendering {
		return
	}
	index, mark := slot(s)
	if r.once[index].Swap(mark) != mark {
		return
	}
	until := int64(math.MaxInt64)
	if next := a.Store.NextChange(a.Now); !next.IsZero() {
		until = next.UnixMicro()
	}
	r.kept[index].Store(&rendering{
		stamp: s, store: weak.Make(a.Store), from: a.Now.UnixMicro(), until: until,
		body: append([]byte(nil), body...), hash: xxhash.Sum64(body),
	})
}
