package actors

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// budget counts the bytes that the resident records of a node take, of all kinds
// together. Beyond the limit the least recently used records leave.
type budget struct {
	limit int64
	bytes atomic.Int64

	mu     sync.Mutex // held by the goroutine that makes room
	shards []evictor  // every shard of every directory
	// oldest is when each shard's oldest record was last used, as makeRoom saw it.
	oldest []time.Duration
}

// evictor is a shard of whatever kind of record. Its oldest record is the least recently
// used one without pending requests.
type evictor interface {
	// oldest returns when the oldest record was last used; noRecord if there is none.
	oldest() time.Duration
	// evict drops the oldest record and returns when the next one was last used.
	evict() time.Duration
}

// noRecord is the time of a shard from which nothing can be dropped.
const noRecord = time.Duration(math.MaxInt64)

// maxSlack bounds how far below the limit makeRoom goes: one look at all shards pays
// for several records.
const maxSlack = 256 << 10

func (b *budget) add(e evictor) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shards = append(b.shards, e)
	b.oldest = append(b.oldest, noRecord)
}

// makeRoom drops the least recently used records if the bytes exceed the limit, unless
// another goroutine does so already. The caller holds no lock.
func (b *budget) makeRoom() {
	if b.bytes.Load() <= b.limit || !b.mu.TryLock() {
		return
	}
	defer b.mu.Unlock()
	for i, e := range b.shards {
		b.oldest[i] = e.oldest()
	}
	for target := b.limit - min(b.limit/16, maxSlack); b.bytes.Load() > target; {
		i := b.stalest()
		if i < 0 {
			return
		}
		b.oldest[i] = b.shards[i].evict()
	}
}

// stalest is the index of the shard with the least recently used record, or -1.
func (b *budget) stalest() int {
	stalest, at := -1, noRecord
	for i, used := range b.oldest {
		if used < at {
			stalest, at = i, used
		}
	}
	return stalest
}
