package waiter

import (
	"testing"
	"time"
)

// The alarm stays set for one caller's deadline and must not end the wait of the next caller.
func TestAWaiterIsUsedAgain(t *testing.T) {
	const soon, far = 10 * time.Millisecond, time.Minute
	w := New()
	for _, deadline := range []time.Duration{far, soon, 2 * soon, far} {
		at := time.Now().Add(deadline)
		if deadline == far {
			go w.Answer()
		}
		answered, reusable := w.Wait(at)
		if want := deadline == far; answered != want || reusable != want {
			t.Errorf("a deadline of %v: answered %v, reusable %v; want %v", deadline, answered, reusable, want)
		}
		if !answered && time.Now().Before(at) {
			t.Errorf("a deadline of %v passed too early", deadline)
		}
	}
	w.begin(time.Now()) // its answer comes with the alarm
	w.Answer()
	<-w.woken
	<-w.woken
	if w.end() {
		t.Error("reusable, though both came")
	}
}

// An answer that has come ahead of the wait needs no alarm.
func TestAnAnswerAheadOfItsWait(t *testing.T) {
	w := New()
	if w.Answered() {
		t.Error("answered by nobody")
	}
	w.Answer()
	if answered, reusable := w.Wait(time.Time{}); !answered || !reusable || w.set {
		t.Errorf("answered %v, reusable %v, the alarm set %v", answered, reusable, w.set)
	}
}
