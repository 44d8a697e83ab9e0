package catalogue

import (
	"math/bits"
	"slices"

	"cartd/commerce"
)

// bitSet has one bit for each number.
type bitSet []uint64

func makeBitSet(size int) bitSet { return make(bitSet, bitSetSize(size)) }

// bitSetSize is the length of a bitSet for the numbers below size.
func bitSetSize(size int) int { return (size + 63) / 64 }

func (s bitSet) add(n int32)      { s[n/64] |= 1 << (n % 64) }
func (s bitSet) has(n int32) bool { return s[n/64]&(1<<(n%64)) != 0 }

func (s bitSet) len() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// keep removes the members that another set does not have. It returns false if none is left.
func (s bitSet) keep(other bitSet) bool {
	left := uint64(0)
	for i := range s {
		s[i] &= other[i]
		left |= s[i]
	}
	return left != 0
}

func (s bitSet) empty() bool {
	for _, word := range s {
		if word != 0 {
			return false
		}
	}
	return true
}

// ProductSet is a set of positions in a catalogue.
type ProductSet struct {
	size int // the number of products in the catalogue
	// members is nil if every product is a member.
	members bitSet
}

// keep removes the members that are not among the positions.
func (s *ProductSet) keep(positions []int32) {
	among := makeBitSet(s.size)
	for _, at := range positions {
		among.add(at)
	}
	s.intersect(ProductSet{s.size, among})
}

// intersect removes the members that another set does not have.
func (s *ProductSet) intersect(other ProductSet) {
	switch {
	case other.members == nil:
	case s.members == nil:
		s.members = other.members
	default:
		both := makeBitSet(s.size)
		for i := range both {
			both[i] = s.members[i] & other.members[i]
		}
		s.members = both
	}
}

// intersection is the set of the products that all sets have.
func intersection(sets ...ProductSet) ProductSet {
	all := sets[0]
	for _, s := range sets[1:] {
		all.intersect(s)
	}
	return all
}

func (s *ProductSet) has(at int32) bool { return s.members == nil || s.members.has(at) }

// each yields the members in ascending order.
func (s *ProductSet) each(yield func(int32) bool) {
	if s.members == nil {
		for at := range int32(s.size) {
			if !yield(at) {
				return
			}
		}
		return
	}
	for i, word := range s.members {
		for ; word != 0; word &= word - 1 {
			if !yield(int32(64*i + bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}

// Len is the number of members.
func (s *ProductSet) Len() int {
	if s.members == nil {
		return s.size
	}
	return s.members.len()
}

// shared is the number of members that another set has, too.
func (s *ProductSet) shared(other bitSet) (n int) {
	if s.members == nil {
		return other.len()
	}
	for i, word := range other {
		n += bits.OnesCount64(word & s.members[i])
	}
	return n
}

// Page returns the members from index from to index to of an order; a nil order is the document's.
// If the set has every product, the cost does not depend on from.
func (c *Catalogue) Page(s *ProductSet, order []int32, from, to int) []*commerce.Product {
	if from >= to {
		return nil
	}
	page := make([]*commerce.Product, 0, to-from)
	at := func(i int) int32 {
		if order == nil {
			return int32(i)
		}
		return order[i]
	}
	if s.members == nil {
		for i := from; i < to; i++ {
			page = append(page, c.products[at(i)])
		}
		return page
	}
	seen := 0
	for i := 0; len(page) < to-from; i++ {
		if !s.has(at(i)) {
			continue
		}
		if seen++; seen > from {
			page = append(page, c.products[at(i)])
		}
	}
	return page
}

// counter counts for each number the sets that have it: bit p of the count of a number is in set p.
type counter []bitSet

// add counts the members of a set.
func (c *counter) add(s bitSet) {
	for i, carry := range s {
		for p := 0; carry != 0; p++ {
			if p == len(*c) {
				*c = append(*c, make(bitSet, len(s)))
			}
			(*c)[p][i], carry = (*c)[p][i]^carry, (*c)[p][i]&carry
		}
	}
}

// highest is the highest count of the numbers below size.
func (c counter) highest(size int) (n int) {
	for p := range slices.Backward(c) {
		if !c.matching(n|1<<p, p, size).empty() {
			n |= 1 << p
		}
	}
	return n
}

// with are the numbers below size with a count.
func (c counter) with(n, size int) bitSet {
	if n>>len(c) > 0 {
		return makeBitSet(size)
	}
	return c.matching(n, 0, size)
}

// matching are the numbers below size whose counts agree with n from bit low on. n has a bit there.
func (c counter) matching(n, low, size int) bitSet {
	all := makeBitSet(size)
	for i := range all {
		all[i] = ^uint64(0)
		for p := low; p < len(c); p++ {
			if n>>p&1 == 1 {
				all[i] &= c[p][i]
			} else {
				all[i] &^= c[p][i]
			}
		}
	}
	return all
}
