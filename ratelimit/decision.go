package ratelimit

import "sort"

// grant is one entry of the log: what one batch of requests was granted. All
// times here are microseconds since 1970. The log is ordered by time.
type grant struct {
	at int64
	n  int64
	// before is the sum of n over the earlier entries since the log was last
	// empty, so that a count needs two entries only.
	before int64
}

// verdict is what a batch is told.
type verdict struct {
	granted int64
	count   int64 // in the window before this batch
	oldest  int64 // the oldest entry still counted, this batch included; 0: none
	at      int64 // the time the grant counts at: the clock, or the newest grant's
}

// take decides a batch of asked requests, at least one, at clock and returns the
// log as it then stands. At most limit are granted in any window; a request may be granted
// exactly one window after the one whose place it takes.
func take(log []grant, clock, asked, limit, window int64) ([]grant, verdict) {
	log, at := prune(log, clock, window)
	v := verdict{at: at, count: total(log)}
	if len(log) > 0 {
		v.count -= log[0].before
	}
	v.granted = max(0, min(asked, limit-v.count))
	if v.granted > 0 {
		log = append(log, grant{at: at, n: v.granted, before: total(log)})
	}
	if len(log) > 0 {
		v.oldest = log[0].at
	}
	return log, v
}

// prune drops what no longer counts and returns the time that holds. Where the
// clock stepped back, time stands still at the newest grant. A grant more than
// one window ahead was made by a clock that was wrong, and is dropped.
func prune(log []grant, clock, window int64) (live []grant, at int64) {
	ahead := sort.Search(len(log), func(i int) bool { return log[i].at > clock+window })
	log = log[:ahead]
	at = clock
	if ahead > 0 {
		at = max(clock, log[ahead-1].at)
	}
	first := sort.Search(len(log), func(i int) bool { return log[i].at+window > at })
	return log[first:], at
}

// total is everything granted since the log was last empty.
func total(log []grant) int64 {
	if len(log) == 0 {
		return 0
	}
	last := log[len(log)-1]
	return last.before + last.n
}
