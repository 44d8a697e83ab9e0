package configurator

import (
	"math/bits"
	"slices"

	"cartd/commerce"
)

// offered is a configurator without what can never be chosen: a choice is available
// if and only if everything that its requires reach exists and, with it, holds at most one
// choice of each single-choice group; a matrix, if the choices of its condition are.
func offered(c *commerce.Configurator) *commerce.Configurator {
	r := newReach(c)
	left := &commerce.Configurator{Dimensions: c.Dimensions, Components: c.Components}
	place := 0
	for _, g := range c.Groups {
		all := g.Choices
		g.Choices = nil
		for i := range all {
			if r.available[place] {
				g.Choices = append(g.Choices, all[i])
			}
			place++
		}
		left.Groups = append(left.Groups, g)
	}
	for _, m := range c.Matrices {
		if r.allAvailable(m.When) {
			left.Matrices = append(left.Matrices, m)
		}
	}
	return left
}

// reach knows what the requires of the choices reach. The choices stand at their places
// in the document's order.
type reach struct {
	place map[string]int
	group []int // of each choice
	// single reports of each group whether it is a single-choice group.
	single []bool
	// reached is of each choice itself and what its requires reach. broken are the
	// choices that require one that does not exist.
	reached   []set
	broken    []bool
	available []bool
}

func newReach(c *commerce.Configurator) *reach {
	r := &reach{place: map[string]int{}}
	for g := range c.Groups {
		r.single = append(r.single, !c.Groups[g].Multiple)
		for i := range c.Groups[g].Choices {
			r.place[c.Groups[g].Choices[i].ID] = len(r.group)
			r.group = append(r.group, g)
		}
	}
	for g := range c.Groups {
		for i := range c.Groups[g].Choices {
			r.add(c.Groups[g].Choices[i].Requires)
		}
	}
	r.close()
	for at := range r.reached {
		r.available = append(r.available, r.selectable(r.reached[at]))
	}
	return r
}

// add notes the requires of the next choice.
func (r *reach) add(requires []string) {
	reached, broken := newSet(len(r.group)), false
	reached.add(len(r.reached))
	for _, id := range requires {
		if at, exists := r.place[id]; exists {
			reached.add(at)
		} else {
			broken = true
		}
	}
	r.reached, r.broken = append(r.reached, reached), append(r.broken, broken)
}

// close follows the requires to their ends (Warshall's transitive closure). The work for
// the 1,000 choices that a document may have is about 10 ms, however many requires they have.
func (r *reach) close() {
	for through := range r.reached {
		for from := range r.reached {
			if r.reached[from].has(through) {
				r.reached[from].addAll(r.reached[through])
			}
		}
	}
}

// selectable reports whether all choices of a set exist and no two of them are of one
// single-choice group.
func (r *reach) selectable(choices set) bool {
	last := -1 // the group of the choice before: a group's choices are neighbours
	for at := range choices.all {
		g := r.group[at]
		if r.broken[at] || r.single[g] && g == last {
			return false
		}
		last = g
	}
	return true
}

func (r *reach) allAvailable(ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool {
		at, exists := r.place[id]
		return !exists || !r.available[at]
	})
}

// set is a set of places, a bit for each.
type set []uint64

func newSet(places int) set { return make(set, (places+63)/64) }

func (s set) add(place int) { s[place/64] |= 1 << (place % 64) }

func (s set) has(place int) bool { return s[place/64]>>(place%64)&1 == 1 }

func (s set) addAll(other set) {
	for i := range s {
		s[i] |= other[i]
	}
}

// all goes through the places in their order.
func (s set) all(yield func(place int) bool) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			if !yield(i*64 + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}
