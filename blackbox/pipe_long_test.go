//go:build long

package blackbox_test

import (
	"bufio"
	"fmt"
	"testing"
	"time"
)

// startUnread starts a node. Once it listens, its standard error is a full pipe.
func startUnread(t *testing.T, o options) *node {
	t.Helper()
	log := newPipe(t)
	p := log.launch(t, o.args()...)
	_ = log.r.SetReadDeadline(time.Now().Add(pollWithin))
	for lines := bufio.NewScanner(log.r); p.Log.Address("listening") == ""; {
		if !lines.Scan() {
			t.Fatalf("the node does not listen: %v\n%s", lines.Err(), p.Log)
		}
		fmt.Fprintln(p.Log, lines.Text())
	}
	log.fill(t)
	return at(t, p, p.Log.Address("listening"))
}
