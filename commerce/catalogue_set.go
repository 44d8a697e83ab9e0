package commerce

import "math/bits"

// ProductSet is a set of positions in a catalogue.
type ProductSet struct {
	size int // of the catalogue
	// members has a bit a position; nil if every product is a member.
	members []uint64
}

// keep leaves the members that are among the positions.
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

// Page returns the members from one place to another of an order; nil is the document's order. The
// page of a set that has every product costs the same wherever it is.
func (c *Catalogue) Page(s *ProductSet, order []int32, from, to int) []*Product {
	if from >= to {
		return nil
	}
	page := make([]*Product, 0, to-from)
	at := func(place int) int32 {
		if order == nil {
			return int32(place)
		}
		return order[place]
	}
	if s.members == nil {
		for place := from; place < to; place++ {
			page = append(page, c.Products[at(place)])
		}
		return page
	}
	seen := 0
	for place := 0; len(page) < to-from; place++ {
		if !s.has(at(place)) {
			continue
		}
		if seen++; seen > from {
			page = append(page, c.Products[at(place)])
		}
	}
	return page
}
