package actors

import (
	"sync"
	"time"
)

// waiter wakes a caller when its answer comes or its deadline passes. It is reused after the
// answer, if no other wake-up can come.
type waiter[S any] struct {
	// answer belongs to the actor until it has sent answered, then to the caller.
	answer answer[S]
	// woken has room for both wake-ups.
	woken chan wakeup

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

// wakeup is the reason that ends a wait.
type wakeup bool

const (
	answered wakeup = true
	late     wakeup = false
)

func newWaiter[S any]() any {
	w := &waiter[S]{woken: make(chan wakeup, 2)}
	w.alarm = time.AfterFunc(time.Hour, w.ring)
	w.alarm.Stop()
	return w
}

// wait blocks until the answer comes or the deadline passes. reusable is true if no other wake-up
// can come.
func (w *waiter[S]) wait(deadline time.Time) (why wakeup, reusable bool) {
	select {
	case why = <-w.woken: // the actor ran on this goroutine
		return why, true
	default:
	}
	w.begin(deadline)
	why = <-w.woken
	return why, w.end()
}

func (w *waiter[S]) begin(deadline time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting, w.deadline = true, deadline
	if !w.set || deadline.Before(w.due) {
		w.setAlarm(time.Until(deadline))
	}
}

// end reports whether the alarm has not woken the caller; after end it never will.
func (w *waiter[S]) end() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	waiting := w.waiting
	w.waiting = false
	return waiting
}

// ring wakes the caller if its deadline has passed.
func (w *waiter[S]) ring() {
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
	w.woken <- late
}

// setAlarm sets the alarm. The lock is held.
func (w *waiter[S]) setAlarm(left time.Duration) {
	w.set, w.due = true, w.deadline
	w.alarm.Reset(left)
}
