package actors

import (
	"cartd/engine"
	"encoding/binary"
	"slices"
	"time"
)

// packedCache keeps idle records as bytes, in the order in which they came. A million of them
// are a few thousand blocks and maps without pointers, which the garbage collector
// need not look into.
type packedCache struct {
	positions map[engine.RecordKey]blockPosition
	blocks    []block
	// first is the number of blocks[0]; they are numbered as they are made.
	first uint32
	// live are the bytes of the entries, dead those that entries have left between them.
	live, dead int
	// held are the bytes of the blocks, filled or not.
	held int
}

// blockPosition is where an entry begins.
type blockPosition struct{ block, offset uint32 }

// block holds entries one behind the other, the first that may still be there at head.
type block struct {
	data []byte
	head int
}

// An entry is its key, when its record was last used, and its length with these;
// then what is kept.
const (
	timeFrom   = 32
	lengthFrom = timeFrom + 8
	keptFrom   = lengthFrom + 4
)

const (
	// minBlock and maxBlock are how many bytes a block has: as many as there are
	// already, within these, or what its first entry takes.
	minBlock = 4 << 10
	maxBlock = 64 << 10
)

func (a *packedCache) len() int { return len(a.positions) }

// positionSize is what maps take for a packed record, measured: its blockPosition in the packed cache and
// the slot of its entry, which stays.
const positionSize = 128

// size is the memory of the packed cache in bytes.
func (a *packedCache) size() int { return a.held + len(a.positions)*positionSize }

// put keeps bytes for a record that was last used at a time; it has none there yet.
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

// room is the last block's data, which has so many bytes to spare.
func (a *packedCache) room(size int) *[]byte {
	if last := len(a.blocks) - 1; last >= 0 && cap(a.blocks[last].data)-len(a.blocks[last].data) >= size {
		return &a.blocks[last].data
	}
	fresh := max(size, minBlock, min(maxBlock, a.live))
	data := slices.Grow([]byte(nil), fresh) // its capacity is what the allocator gives
	a.blocks = append(a.blocks, block{data: data})
	a.held += cap(data)
	return &a.blocks[len(a.blocks)-1].data
}

// take takes out what was kept for a record.
func (a *packedCache) take(key engine.RecordKey) (kept string, ok bool) {
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

// entryAt is the entry that begins there.
func entryAt(data []byte, offset int) []byte {
	size := binary.LittleEndian.Uint32(data[offset+lengthFrom:])
	return data[offset : offset+int(size)]
}

// holds reports whether a record's entry is the one that begins there.
func (a *packedCache) holds(key engine.RecordKey, p blockPosition) bool {
	there, ok := a.positions[key]
	return ok && there == p
}

func (a *packedCache) remove(key engine.RecordKey, size int) {
	delete(a.positions, key)
	a.live -= size
	a.dead += size
}

// oldest is the record that came first, and when it was last used; false: there is none.
func (a *packedCache) oldest() (key engine.RecordKey, used time.Duration, ok bool) {
	for len(a.blocks) > 0 {
		for b := &a.blocks[0]; b.head < len(b.data); {
			e := entryAt(b.data, b.head)
			key = keyOf(e)
			if a.holds(key, blockPosition{a.first, uint32(b.head)}) {
				return key, time.Duration(binary.LittleEndian.Uint64(e[timeFrom:])), true
			}
			b.head += len(e)
			a.dead -= len(e)
		}
		a.held -= cap(a.blocks[0].data)
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

// drop lets go of the oldest record. False: there is none.
func (a *packedCache) drop() bool {
	key, _, ok := a.oldest()
	if ok {
		a.remove(key, len(a.entry(a.positions[key])))
	}
	return ok
}

// tidy puts the entries together where more than half of the bytes are dead ones, and
// lets go of everything where no entry is left.
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
			if old.holds(key, blockPosition{old.first + uint32(i), uint32(at)}) {
				a.put(key, time.Duration(binary.LittleEndian.Uint64(e[timeFrom:])), e[keptFrom:])
			}
			at += len(e)
		}
	}
}
