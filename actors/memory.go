package actors

import (
	"cartd/engine"
	"time"
)

// memory is what an actor knows of its record, and since when.
type memory[S any] struct {
	// record is never changed, for readers may have it; nil: nothing is known, a zero
	// stamp: known not to exist.
	record *engine.Record[S]
	// asOf: the record stood so in the store at this moment or later.
	asOf time.Time
	// base is the stamp that this actor's own commits went on from, first the
	// sequence of the first of them, acked when the last was acknowledged.
	base  engine.Stamp
	first uint64
	acked time.Time
}

// adopt takes over a record as the store held it at asOf or later.
func (m *memory[S]) adopt(r *engine.Record[S], asOf time.Time) {
	*m = memory[S]{record: r, asOf: asOf, base: r.Stamp}
}

// committed takes over what an own commit made of the record.
func (m *memory[S]) committed(c *engine.Commit[S]) {
	if m.first == 0 {
		m.first = c.Next.Stamp.Sequence
	}
	next := c.Next // the commit's own is used again
	m.record, m.asOf, m.acked = &next, c.SentAt, time.Now()
}

// current reports whether the record in memory may answer a request: it carries
// the stamp that the request's admission saw, or it was the store's after the
// request began (and what is remembered under its key was known), or own commits have replaced the admitted one since. A greater
// counter proves nothing, for the store may have lost a tail.
func (m *memory[S]) current(r *request[S]) bool {
	switch {
	case m.record == nil:
		return false
	case r.Presumed != nil: // its commit compares what it was judged against
		return true
	case !m.asOf.IsZero() && !m.asOf.Before(r.from()):
		return true
	case r.seen.Unread:
		return false
	case m.record.Stamp == r.seen.Stamp:
		return true
	case m.acked.Before(r.began): // also where nothing was committed here
		return false
	}
	return m.replaced(r.seen.Stamp)
}

func (m *memory[S]) currentForAll(requests []*request[S]) bool {
	for _, r := range requests {
		if !m.current(r) {
			return false
		}
	}
	return true
}

// replaced reports whether own commits went on from this stamp.
func (m *memory[S]) replaced(s engine.Stamp) bool {
	if s == m.base {
		return true
	}
	last := m.record.Stamp
	return s.Writer == last.Writer && s.Sequence >= m.first && s.Sequence < last.Sequence
}
