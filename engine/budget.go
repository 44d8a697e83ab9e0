package engine

import "time"

// Budget is the state of a limit after a request.
// Spec: Limits, Rate-limit headers.
type Budget struct {
	Granted   bool
	Limit     int
	Remaining int
	// RetryAfter is until the next request can be granted; only if this one was not.
	RetryAfter time.Duration
	// Reset is when the oldest counted request leaves the window; only if this one was not granted.
	Reset time.Time
}
