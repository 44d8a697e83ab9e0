// Package waiter wakes a caller when its answer comes or its deadline passes. The answer itself stands
// with the caller's own data.
package waiter

import (
	"sync"
	"time"
)

// Waiter is used again after an answer, if no other wake-up can come.
type Waiter struct {
	// woken has room for both wake-ups: true for the answer, false for the deadline.
	woken chan bool

	mu sync.Mutex
	// waiting is true while the caller waits, until the deadline.
	waiting  bool
	deadline time.Time
	// alarm is set for due, which is not after the deadline. It stays set from one caller to the next,
	// so that few callers have to reset it.
	alarm *time.Timer
	set   bool
	due   time.Time
}

// New makes a Waiter.
func New() *Waiter {
	w := &Waiter{woken: make(chan bool, 2)}
	w.alarm = time.AfterFunc(time.Hour, w.ring)
	w.alarm.Stop()
	return w
}

// Answer wakes the caller, whether it still waits or not. It is called once for each caller, and does
// not block.
func (w *Waiter) Answer() { w.woken <- true }

// Answered takes the answer if it has come.
func (w *Waiter) Answered() bool {
	select {
	case answered := <-w.woken:
		return answered
	default:
		return false
	}
}

// Wait blocks until the answer comes or the deadline passes. reusable is true if no other wake-up
// can come.
func (w *Waiter) Wait(deadline time.Time) (answered, reusable bool) {
	if w.Answered() { // on this goroutine
		return true, true
	}
	w.begin(deadline)
	answered = <-w.woken
	return answered, w.end()
}

func (w *Waiter) begin(deadline time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting, w.deadline = true, deadline
	if !w.set || deadline.Before(w.due) {
		w.setAlarm(time.Until(deadline))
	}
}

// end reports whether the alarm has not woken the caller; after end it never will.
func (w *Waiter) end() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	waiting := w.waiting
	w.waiting = false
	return waiting
}

// ring wakes the caller if its deadline has passed.
func (w *Waiter) ring() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.set = false
	if !w.waiting {
		return
	}
	if left := time.Until(w.deadline); left > 0 { // it was set for an earlier caller
		w.setAlarm(left)
		return
	}
	w.waiting = false
	w.woken <- false
}

// setAlarm sets the alarm. The lock is held.
func (w *Waiter) setAlarm(left time.Duration) {
	w.set, w.due = true, w.deadline
	w.alarm.Reset(left)
}
