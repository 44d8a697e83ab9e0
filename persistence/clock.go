package persistence

import (
	"sync"
	"sync/atomic"
	"time"
)

// clock is Redis's, as the node last heard it and has measured since. It also knows
// how often the node hears of Redis.
type clock struct {
	mu   sync.Mutex
	last atomic.Pointer[reading]
}

// reading is one answer of Redis: its time, and when it was asked for and heard.
type reading struct {
	redis, asked, here time.Time
	// heard counts the answers since the window began; busy: they were enough in the
	// window before.
	began time.Time
	heard int
	busy  bool
}

const (
	// clockTrust is for how long after an answer the node's own measuring counts.
	clockTrust = 50 * time.Millisecond
	// A node is busy that has heard busyAnswers in a busyWindow. Any other has the
	// time to ask before it writes, and learns so that Redis is away.
	busyWindow  = 250 * time.Millisecond
	busyAnswers = 64
)

// set takes over a time that Redis has just told, asked for at a moment of the node's.
func (c *clock) set(redis, asked time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := &reading{redis: redis, asked: asked, here: time.Now(), heard: 1}
	next.began = next.here
	if last := c.last.Load(); last != nil {
		if age := next.here.Sub(last.began); age < busyWindow {
			next.began, next.heard, next.busy = last.began, last.heard+1, last.busy
		} else if age < 2*busyWindow {
			next.busy = last.heard >= busyAnswers
		}
	}
	c.last.Store(next)
}

// busyAt is what Redis's time was at a moment of the node's clock: at the earliest, and at
// the latest, for on its trip the answer aged by an unknown part. Zero: the node is not
// busy.
func (c *clock) busyAt(moment time.Time) (earliest, latest time.Time) {
	last := c.last.Load()
	if last == nil || !last.busy && last.heard < busyAnswers || moment.Sub(last.here) > clockTrust {
		return time.Time{}, time.Time{}
	}
	return last.redis.Add(max(0, moment.Sub(last.here))), last.redis.Add(max(0, moment.Sub(last.asked)))
}
