package actors

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// budget counts the bytes of all resident records of a node. Above the limit, the records used
// longest ago leave.
type budget struct {
	limit int64
	bytes atomic.Int64

	mu     sync.Mutex // held by the goroutine that makes room
	shards []evictor  // every shard of every directory
	// oldest is the last use of each shard's oldest record, as makeRoom saw it.
	oldest []time.Duration
}

// evictor is a shard of any kind of record. Its oldest record is the idle one used longest ago.
type evictor interface {
	// oldest returns the last use of the oldest record; noRecord if there is none.
	oldest() time.Duration
	// evict drops the oldest record and returns the last use of the next one. Its actor is stopped,
	// but ends only with the next run.
	evict() time.Duration
	// run runs the shard's actors. The caller holds no lock.
	run()
}

// noRecord is the time of a shard without an idle record.
const noRecord = time.Duration(math.MaxInt64)

// maxSlack bounds how far below the limit makeRoom goes, so that one scan of all shards frees
// several records.
const maxSlack = 256 << 10

func (b *budget) add(e evictor) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shards = append(b.shards, e)
	b.oldest = append(b.oldest, noRecord)
}

// makeRoom drops the records used longest ago if the bytes exceed the limit, unless another
// goroutine is doing it. The caller holds no lock.
func (b *budget) makeRoom() {
	for _, e := range b.evict() {
		e.run()
	}
}

// evict is makeRoom without running the actors. It returns the shards whose actors have to run.
func (b *budget) evict() (changed []evictor) {
	if b.bytes.Load() <= b.limit || !b.mu.TryLock() {
		return nil
	}
	defer b.mu.Unlock()
	for i, e := range b.shards {
		b.oldest[i] = e.oldest()
	}
	for target := b.limit - min(b.limit/16, maxSlack); b.bytes.Load() > target; {
		i := b.stalest()
		if i < 0 {
			break
		}
		b.oldest[i] = b.shards[i].evict()
		if !slices.Contains(changed, b.shards[i]) {
			changed = append(changed, b.shards[i])
		}
	}
	return changed
}

// stalest is the index of the shard with the oldest record, or -1.
func (b *budget) stalest() int {
	stalest, at := -1, noRecord
	for i, used := range b.oldest {
		if used < at {
			stalest, at = i, used
		}
	}
	return stalest
}
