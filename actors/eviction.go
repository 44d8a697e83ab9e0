package actors

import (
	"time"

	"cartd/engine"
)

// entrySize and actorSize are the bytes that an entry and a running actor take beside the
// record's state, measured (TestTheBudgetCountsWhatTheHeapTakes).
const (
	entrySize = 192
	actorSize = 1152
)

// publish shows readers a record, nil if none is known, and counts its bytes instead of those
// of the one before.
func (env *environment[S]) publish(e *entry[S], r *engine.Record[S]) {
	e.published.Store(r)
	var bytes int64
	if r != nil {
		bytes = int64(recordSize(r, env.size(r.State)))
	}
	if before := e.bytes.Swap(bytes); before != bytes {
		env.budget.bytes.Add(bytes - before)
	}
}

// chargePacked counts the bytes that the packed cache of the shard takes now. The lock is held.
func (d *directory[S]) chargePacked(s *shard[S]) {
	size := s.packed.size()
	d.node.budget.bytes.Add(int64(size - s.charged))
	s.charged = size
}

// shardEvictor is a shard of a directory as the node's budget sees it.
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
	defer d.release(s)
	e := s.idlest()
	switch {
	case s.packed.drop():
		d.node.counters.Evicted.Add(1)
	case e != nil:
		d.remove(s, e)
		d.node.counters.Evicted.Add(1)
	}
	return d.oldest(s)
}

// oldest is when the shard's least recently used idle record was used; noRecord if there is
// none. Records in the packed cache are older than the others. The lock is held.
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

// idlest is the least recently used entry without pending requests, or nil.
func (s *shard[S]) idlest() *entry[S] {
	for e := s.recent.last; e != &s.recent; e = e.last {
		if e.pending.Load() == 0 {
			return e
		}
	}
	return nil
}
