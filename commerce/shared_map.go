package commerce

import (
	"hash/maphash"
	"slices"
)

// Shared is a map that is never changed. Change makes the next one, which has all leaves in common with it that no
// change touches: a change of a few entries costs as many leaves, however large the map is. The zero value is
// an empty map.
type Shared[K comparable, V any] struct {
	// leaves have the entries by the last bits of their keys' hashes. Their number is 0 or a power of two.
	leaves []*sharedLeaf[K, V]
	size   int
}

// sharedLeaf has at most maxLeaf entries, in no order.
type sharedLeaf[K comparable, V any] struct {
	entries []sharedEntry[K, V]
	// places has the number of each entry, counted from 1. It stands at the place that the first bits of the
	// key's hash name, or at the next free one; 0 is a free place.
	places [1 << 8]uint8
}

type sharedEntry[K comparable, V any] struct {
	key   K
	value V
}

const (
	// maxLeaf leaves a quarter of the places free, so that most keys are found at the first one.
	maxLeaf = 192
	// usualLeaf is the mean number of entries that leaves are made for. Nearly none has twice as many.
	usualLeaf = 128
)

// sharedSeed is random, so that nobody can choose keys that all fall into one leaf.
var sharedSeed = maphash.MakeSeed()

// Get returns the value of a key, the zero value if the map does not have it.
func (m *Shared[K, V]) Get(key K) (none V) {
	if len(m.leaves) == 0 {
		return none
	}
	hash := maphash.Comparable(sharedSeed, key)
	if e, _ := m.leaves[m.leafOf(hash)].find(key, hash); e != nil {
		return e.value
	}
	return none
}

// Len is the number of entries.
func (m *Shared[K, V]) Len() int { return m.size }

func (m *Shared[K, V]) leafOf(hash uint64) int { return int(hash & uint64(len(m.leaves)-1)) }

// find returns the entry of a key, or nil and the free place for it.
func (l *sharedLeaf[K, V]) find(key K, hash uint64) (e *sharedEntry[K, V], free uint8) {
	for at := uint8(hash >> 56); ; at++ {
		n := l.places[at]
		if n == 0 {
			return nil, at
		}
		if e = &l.entries[n-1]; e.key == key {
			return e, at
		}
	}
}

// SharedChange makes a map from another one.
type SharedChange[K comparable, V any] struct {
	next Shared[K, V]
	// copied are the leaves that belong to next alone; nil before the first change.
	copied []bool
}

// Change begins a change of the map, which stays as it is.
func (m *Shared[K, V]) Change() *SharedChange[K, V] { return &SharedChange[K, V]{next: *m} }

// Done returns the changed map. The change ends with it.
func (c *SharedChange[K, V]) Done() Shared[K, V] {
	if fits := len(c.next.leaves) * maxLeaf; fits > maxLeaf && c.next.size < fits/16 {
		c.spread(max(1, len(c.next.leaves)/8))
	}
	return c.next
}

// Grow makes room for a number of new entries, which saves the work of doing it step by step.
func (c *SharedChange[K, V]) Grow(entries int) {
	leaves := max(1, len(c.next.leaves))
	for c.next.size+entries > leaves*usualLeaf {
		leaves *= 2
	}
	if leaves > 1 && leaves > len(c.next.leaves) {
		c.spread(leaves)
	}
}

// Set gives a key a value.
func (c *SharedChange[K, V]) Set(key K, value V) {
	hash := maphash.Comparable(sharedSeed, key)
	l := c.leaf(hash)
	e, free := l.find(key, hash)
	for e == nil && len(l.entries) == maxLeaf {
		c.spread(2 * len(c.next.leaves))
		l = c.leaf(hash)
		_, free = l.find(key, hash)
	}
	if e != nil {
		e.value = value
		return
	}
	l.entries = append(l.entries, sharedEntry[K, V]{key, value})
	l.places[free] = uint8(len(l.entries))
	c.next.size++
}

// Delete removes a key if the map has it.
func (c *SharedChange[K, V]) Delete(key K) {
	if len(c.next.leaves) == 0 {
		return
	}
	hash := maphash.Comparable(sharedSeed, key)
	if e, _ := c.next.leaves[c.next.leafOf(hash)].find(key, hash); e == nil {
		return
	}
	l := c.leaf(hash)
	l.entries = slices.DeleteFunc(l.entries, func(e sharedEntry[K, V]) bool { return e.key == key })
	l.places = [1 << 8]uint8{}
	for i := range l.entries {
		e := &l.entries[i]
		_, free := l.find(e.key, maphash.Comparable(sharedSeed, e.key))
		l.places[free] = uint8(i + 1)
	}
	c.next.size--
}

// leaf returns the leaf of a hash, copied if it is still that of the map before.
func (c *SharedChange[K, V]) leaf(hash uint64) *sharedLeaf[K, V] {
	if c.copied == nil {
		c.next.leaves = slices.Clone(c.next.leaves)
		if len(c.next.leaves) == 0 {
			c.next.leaves = []*sharedLeaf[K, V]{{}}
		}
		c.copied = make([]bool, len(c.next.leaves))
	}
	at := c.next.leafOf(hash)
	if !c.copied[at] {
		l := *c.next.leaves[at]
		l.entries = append(make([]sharedEntry[K, V], 0, len(l.entries)+1), l.entries...)
		c.next.leaves[at], c.copied[at] = &l, true
	}
	return c.next.leaves[at]
}

// spread divides the entries among a number of new leaves.
func (c *SharedChange[K, V]) spread(leaves int) {
	before := c.next.leaves
	c.next = Shared[K, V]{leaves: make([]*sharedLeaf[K, V], leaves)}
	for i := range c.next.leaves {
		c.next.leaves[i] = &sharedLeaf[K, V]{}
	}
	c.copied = slices.Repeat([]bool{true}, leaves)
	for _, l := range before {
		for i := range l.entries {
			c.Set(l.entries[i].key, l.entries[i].value)
		}
	}
}
