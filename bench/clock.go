package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// realClock sleeps with the kernel's timer. The Go runtime's timer is up to a millisecond late in an
// idle process.
type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

// coarse is the remaining time from which the runtime's timer is not exact enough.
const coarse = 3 * time.Millisecond

func (realClock) SleepUntil(t time.Time) {
	if left := time.Until(t); left > coarse {
		time.Sleep(left - coarse)
	}
	for left := time.Until(t); left > 0; left = time.Until(t) {
		pause := unix.NsecToTimespec(int64(left))
		_ = unix.Nanosleep(&pause, nil) // a signal may end it early; the loop sleeps again
	}
}
