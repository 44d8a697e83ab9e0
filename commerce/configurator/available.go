package configurator

import (
	"slices"

	"cartd/commerce"
)

// offered is a configurator without what can never be chosen: a choice is available
// if everything that its requires reach exists and, with it, holds at most one
// choice of each single-choice group; a matrix, if the choices of its condition are.
func offered(c *commerce.Configurator) *commerce.Configurator {
	r := newReach(c)
	left := &commerce.Configurator{Dimensions: c.Dimensions, Components: c.Components}
	place := 0
	for _, g := range c.Groups {
		all := g.Choices
		g.Choices = nil
		for i := range all {
			if r.available(place) {
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

// reach follows the requires of a document's choices, which stand at their places
// in the document's order.
type reach struct {
	place    map[string]int
	group    []int // of each choice
	single   []bool
	requires [][]int

	// lost are choices that are known to be unavailable.
	lost []bool
	// What is reached from a choice is found in a round of its own: seen has the last
	// round of each choice, holds that of each group.
	round       int
	seen, holds []int
	queue       []int
}

func newReach(c *commerce.Configurator) *reach {
	r := &reach{place: map[string]int{}, holds: make([]int, len(c.Groups))}
	for g := range c.Groups {
		r.single = append(r.single, !c.Groups[g].Multiple)
		for i := range c.Groups[g].Choices {
			r.place[c.Groups[g].Choices[i].ID] = len(r.group)
			r.group = append(r.group, g)
		}
	}
	r.lost, r.seen = make([]bool, len(r.group)), make([]int, len(r.group))
	for g := range c.Groups {
		for i := range c.Groups[g].Choices {
			required, exist := r.places(c.Groups[g].Choices[i].Requires)
			r.lost[len(r.requires)] = !exist
			r.requires = append(r.requires, required)
		}
	}
	return r
}

// places finds choices by their ids. False: one of them does not exist.
func (r *reach) places(ids []string) (places []int, exist bool) {
	for _, id := range ids {
		at, exists := r.place[id]
		if !exists {
			return nil, false
		}
		places = append(places, at)
	}
	return places, true
}

// available reports whether some selection can hold the choice at a place.
func (r *reach) available(start int) bool {
	r.round++
	r.queue = r.queue[:0]
	found := r.take(start)
	for next := 0; found && next < len(r.queue); next++ {
		for _, at := range r.requires[r.queue[next]] {
			found = found && r.take(at)
		}
	}
	r.lost[start] = !found
	return found
}

// take adds a choice to what is reached; false: it is lost, or its group holds
// another already.
func (r *reach) take(at int) bool {
	if r.seen[at] == r.round {
		return true
	}
	g := r.group[at]
	if r.lost[at] || r.single[g] && r.holds[g] == r.round {
		return false
	}
	r.seen[at], r.holds[g] = r.round, r.round
	r.queue = append(r.queue, at)
	return true
}

// allAvailable is asked once every choice was.
func (r *reach) allAvailable(ids []string) bool {
	places, exist := r.places(ids)
	return exist && !slices.ContainsFunc(places, func(at int) bool { return r.lost[at] })
}
