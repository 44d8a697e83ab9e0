package ratelimit

import (
	"sync"
	"time"
)

const (
	// maxWindows is the number of keys that have a window of their own at a time. All further
	// keys share one.
	maxWindows = 100_000
	// maxEntries bounds the entries of one window, up to rounding and requests beyond the limit. If
	// the limit is greater, times are rounded up to steps of window / maxEntries.
	maxEntries = 1024
)

// Windows are the node's own windows, used while Redis is unreachable. Their memory is bounded:
// idle keys are removed. The zero value is ready and safe for concurrent use.
// Spec: Limits.
type Windows struct {
	mu     sync.Mutex
	logs   recent[string, []grant]
	shared []grant
}

// Decide decides one request on key at now, the node's clock, under one of the bounds of the key's
// limit. Above a limit of 1024, a request may be refused up to two thousandths of a window
// too long.
func (w *Windows) Decide(key string, bound Bound, window time.Duration, now time.Time) Decision {
	step := stepOf(bound.Limit, window)
	if step > 0 {
		window += step // a grant's time is rounded up by at most one step
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	log := w.log(key, now, window)
	clock := ceil(now.UnixMicro(), step.Microseconds())
	decided, v := admit(*log, clock, 1, int64(bound.Limit+bound.Beyond), window.Microseconds())
	*log = joined(decided)
	return v.reply(now.UnixMicro()).Decide(0, bound, window)
}

// log finds the key's log. It stays for two windows, because after a step back of the clock its
// newest grant may lie one window ahead.
func (w *Windows) log(key string, now time.Time, window time.Duration) *[]grant {
	if log := w.logs.use(key, now.UnixMicro(), 2*window.Microseconds(), maxWindows); log != nil {
		return log
	}
	return &w.shared
}

// stepOf is the step to which times are rounded up, 0 if the limit allows exact times.
func stepOf(limit int, window time.Duration) time.Duration {
	if limit <= maxEntries {
		return 0
	}
	return max(window/maxEntries, time.Microsecond).Truncate(time.Microsecond)
}

func ceil(at, step int64) int64 {
	if step == 0 {
		return at
	}
	return (at + step - 1) / step * step
}

// joined merges the last two entries if they have the same time.
func joined(log []grant) []grant {
	last := len(log) - 1
	if last < 1 || log[last].at != log[last-1].at {
		return log
	}
	log[last-1].n += log[last].n
	return log[:last]
}
