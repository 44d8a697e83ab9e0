package actors

import (
	"encoding/binary"
	"slices"
	"time"

	"cartd/engine"
)

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
