package engine

import (
	"sync/atomic"
	"time"
)

// Moment is the time of an event, by the node's monotonic clock.
type Moment struct {
	// Began is the earliest possible time.
	Began time.Time
	after atomic.Int64 // nanoseconds since Began, plus 1; 0 if it has not happened
}

// Happens sets the time to now, unless it is set.
func (m *Moment) Happens() {
	if m.after.Load() == 0 {
		m.after.CompareAndSwap(0, 1+int64(max(0, time.Since(m.Began))))
	}
}

// At is the time of the event; zero if it has not happened.
func (m *Moment) At() time.Time {
	if after := m.after.Load(); after != 0 {
		return m.Began.Add(time.Duration(after - 1))
	}
	return time.Time{}
}
