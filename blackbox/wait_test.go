package blackbox_test

import (
	"testing"
	"time"
)

const (
	pollEvery  = 5 * time.Millisecond
	pollWithin = 20 * time.Second
	// backWithin is the maximum time of the recovery once Redis is back: one second, and three more
	// for a busy machine.
	backWithin = 4 * time.Second
)

// poll waits until ready is true. It fails the test if that takes too long.
func poll(t *testing.T, what string, ready func() bool) {
	t.Helper()
	if !pollFor(pollWithin, ready) {
		t.Fatalf("no %s after %v", what, pollWithin)
	}
}

func pollFor(limit time.Duration, ready func() bool) bool {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for end := time.Now().Add(limit); !ready(); <-tick.C {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}
