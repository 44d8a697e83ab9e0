package configurator

import (
	"math/big"
	"slices"

	"cartd/commerce"
)

// offered is a configurator without unavailable choices and matrices. A choice reaches itself, the
// choices that it requires, the choices that those require, and so on. It is available if and only
// if every choice that it reaches exists and they contain at most one choice of each single-choice
// group. A matrix is available if the choices of its condition are.
func offered(c *commerce.Configurator) *commerce.Configurator {
	r := newReach(c)
	result := &commerce.Configurator{Dimensions: c.Dimensions, Components: c.Components}
	index := 0
	for _, g := range c.Groups {
		all := g.Choices
		g.Choices = nil
		for i := range all {
			if r.available[index] {
				g.Choices = append(g.Choices, all[i])
			}
			index++
		}
		result.Groups = append(result.Groups, g)
	}
	for _, m := range c.Matrices {
		if r.allAvailable(m.When) {
			result.Matrices = append(result.Matrices, m)
		}
	}
	return result
}

// reach has the choices that each choice reaches. The index of a choice follows the document's
// order.
type reach struct {
	index map[string]int
	group []int // by choice, the index of its group
	// single is, by group, whether it is a single-choice group.
	single []bool
	// reached is, by choice, the set of choices that it reaches as bits, itself included. broken is, by
	// choice, whether it requires one that does not exist.
	reached   []*big.Int
	broken    []bool
	available []bool
}

func newReach(c *commerce.Configurator) *reach {
	r := &reach{index: map[string]int{}}
	for g := range c.Groups {
		r.single = append(r.single, !c.Groups[g].Multiple)
		for i := range c.Groups[g].Choices {
			r.index[c.Groups[g].Choices[i].ID] = len(r.group)
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

// add adds the requires of the next choice.
func (r *reach) add(requires []string) {
	reached, broken := new(big.Int), false
	reached.SetBit(reached, len(r.reached), 1)
	for _, id := range requires {
		if at, exists := r.index[id]; exists {
			reached.SetBit(reached, at, 1)
		} else {
			broken = true
		}
	}
	r.reached, r.broken = append(r.reached, reached), append(r.broken, broken)
}

// close computes the transitive closure of the requires (Warshall's algorithm). For 1,000 choices,
// the maximum of a document, it takes about 10 ms, however many requires they have.
func (r *reach) close() {
	for through := range r.reached {
		for from := range r.reached {
			if r.reached[from].Bit(through) == 1 {
				r.reached[from].Or(r.reached[from], r.reached[through])
			}
		}
	}
}

// selectable reports whether all choices of a set exist and no two of them are in the same
// single-choice group.
func (r *reach) selectable(choices *big.Int) bool {
	last := -1 // the group of the previous choice; the choices of a group have adjacent indexes
	for at, g := range r.group {
		if choices.Bit(at) == 0 {
			continue
		}
		if r.broken[at] || r.single[g] && g == last {
			return false
		}
		last = g
	}
	return true
}

func (r *reach) allAvailable(ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool {
		at, exists := r.index[id]
		return !exists || !r.available[at]
	})
}
