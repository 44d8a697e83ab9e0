package commerce

import (
	"slices"
	"time"
)

// Sight is the part of the record's history that a request can have seen. Spec: Line behaviour 2.
type Sight struct {
	// Unanswered are the stamp counters of the node's own commits that were answered after the request
	// began.
	Unanswered []uint64
	// First is the stamp counter of the state that the request was first judged by. Came is the time
	// of its arrival.
	First uint64
	Came  time.Time
}

// simultaneous is the maximum time from another node's making of a line to the arrival of an add,
// if the add counts as simultaneous.
const simultaneous = 250 * time.Millisecond

// missed reports whether the add that made the line was simultaneous with this one. A line of the
// same batch has no counter yet.
func (in *Input) missed(l *Line) bool {
	switch {
	case l.Born == 0:
		return false
	case l.Born == in.Next || slices.Contains(in.Sight.Unanswered, l.Born):
		return true
	}
	return l.Born > in.Sight.First && !l.Made.Before(in.Sight.Came.Add(-simultaneous))
}
