package configurator

import "cartd/commerce"

// offered is a configurator without what can never be chosen: a choice is available
// if everything that its requires reach exists and, with it, holds at most one
// choice of each single-choice group; a matrix, if the choices of its condition are.
func offered(c *commerce.Configurator) *commerce.Configurator {
	r := newReach(c)
	left := &commerce.Configurator{Dimensions: c.Dimensions, Components: c.Components}
	at := 0
	for _, g := range c.Groups {
		all := g.Choices
		g.Choices = nil
		for i := range all {
			if r.available(at) {
				g.Choices = append(g.Choices, all[i])
			}
			at++
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

// reach follows the requires of a document's choices.
type reach struct {
	choices []*commerce.Choice
	group   []int // of each choice
	single  []bool
	place   map[string]int

	// The choices reached in the current round, and of each group the last one.
	round  int
	seen   []int
	holder []held
	queue  []int
}

// held is the choice that a group holds, in a round.
type held struct{ round, choice int }

func newReach(c *commerce.Configurator) *reach {
	r := &reach{place: map[string]int{}, holder: make([]held, len(c.Groups))}
	for g := range c.Groups {
		r.single = append(r.single, !c.Groups[g].Multiple)
		for i := range c.Groups[g].Choices {
			one := &c.Groups[g].Choices[i]
			r.place[one.ID] = len(r.choices)
			r.choices = append(r.choices, one)
			r.group = append(r.group, g)
		}
	}
	r.seen = make([]int, len(r.choices))
	return r
}

// available reports whether some selection can hold the choice at a place.
func (r *reach) available(start int) bool {
	r.round++
	r.queue = r.queue[:0]
	if !r.take(start) {
		return false
	}
	for next := 0; next < len(r.queue); next++ {
		for _, id := range r.choices[r.queue[next]].Requires {
			if at, exists := r.place[id]; !exists || !r.take(at) {
				return false
			}
		}
	}
	return true
}

// take adds a choice to what is reached; false: its group holds another already.
func (r *reach) take(at int) bool {
	if r.seen[at] == r.round {
		return true
	}
	r.seen[at] = r.round
	holder := &r.holder[r.group[at]]
	if r.single[r.group[at]] && holder.round == r.round {
		return false
	}
	*holder = held{r.round, at}
	r.queue = append(r.queue, at)
	return true
}

func (r *reach) allAvailable(ids []string) bool {
	for _, id := range ids {
		if at, exists := r.place[id]; !exists || !r.available(at) {
			return false
		}
	}
	return true
}
