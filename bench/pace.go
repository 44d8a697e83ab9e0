package bench

import (
	"context"
	"math"
	"sync/atomic"
	"time"
)

// Pace is a constant rate after a ramp.
type Pace struct {
	Rate float64       // requests a second
	Ramp time.Duration // the rate rises evenly from zero during this time
}

// At is the intended send time of the n-th request, counted from 0, as a time since the start.
func (p Pace) At(n int64) time.Duration {
	ramp := p.Ramp.Seconds()
	sent := float64(n)
	if climbed := p.Rate * ramp / 2; sent >= climbed {
		return seconds((sent-climbed)/p.Rate + ramp)
	}
	return seconds(math.Sqrt(2 * sent * ramp / p.Rate))
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// clock is the clock of a schedule; tests use a fake one.
type clock interface {
	Now() time.Time
	// SleepUntil returns at t, or at once if t has passed.
	SleepUntil(t time.Time)
}

// schedule gives the intended send times of requests. A free connection k calls next, which returns
// false after the last request.
type schedule interface {
	next(ctx context.Context, k int) (intended time.Time, ok bool)
}

// openLoop sends at a pace that does not depend on the answers. A free connection gets the next
// request. It waits for the request's send time, or is already late.
type openLoop struct {
	clock clock
	pace  Pace
	start time.Time
	until time.Time // the end of the intended send times
	cut   time.Time // no request is sent after it
	taken atomic.Int64
	// unsent is called for each request that was due and was not sent until cut.
	unsent func(k int, intended time.Time)
}

func (o *openLoop) next(ctx context.Context, k int) (time.Time, bool) {
	for {
		intended := o.start.Add(o.pace.At(o.taken.Add(1) - 1))
		if !intended.Before(o.until) {
			return intended, false
		}
		if o.clock.Now().Before(o.cut) {
			return intended, waitUntil(ctx, o.clock, intended)
		}
		o.unsent(k, intended)
	}
}

// waitUntil waits in short pieces and returns false when ctx ends.
func waitUntil(ctx context.Context, c clock, t time.Time) bool {
	const piece = 100 * time.Millisecond
	for ctx.Err() == nil {
		if t.Sub(c.Now()) <= piece {
			c.SleepUntil(t)
			return true
		}
		c.SleepUntil(c.Now().Add(piece))
	}
	return false
}

// closedLoop sends whenever the connection is free. It finds the maximum rate. Its latencies do not
// include requests that a stall kept from being sent. Connections start one by one along the ramp.
type closedLoop struct {
	clock       clock
	start       time.Time
	until       time.Time
	ramp        time.Duration
	connections int
	begun       []bool
	limit       int64 // the number of requests, 0 for no limit
	taken       atomic.Int64
}

func (c *closedLoop) next(ctx context.Context, k int) (time.Time, bool) {
	if !c.begun[k] {
		c.begun[k] = true
		waitUntil(ctx, c.clock, c.start.Add(c.ramp*time.Duration(k)/time.Duration(c.connections)))
	}
	if c.limit > 0 && c.taken.Add(1) > c.limit {
		return time.Time{}, false
	}
	now := c.clock.Now()
	return now, now.Before(c.until) && ctx.Err() == nil
}
