package ratelimit

import (
	"strconv"
	"strings"
	"time"
)

// Reply is what a batch of requests is told, by Redis or by the node's own window.
type Reply struct {
	// Granted is how many of the batch may go on: the first ones, in queue order.
	Granted int
	// Count is how many were granted in the window before this batch.
	Count int
	// Oldest is the oldest grant that counts, this batch included; zero: none.
	Oldest time.Time
	// Now is the clock of the deciding side, in microseconds.
	Now time.Time
	// At is the time the grant counts at: Now, or where the clock stepped back
	// the time of the newest grant, which is later.
	At time.Time
	// Head is the value of the script's second key; empty: no key or no value.
	Head string
}

// Decision is the limiter's answer to one request.
type Decision struct {
	Granted   bool
	Limit     int
	Remaining int
	// RetryAfter is until the next request can be granted, at least a microsecond;
	// 0 where the request was granted.
	RetryAfter time.Duration
	// Reset is when the oldest counted request leaves the window; zero where the
	// request was granted.
	Reset time.Time
}

// Limit is the limit that held for the batch: the number that the head begins
// with, else the one that was asked for.
func (r Reply) Limit(asked int) int {
	number, _, found := strings.Cut(r.Head, " ")
	if limit, err := strconv.Atoi(number); found && err == nil {
		return limit
	}
	return asked
}

// Decide is the answer to request i (from 0) of the batch, in queue order.
// Spec: Limits, Rate-limit headers.
func (r Reply) Decide(i, limit int, window time.Duration) Decision {
	if i < r.Granted {
		return Decision{Granted: true, Limit: limit, Remaining: limit - r.Count - (i + 1)}
	}
	reset := r.Oldest.Add(window)
	return Decision{Limit: limit, RetryAfter: max(reset.Sub(r.Now), time.Microsecond), Reset: reset}
}

// reply is the verdict of a decision made at clock.
func (v verdict) reply(clock int64) Reply {
	r := Reply{
		Granted: int(v.granted),
		Count:   int(v.count),
		Now:     time.UnixMicro(clock).UTC(),
		At:      time.UnixMicro(v.at).UTC(),
	}
	if v.oldest != 0 {
		r.Oldest = time.UnixMicro(v.oldest).UTC()
	}
	return r
}
