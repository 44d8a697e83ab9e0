package engine

import (
	"sync/atomic"
	"time"
)

// Clock is the time of one Redis: the newest answer plus the duration since. It goes back only if
// Redis's own clock does. The zero value has no time yet.
type Clock struct{ last atomic.Pointer[reading] }

// reading is a time of Redis and the node's time of its arrival.
type reading struct{ redis, arrived time.Time }

func (r *reading) at(moment time.Time) time.Time { return r.redis.Add(moment.Sub(r.arrived)) }

// Drift is the maximum difference between Redis's time and the time that a visit was judged at.
const Drift = 250 * time.Millisecond

// Hear adopts a time from Redis's answer to a command sent at asked. It ignores a time earlier than
// the measured one, unless the difference shows that Redis's clock was set back.
func (c *Clock) Hear(redis, asked time.Time) {
	next := &reading{redis, time.Now()}
	for {
		last := c.last.Load()
		if last != nil && !last.at(next.arrived).Before(redis) && last.at(asked).Sub(redis) < Drift {
			return
		}
		if c.last.CompareAndSwap(last, next) {
			return
		}
	}
}

// Now is Redis's time; false if Redis has not answered yet.
func (c *Clock) Now() (time.Time, bool) { return c.At(time.Now()) }

// At is Redis's time at a moment of the node's clock; false if Redis has not answered yet.
func (c *Clock) At(moment time.Time) (time.Time, bool) {
	last := c.last.Load()
	if last == nil {
		return time.Time{}, false
	}
	return last.at(moment), true
}
