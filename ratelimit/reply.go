package ratelimit

import (
	"strconv"
	"strings"
	"time"
)

// Reply is the decision on a batch of requests, by Redis or by the node's own window.
type Reply struct {
	// Granted is the number of requests granted: the first ones of the batch.
	Granted int
	// Count is the number of earlier requests granted in the window.
	Count int
	// Oldest is the oldest grant that counts, this batch included; zero if none counts.
	Oldest time.Time
	// Now is the clock of Redis, or of the node if it decided itself, in microseconds.
	Now time.Time
	// Head is the value of the script's second key, empty if there is no key or no value.
	Head string
}

// Bound says how many counted requests a request may find: fewer than Limit + Beyond. Requests
// with several bounds count in one log, under one limit.
type Bound struct{ Limit, Beyond int }

// Decision is the limiter's answer to one request.
type Decision struct {
	Granted bool
	Limit   int
	// Remaining is the number of requests that may follow under the same bound; it may be greater
	// than Limit.
	Remaining int
	// RetryAfter is the time until the next request can be granted, at least a microsecond;
	// 0 if the request was granted.
	RetryAfter time.Duration
	// Reset is the time at which the oldest counted request leaves the window; zero if the
	// request was granted.
	Reset time.Time
	// Reserved is true if the request was refused although fewer than Limit were counted: what was left
	// is not for requests of its bound.
	Reserved bool
}

// Bound is the bound that the script applied to the batch: its limit is the number at the start of
// the head, or the limit that was asked for if the head has none.
func (r Reply) Bound(asked Bound) Bound {
	number, _, found := strings.Cut(r.Head, " ")
	if limit, err := strconv.Atoi(number); found && err == nil {
		asked.Limit = limit
	}
	return asked
}

// Decide is the decision on request i of the batch, counted from 0.
// Spec: Limits, Rate-limit headers.
func (r Reply) Decide(i int, bound Bound, window time.Duration) Decision {
	if i < r.Granted {
		return Decision{Granted: true, Limit: bound.Limit, Remaining: bound.Limit + bound.Beyond - r.Count - (i + 1)}
	}
	reset := r.Oldest.Add(window)
	return Decision{
		Limit: bound.Limit, RetryAfter: max(reset.Sub(r.Now), time.Microsecond), Reset: reset,
		Reserved: bound.Beyond < 0 && r.Count+r.Granted < bound.Limit,
	}
}

// reply converts the verdict of a decision made at clock.
func (v verdict) reply(clock int64) Reply {
	r := Reply{
		Granted: int(v.granted),
		Count:   int(v.count),
		Now:     time.UnixMicro(clock).UTC(),
	}
	if v.oldest != 0 {
		r.Oldest = time.UnixMicro(v.oldest).UTC()
	}
	return r
}
