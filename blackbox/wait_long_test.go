//go:build long

package blackbox_test

import (
	"net"
	"time"
)

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
