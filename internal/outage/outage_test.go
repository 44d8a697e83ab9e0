package outage

import (
	"testing"
	"time"
)

// A write is sent until it need not be, and never after its deadline.
func TestUntil(t *testing.T) {
	sent := 0
	Until(time.Now().Add(time.Minute), func() bool { sent++; return sent < 3 })
	if sent != 3 {
		t.Errorf("sent %d times, want 3", sent)
	}
	sent = 0
	began := time.Now()
	deadline := began.Add(50 * time.Millisecond)
	Until(deadline, func() bool {
		if time.Now().After(deadline.Add(20 * time.Millisecond)) {
			t.Error("sent after the deadline")
		}
		sent++
		return true
	})
	if sent < 2 || sent > 4 { // at 0, 5, 15 and 35 ms
		t.Errorf("sent %d times in 50 ms", sent)
	}
	if Pause(1) != 5*time.Millisecond || Pause(3) != 20*time.Millisecond || Pause(100) != maxPause {
		t.Errorf("pauses %v, %v, %v", Pause(1), Pause(3), Pause(100))
	}
}
