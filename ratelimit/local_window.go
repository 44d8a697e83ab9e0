package ratelimit

import (
	"sync"
	"time"
)

const (
	// maxWindows is how many keys have a window of their own at a time; all
	// further ones share one.
	maxWindows = 100_000
	// maxEntries bounds the entries of one window, up to rounding. Where the limit
	// is greater, grants are counted in steps of a window's maxEntries-th part.
	maxEntries = 1024
)

// Windows are the node's own windows, used while Redis is away. Memory is
// bounded: idle keys leave. The zero value is ready, and safe for concurrent use.
// Spec: Limits.
type Windows struct {
	mu     sync.Mutex
	logs   recent[string, []grant]
	shared []grant
}

// Take decides one request on key, now by the node's clock. Never more than limit
// are granted in any window; above a limit of 1024 a place may become free up to
// two thousandths of a window late.
func (w *Windows) Take(key string, limit int, window time.Duration, now time.Time) Decision {
	step := stepOf(limit, window)
	if step > 0 {
		window += step // rounded up, a grant is up to one step younger than it looks
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	log := w.log(key, now, window)
	clock := ceil(now.UnixMicro(), step.Microseconds())
	decided, v := take(*log, clock, 1, int64(limit), window.Microseconds())
	*log = joined(decided)
	return v.reply(now.UnixMicro()).Decide(0, limit, window)
}

// log finds the key's window. It stays for two windows, because after a step back
// of the clock its newest grant may lie one window ahead.
func (w *Windows) log(key string, now time.Time, window time.Duration) *[]grant {
	if log := w.logs.use(key, now.UnixMicro(), 2*window.Microseconds(), maxWindows); log != nil {
		return log
	}
	return &w.shared
}

// stepOf is what grants are rounded up to; 0: a limit small enough for exact times.
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

// joined makes one entry of the last two where they were granted at the same time.
func joined(log []grant) []grant {
	last := len(log) - 1
	if last < 1 || log[last].at != log[last-1].at {
		return log
	}
	log[last-1].n += log[last].n
	return log[:last]
}
