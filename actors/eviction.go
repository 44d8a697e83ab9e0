package actors

import (
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
