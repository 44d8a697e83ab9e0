package ratelimit

import "sort"

// grant is one entry of the log: n requests of one batch, granted at a time. All times here are
// microseconds since 1970. The log is ordered by time.
type grant struct {
	at int64
	n  int64
	// earlier is the sum of n over the earlier entries since the log was last empty. A count
	// therefore needs only two entries.
	earlier int64
}

// verdict is the decision on one batch.
type verdict struct {
	granted int64
	count   int64 // earlier requests in the window
	oldest  int64 // time of the oldest entry that counts, this batch included; 0 if none
	at      int64 // the time the grant counts at: the later of the clock and the newest grant
}

// admit decides a batch of asked requests at clock and returns the new log. It grants requests
// while fewer than limit, the sum of a Bound, are counted in the window. Exactly one window after a grant, its requests count no more.
func admit(log []grant, clock, asked, limit, window int64) ([]grant, verdict) {
	log, at := prune(log, clock, window)
	v := verdict{at: at, count: total(log)}
	if len(log) > 0 {
		v.count -= log[0].earlier
	}
	v.granted = max(0, min(asked, limit-v.count))
	if v.granted > 0 {
		log = append(log, grant{at: at, n: v.granted, earlier: total(log)})
	}
	if len(log) > 0 {
		v.oldest = log[0].at
	}
	return log, v
}

// prune drops the entries that no longer count and returns the time that a new grant counts at.
// If the clock stepped back, that is the time of the newest grant. A grant more than one window
// ahead comes from a clock that was wrong, and is dropped.
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

// total is the number of requests granted since the log was last empty.
func total(log []grant) int64 {
	if len(log) == 0 {
		return 0
	}
	last := log[len(log)-1]
	return last.earlier + last.n
}
