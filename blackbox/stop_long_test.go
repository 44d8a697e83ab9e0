//go:build long

package blackbox_test

import (
	"net/http"
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

// Each of the signals drains. A second signal ends the drain delay at once.
func TestLongSignalsDrain(t *testing.T) {
	t.Parallel()
	allowHangup()
	r, files := redistest.Mini(t), storeFiles(t, keyShop)
	for _, c := range []struct{ first, second syscall.Signal }{
		{syscall.SIGINT, syscall.SIGTERM}, {syscall.SIGTERM, syscall.SIGINT},
	} {
		t.Run(c.first.String(), func(t *testing.T) {
			t.Parallel()
			n := start(t, options{redis: r.URL(), stores: files, flags: []string{"--drain-delay", "10m"}})
			shop := n.client(t)
			shop.get("/readyz").wantStatus(http.StatusOK)
			n.send(t, c.first)
			poll(t, "503 of /readyz", func() bool {
				o := shop.outcome("GET", "/readyz", "")
				return o.err == nil && o.status == http.StatusServiceUnavailable
			})
			shop.newCart() // the node still serves requests
			n.send(t, c.second)
			if code := n.Await(); code != 0 {
				t.Errorf("%v, %v: exit status %d, want 0\n%s", c.first, c.second, code, n.Log)
			}
		})
	}
}

// A node whose standard error is a full pipe drains and stops.
func TestLongUnreadNodeStops(t *testing.T) {
	t.Parallel()
	n := startUnread(t, options{redis: redistest.Mini(t).URL(), stores: storeFiles(t, keyShop), flags: []string{"--drain-delay", "10m"}})
	n.client(t).newCart()
	n.send(t, syscall.SIGTERM)
	n.send(t, syscall.SIGINT) // ends the drain delay
	if code := n.Await(); code != 0 {
		t.Errorf("exit status %d, want 0", code)
	}
}
