package bench

import (
	"context"
	"math"
	"sync/atomic"
	"time"
)

// Pace is a constant rate, reached along a ramp.
type Pace struct {
	Rate float64       // requests a second
	Ramp time.Duration // in which the rate rises evenly from zero
}

// At is when the n-th request, counted from 0, is meant to be sent: so long after the
// start.
func (p Pace) At(n int64) time.Duration {
	ramp := p.Ramp.Seconds()
	sent := float64(n)
	if climbed := p.Rate * ramp / 2; sent >= climbed {
		return seconds((sent-climbed)/p.Rate + ramp)
	}
	return seconds(math.Sqrt(2 * sent * ramp / p.Rate))
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// clock is the time, and waiting for it.
type clock interface {
	Now() time.Time
	// SleepUntil returns at t, or at once where t has passed.
	SleepUntil(t time.Time)
}

// schedule hands out when requests are meant to be sent. next is called by
// connection k when it is free, and returns false when nothing is left.
type schedule interface {
	next(ctx context.Context, k int) (intended time.Time, ok bool)
}

// openLoop sends at a pace, whatever the answers take: a free connection takes the
// next request that nobody has taken, and waits for its moment or is late for it.
type openLoop struct {
	clock clock
	pace  Pace
	start time.Time
	until time.Time // no request is meant for later
	cut   time.Time // nothing is sent any more
	taken atomic.Int64
	// unsent is called for each request that was due before cut and never sent.
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

// waitUntil waits in pieces, so that it sees the end of ctx. False: ctx has ended.
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

// closedLoop sends when the connection is free: it finds the ceiling, and its
// latencies leave out what a stall keeps from being sent. Connections start one by
// one along the ramp.
type closedLoop struct {
	clock       clock
	start       time.Time
	until       time.Time
	ramp        time.Duration
	connections int
	begun       []bool
	most        int64 // requests in all; 0: unbounded
	taken       atomic.Int64
}

func (c *closedLoop) next(ctx context.Context, k int) (time.Time, bool) {
	if !c.begun[k] {
		c.begun[k] = true
		waitUntil(ctx, c.clock, c.start.Add(c.ramp*time.Duration(k)/time.Duration(c.connections)))
	}
	if c.most > 0 && c.taken.Add(1) > c.most {
		return time.Time{}, false
	}
	now := c.clock.Now()
	return now, now.Before(c.until) && ctx.Err() == nil
}
