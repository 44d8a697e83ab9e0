//go:build long

package blackbox_test

import (
	"syscall"
	"testing"

	"cartd/internal/redistest"
)

// A stop takes a bounded time, also while a request and the node's own calls wait for a silent
// Redis, and if standard error is a full pipe.
func TestStopIsBounded(t *testing.T) {
	starts := map[string]func(*testing.T, options) *node{
		"log": func(t *testing.T, o options) *node { return start(t, o) }, "full pipe": startUnread,
	}
	for name, start := range starts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := redistest.Real(t)
			n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop), flags: []string{"--redis-timeout", "10m"}})
			shop := n.client(t)
			path := shop.newCart()
			r.Pause()
			defer r.Resume()
			inFlight := shop.begin("POST", path+"/lines", addBody(hammer, "1"))
			n.send(t, syscall.SIGTERM)
			if code := n.Await(); code != 0 {
				t.Errorf("exit status %d, want 0\n%s", code, n.Log)
			}
			<-inFlight
		})
	}
}
