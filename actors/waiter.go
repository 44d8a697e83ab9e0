package actors

import (
	"sync"
	"time"
)

// waiter is what a caller waits for its answer with. It is used again where the answer
// came and nothing else will.
type waiter[S any] struct {
	// answer is the actor's until it has sent answered, then the caller's.
	answer answer[S]
	// woken has room for both that may come.
	woken chan wakeup

	mu sync.Mutex
	// waiting: the caller waits, until the deadline.
	waiting  bool
	deadline time.Time
	// alarm is set for due, at the latest for the deadline. It stays set from one caller
	// to the next, so that most of them need not touch it.
	alarm *time.Timer
	set   bool
	due   time.Time
}

// wakeup is why a caller need not wait any longer.
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

// wait blocks until the answer is there or the deadline passes. reusable: nothing else
// will come.
func (w *waiter[S]) wait(deadline time.Time) (why wakeup, reusable bool) {
	select {
	case why = <-w.woken: // it ran on this goroutine
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

// end reports whether the alarm has not woken the caller, and now never will.
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
	if left := time.Until(w.deadline); left > 0 { // it was set for a caller before
		w.setAlarm(left)
		return
	}
	w.waiting = false
	w.woken <- late
}

// setAlarm is for when the lock is held.
func (w *waiter[S]) setAlarm(left time.Duration) {
	w.set, w.due = true, w.deadline
	w.alarm.Reset(left)
}
