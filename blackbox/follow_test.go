package blackbox_test

import (
	"testing"
	"time"
)

// followsWithin is the maximum time in which a node follows an import, with a margin for clocks
// that are read one after the other.
const followsWithin = time.Second + 50*time.Millisecond

// wantFollowed wants all nodes to show a change in time.
func wantFollowed(t *testing.T, what string, shows func(client) bool, shops []client) {
	t.Helper()
	ended := time.Now()
	for i, c := range shops {
		late := false
		poll(t, what, func() bool {
			late = time.Since(ended) > followsWithin // read first, because the answer takes its own time
			return shows(c) || late
		})
		if late && !shows(c) {
			t.Errorf("%s: node %d does not show it to a request of %v later", what, i, followsWithin)
		}
	}
}
