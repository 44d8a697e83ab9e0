package commerce

import "math/bits"

// ProductSet is a set of positions in a catalogue.
type ProductSet struct {
	size int // the number of products in the catalogue
	// members has one bit for each position; nil if every product is a member.
	members []uint64
}

// keep removes the members that are not among the positions.
func (s *ProductSet) keep(positions []int32) {
	among := make([]uint64, (s.size+63)/64)
	for _, at := range positions {
		among[at/64] |= 1 << (at % 64)
	}
	for i := range s.members {
		among[i] &= s.members[i]
	}
	s.members = among
}

func (s *ProductSet) has(at int32) bool { return s.members[at/64]&(1<<(at%64)) != 0 }

// Len is the number of members.
func (s *ProductSet) Len() int {
	if s.members == nil {
		return s.size
	}
	n := 0
	for _, word := range s.members {
		n += bits.OnesCount64(word)
	}
	return n
}

// Page returns the members from index from to index to of an order; a nil order is the document's.
// If the set has every product, the cost does not depend on from.
func (c *Catalogue) Page(s *ProductSet, order []int32, from, to int) []*Product {
	if from >= to {
		return nil
	}
	page := make([]*Product, 0, to-from)
	at := func(i int) int32 {
		if order == nil {
			return int32(i)
		}
		return order[i]
	}
	if s.members == nil {
		for i := from; i < to; i++ {
			page = append(page, c.Products[at(i)])
		}
		return page
	}
	seen := 0
	for i := 0; len(page) < to-from; i++ {
		if !s.has(at(i)) {
			continue
		}
		if seen++; seen > from {
			page = append(page, c.Products[at(i)])
		}
	}
	return page
}
