package engine

import (
	"sync/atomic"
	"time"
)

// Moment is when something that was about to happen did so first, by the node's monotonic clock.
type Moment struct {
	// Began is the moment from which on it was about to happen.
	Began time.Time
	after atomic.Int64 // Began, and a nanosecond more; 0: it has not happened
}

// Happens notes that it happens now; what happens again is not noted.
func (m *Moment) Happens() {
	if m.after.Load() == 0 {
		m.after.CompareAndSwap(0, 1+int64(max(0, time.Since(m.Began))))
	}
}

// At is when it happened; zero: not yet.
func (m *Moment) At() time.Time {
	if after := m.after.Load(); after != 0 {
		return m.Began.Add(time.Duration(after - 1))
	}
	return time.Time{}
}
