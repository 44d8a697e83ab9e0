//go:build long

package blackbox_test

import (
	"syscall"
	"testing"
)

// send sends a signal and does not wait for its effect.
func (n *node) send(t testing.TB, s syscall.Signal) {
	t.Helper()
	if err := n.Cmd.Process.Signal(s); err != nil {
		t.Fatalf("%v: %v", s, err)
	}
}
