package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// realClock sleeps by the kernel's timer: the Go runtime's own wakes up to a
// millisecond late where the process is idle.
type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

// coarse is how close to the moment the runtime's timer is good enough.
const coarse = 3 * time.Millisecond

func (realClock) SleepUntil(t time.Time) {
	if left := time.Until(t); left > coarse {
		time.Sleep(left - coarse)
	}
	for left := time.Until(t); left > 0; left = time.Until(t) {
		pause := unix.NsecToTimespec(int64(left))
		_ = unix.Nanosleep(&pause, nil) // cut short by a signal: once more
	}
}
