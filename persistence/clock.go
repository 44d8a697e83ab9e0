package persistence

import (
	"sync/atomic"
	"time"
)

// clock is Redis's, as the node last heard it and has measured since.
type clock struct{ last atomic.Pointer[reading] }

type reading struct{ redis, here time.Time }

// clockTrust is for how long after the last reading the node's own measuring counts.
const clockTrust = time.Second

// set takes over a time that Redis has just told.
func (c *clock) set(redis time.Time) { c.last.Store(&reading{redis: redis, here: time.Now()}) }

// at is what Redis's time was at a moment of the node's clock, a trip's length early at
// most and never late; zero: Redis was not heard lately.
func (c *clock) at(moment time.Time) time.Time {
	last := c.last.Load()
	if last == nil || moment.Sub(last.here) > clockTrust {
		return time.Time{}
	}
	return last.redis.Add(max(0, moment.Sub(last.here)))
}
