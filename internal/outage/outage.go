// Package outage is what holds while Redis does not answer: the two errors of a request, and how a write is sent again.
package outage

import (
	"errors"
	"time"
)

var (
	// ErrUnavailable means that nothing was done: 503.
	ErrUnavailable = errors.New("unavailable: nothing was done")
	// ErrUnknownOutcome means that a write was sent and its outcome is not known: 504.
	ErrUnknownOutcome = errors.New("the outcome of the write is not known")
)

// maxPause is the maximum pause between two sendings of a write with an unknown outcome.
const maxPause = 250 * time.Millisecond

// Pause is the pause after a number of sendings. It doubles from 5 ms, so that a waiting request is answered soon after Redis answers, and
// gives up only shortly ahead of its deadline.
func Pause(sendings int) time.Duration {
	return min(5*time.Millisecond<<min(sendings-1, 10), maxPause)
}

// Until sends a write, with pauses, until send reports that it need not be sent again, or the next pause would end after the deadline.
func Until(deadline time.Time, send func() (again bool)) {
	for sendings := 1; send(); sendings++ {
		pause := Pause(sendings)
		if time.Until(deadline) < pause {
			return
		}
		time.Sleep(pause)
	}
}
