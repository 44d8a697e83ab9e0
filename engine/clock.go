package engine

import (
	"sync/atomic"
	"time"
)

// Clock is the time of a Redis, as a node last heard it and has measured since. It does not go
// back, unless Redis's own clock does. The zero value has not heard anything.
type Clock struct{ last atomic.Pointer[reading] }

// reading is a time that Redis told, and when it was heard.
type reading struct{ told, heard time.Time }

func (r *reading) at(moment time.Time) time.Time { return r.told.Add(moment.Sub(r.heard)) }

// Drift is by how much Redis's time may differ from the one that a visit was judged at.
const Drift = 250 * time.Millisecond

// Hear takes over a time that Redis has just told, to whom asked at a moment of the node's clock: if it
// is later than what was measured, or so much earlier that Redis's clock was set back.
func (c *Clock) Hear(told, asked time.Time) {
	next := &reading{told, time.Now()}
	for {
		last := c.last.Load()
		if last != nil && !last.at(next.heard).Before(told) && last.at(asked).Sub(told) < Drift {
			return
		}
		if c.last.CompareAndSwap(last, next) {
			return
		}
	}
}

// Now is Redis's time. False: nothing was heard yet.
func (c *Clock) Now() (time.Time, bool) {
	last := c.last.Load()
	if last == nil {
		return time.Time{}, false
	}
	return last.at(time.Now()), true
}
