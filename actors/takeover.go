package actors

// takeover is a record that the node took over from the store, as it has to know it of
// requests that saw only what the node held. Times are Unix milliseconds of the store's
// clock.
type takeover struct {
	counter uint64
	written int64
	// known is what was known before, and since when: what stands between the two may have
	// been written at any time in between.
	known uint64
	since int64
}

// mostTakeovers is how many an actor remembers one by one.
const mostTakeovers = 4

// tookOver remembers a record that was taken over; known is the one before.
func (m *machine[S]) tookOver(now, known takeover) {
	last := len(m.takeovers) - 1
	if last >= 0 && m.takeovers[last].counter == now.counter && m.takeovers[last].written == now.written {
		return // the same once more: what it hides stands there
	}
	now.known, now.since = known.counter, known.written
	if last+1 == mostTakeovers { // the oldest two become one
		m.takeovers[1].known, m.takeovers[1].since = m.takeovers[0].known, m.takeovers[0].since
		m.takeovers = append(m.takeovers[:0], m.takeovers[1:]...)
	}
	m.takeovers = append(m.takeovers, now)
}

// longestPresumed is longer than a request lasts: what is written later than that behind its
// beginning was written by a clock that was ahead, and tells nothing.
const longestPresumed = 15_000

// catchUp has presumed requests, which saw only what the node held, count as having seen
// what another node may have written when they came, or an add behind another's answer
// would pass for a simultaneous one. Spec: Line behaviour 2.
func (m *machine[S]) catchUp(requests ...*request[S]) {
	for _, r := range requests {
		if r.Presumed == nil {
			continue
		}
		latest := r.Latest.UnixMilli()
		for i := len(m.takeovers) - 1; i >= 0; i-- {
			t := &m.takeovers[i]
			if t.written <= latest || t.written > latest+longestPresumed {
				r.sight = max(r.sight, t.counter)
				break // and those before it
			}
			if t.since <= latest && t.counter > t.known+1 { // but for the last write, whose time is told
				r.sight = max(r.sight, t.counter-1)
			}
		}
	}
}
