package actors

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"cartd/engine"
)

// The measured bytes of an entry, of a running actor and of a record without its text
// (TestTheBudgetCountsTheHeapOfRecords).
const (
	entrySize  = 192
	actorSize  = 1152
	recordSize = 128
)

// publish shows readers a record, nil if none is known. It updates the counted bytes of the entry.
func (env *environment[S]) publish(e *entry[S], r *engine.Record[S]) {
	e.published.Store(r)
	var bytes int64
	if r != nil {
		bytes = int64(recordSize + env.kind.Memory*r.Size)
		if env.changed != nil {
			env.changed(e.key, r.Stamp)
		}
	}
	if old := e.bytes.Swap(bytes); old != bytes {
		env.budget.bytes.Add(bytes - old)
	}
}

// chargePacked updates the counted bytes of the shard's packed cache. The lock is held.
func (d *directory[S]) chargePacked(s *shard[S]) {
	size := s.packed.size()
	d.env.budget.bytes.Add(int64(size - s.charged))
	s.charged = size
}

// shardEvictor gives the node's budget access to a shard of a directory.
type shardEvictor[S any] struct {
	directory *directory[S]
	shard     *shard[S]
}

func (v shardEvictor[S]) oldest() time.Duration {
	v.shard.mu.Lock()
	defer v.shard.mu.Unlock()
	return v.directory.oldest(v.shard)
}

func (v shardEvictor[S]) evict() time.Duration {
	d, s := v.directory, v.shard
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.idlest()
	switch {
	case s.packed.drop():
		d.env.counters.Evicted.Add(1)
	case e != nil:
		d.remove(s, e)
		d.env.counters.Evicted.Add(1)
	}
	return d.oldest(s)
}

func (v shardEvictor[S]) run() { v.shard.ending.run() }

// oldest is the last use of the shard's oldest idle record; noRecord if there is none. Records in
// the packed cache are older than the others. The lock is held.
func (d *directory[S]) oldest(s *shard[S]) time.Duration {
	_, used, ok := s.packed.oldest()
	d.chargePacked(s)
	if ok {
		return used
	}
	if e := s.idlest(); e != nil {
		return e.used
	}
	return noRecord
}

// idlest is the entry used longest ago that has no pending requests, or nil.
func (s *shard[S]) idlest() *entry[S] {
	for e := s.recent.last; e != &s.recent; e = e.last {
		if e.pending.Load() == 0 {
			return e
		}
	}
	return nil
}

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
