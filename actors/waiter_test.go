package actors

import (
	"testing"
	"time"
)

// The alarm stays set for one caller's deadline and must not end the wait of the next caller.
func TestAWaiterIsUsedAgain(t *testing.T) {
	w := newWaiter[int]().(*waiter[int])
	const far = patience
	for _, deadline := range []time.Duration{far, soon, 2 * soon, far} {
		at := time.Now().Add(deadline)
		if deadline == far {
			go func() { w.woken <- answered }()
		}
		why, reusable := w.wait(at)
		if want := wakeup(deadline == far); why != want || reusable != bool(want) {
			t.Errorf("a deadline of %v: answered %v, reusable %v; want %v", deadline, why, reusable, want)
		}
		if why == late && time.Now().Before(at) {
			t.Errorf("a deadline of %v passed too early", deadline)
		}
	}
	w.begin(time.Now()) // its answer comes with the alarm
	w.woken <- answered
	await(&scene{TB: t}, "an alarm", w.woken)
	await(&scene{TB: t}, "the other one", w.woken)
	if w.end() {
		t.Error("reusable, though both came")
	}
}
