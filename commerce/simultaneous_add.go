package commerce

import (
	"slices"
	"time"
)

// Sight is what a request knew when it came. Spec: Line behaviour 2.
type Sight struct {
	// Unanswered are the stamp counters of the node's own commits that were answered after the
	// request began.
	Unanswered []uint64
	// First is the stamp counter of the state that the request was first judged against, Came when
	// it came.
	First uint64
	Came  time.Time
}

// simultaneous is for how long before a request came another node may have made a line without
// which the request was first judged.
const simultaneous = 250 * time.Millisecond

// missed reports whether an add that finds a line was sent at the same time as the one that made
// it. A line of its own batch has no counter yet.
func (in *Input) missed(l *Line) bool {
	switch {
	case l.Born == 0:
		return false
	case l.Born == in.Next || slices.Contains(in.Sight.Unanswered, l.Born):
		return true
	}
	return l.Born > in.Sight.First && !l.Made.Before(in.Sight.Came.Add(-simultaneous))
}
