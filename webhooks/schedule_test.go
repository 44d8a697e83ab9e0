package webhooks

import (
	"testing"
	"time"
)

// The pauses double, with jitter, and end after a day.
func TestTheRetriesOfADay(t *testing.T) {
	for _, dice := range []float64{0, 0.5, 0.999} {
		var age, last time.Duration
		failures := 1
		for ; ; failures++ {
			wait, again := retryAfter(failures, age, dice)
			if !again {
				break
			}
			if doubled := 2 * last; last > 0 && wait != doubled && wait < longestRetry*3/4 {
				t.Errorf("retry %d comes after %v, want %v", failures, wait, doubled)
			}
			if wait > longestRetry*5/4 {
				t.Errorf("retry %d comes after %v, want at most %v and a quarter", failures, wait, longestRetry)
			}
			age, last = age+wait, wait
		}
		if age < giveUpAfter-longestRetry*5/4 || age > giveUpAfter || failures < 20 || failures > 30 {
			t.Errorf("dice %v: given up after %d failures in %v", dice, failures, age)
		}
	}
}

func TestTheJitterOfARetry(t *testing.T) {
	for dice, want := range map[float64]time.Duration{0: 6 * time.Second, 0.5: 8 * time.Second, 1: 10 * time.Second} {
		if got, again := retryAfter(4, 0, dice); got != want || !again {
			t.Errorf("retry 4 with dice %v comes after %v, %v; want %v", dice, got, again, want)
		}
	}
	if got, again := retryAfter(1<<40, 0, 0.5); got != longestRetry || !again {
		t.Errorf("after countless failures %v, %v", got, again)
	}
	if _, again := retryAfter(1, giveUpAfter, 0); again {
		t.Error("a delivery that is a day old is tried again")
	}
}
