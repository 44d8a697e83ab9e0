//go:build long

package blackbox_test

import (
	"syscall"
	"testing"

	"cartd/internal/redistest"
)

// A stop takes a bounded time, also while a request and the node's own calls wait for a silent
// Redis.
func TestStopIsBounded(t *testing.T) {
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
}
