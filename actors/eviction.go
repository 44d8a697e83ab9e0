package actors

import (
	"encoding/binary"
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

// stays is the lifetime of a packed record, in multiples of Config.Idle; an hour by default.
const stays = 240

// packedCache keeps idle records as bytes, in the order of arrival. A million of them are a few
// thousand blocks and maps without pointers, which the garbage collector does not scan.
type packedCache struct {
	positions map[engine.RecordKey]blockPosition
	blocks    []block
	// first is the number of blocks[0]; blocks are numbered in the order of creation.
	first uint32
	// live is the bytes of all entries, dead the bytes of removed entries.
	live, dead int
	// allocated is the bytes of all blocks, filled or not.
	allocated int
}

// blockPosition is the start of an entry.
type blockPosition struct{ block, offset uint32 }

// block has entries one after another. head is the offset of the first that may still exist.
type block struct {
	data []byte
	head int
}

// An entry is its key, the last use of its record, its own length and the record's bytes.
const (
	timeFrom   = 32
	lengthFrom = timeFrom + 8
	keptFrom   = lengthFrom + 4
)

const (
	// minBlock and maxBlock bound the size of a new block, which is the size of all entries, or at
	// least that of its first entry.
	minBlock = 4 << 10
	maxBlock = 64 << 10
)

func (a *packedCache) len() int { return len(a.positions) }

// positionSize is the measured size in maps of a packed record: its blockPosition here and the map
// slot of its former entry.
const positionSize = 128

// size is the memory of the packed cache in bytes.
func (a *packedCache) size() int { return a.allocated + len(a.positions)*positionSize }

// put stores the bytes of a record with its last use. The cache has no entry of the record yet.
func (a *packedCache) put(key engine.RecordKey, used time.Duration, kept []byte) {
	if a.positions == nil {
		a.positions = make(map[engine.RecordKey]blockPosition)
	}
	size := keptFrom + len(kept)
	data := a.room(size)
	a.positions[key] = blockPosition{a.first + uint32(len(a.blocks)-1), uint32(len(*data))}
	*data = append(append(*data, key.Store[:]...), key.ID[:]...)
	*data = binary.LittleEndian.AppendUint64(*data, uint64(used))
	*data = binary.LittleEndian.AppendUint32(*data, uint32(size))
	*data = append(*data, kept...)
	a.live += size
}

// room returns the data of the last block, with at least size bytes free.
func (a *packedCache) room(size int) *[]byte {
	if last := len(a.blocks) - 1; last >= 0 && cap(a.blocks[last].data)-len(a.blocks[last].data) >= size {
		return &a.blocks[last].data
	}
	fresh := max(size, minBlock, min(maxBlock, a.live))
	data := slices.Grow([]byte(nil), fresh) // the allocator may give more
	a.blocks = append(a.blocks, block{data: data})
	a.allocated += cap(data)
	return &a.blocks[len(a.blocks)-1].data
}

// pop removes the entry of a record and returns its bytes.
func (a *packedCache) pop(key engine.RecordKey) (kept string, ok bool) {
	p, ok := a.positions[key]
	if !ok {
		return "", false
	}
	e := a.entry(p)
	kept = string(e[keptFrom:])
	a.remove(key, len(e))
	a.tidy()
	return kept, true
}

func (a *packedCache) entry(p blockPosition) []byte {
	return entryAt(a.blocks[p.block-a.first].data, int(p.offset))
}

// entryAt returns the entry that begins at an offset.
func entryAt(data []byte, offset int) []byte {
	size := binary.LittleEndian.Uint32(data[offset+lengthFrom:])
	return data[offset : offset+int(size)]
}

// isAt reports whether a record's entry begins at a position.
func (a *packedCache) isAt(key engine.RecordKey, p blockPosition) bool {
	there, ok := a.positions[key]
	return ok && there == p
}

func (a *packedCache) remove(key engine.RecordKey, size int) {
	delete(a.positions, key)
	a.live -= size
	a.dead += size
}

// oldest returns the first record in the order of arrival, with its last use; false if there is
// none.
func (a *packedCache) oldest() (key engine.RecordKey, used time.Duration, ok bool) {
	for len(a.blocks) > 0 {
		for b := &a.blocks[0]; b.head < len(b.data); {
			e := entryAt(b.data, b.head)
			key = keyOf(e)
			if a.isAt(key, blockPosition{a.first, uint32(b.head)}) {
				return key, time.Duration(binary.LittleEndian.Uint64(e[timeFrom:])), true
			}
			b.head += len(e)
			a.dead -= len(e)
		}
		a.allocated -= cap(a.blocks[0].data)
		a.blocks[0] = block{}
		a.blocks = a.blocks[1:]
		a.first++
	}
	*a = packedCache{first: a.first}
	return key, 0, false
}

func keyOf(entry []byte) (key engine.RecordKey) {
	copy(key.Store[:], entry)
	copy(key.ID[:], entry[len(key.Store):])
	return key
}

// drop removes the oldest record. It returns false if there is none.
func (a *packedCache) drop() bool {
	key, _, ok := a.oldest()
	if ok {
		a.remove(key, len(a.entry(a.positions[key])))
	}
	return ok
}

// tidy copies the entries together when more than half of the bytes are dead, and frees all blocks
// when no entry is left.
func (a *packedCache) tidy() {
	if a.live == 0 {
		*a = packedCache{first: a.first + uint32(len(a.blocks))}
		return
	}
	if a.dead <= a.live+minBlock {
		return
	}
	old := *a
	*a = packedCache{positions: old.positions, first: old.first + uint32(len(old.blocks))}
	for i, b := range old.blocks {
		for at := b.head; at < len(b.data); {
			e := entryAt(b.data, at)
			key := keyOf(e)
			if old.isAt(key, blockPosition{old.first + uint32(i), uint32(at)}) {
				a.put(key, time.Duration(binary.LittleEndian.Uint64(e[timeFrom:])), e[keptFrom:])
			}
			at += len(e)
		}
	}
}
