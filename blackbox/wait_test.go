package blackbox_test

import (
	"net"
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

// eventually reads the path until it answers with the status, for at most backWithin.
func (c client) eventually(path string, status int) answer {
	c.t.Helper()
	var last outcome
	if !pollFor(backWithin, func() bool {
		last = c.outcome("GET", path, "")
		return last.err == nil && last.status == status
	}) {
		c.t.Fatalf("%v (%v)\nwant: %d within %v", last.answer, last.err, status, backWithin)
	}
	return last.answer
}

// untilRefused waits, for a limited time, until the node takes no new connection. A node that never
// stops shows in its exit status.
func (c client) untilRefused() {
	pollFor(500*time.Millisecond, func() bool {
		conn, err := net.DialTimeout("tcp", c.node.addr, pollEvery)
		if err != nil {
			return true
		}
		conn.Close()
		return false
	})
}
