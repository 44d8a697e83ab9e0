//go:build long

package blackbox_test

import (
	"net/http"
	"strings"
	"syscall"
	"testing"

	"cartd/internal/redistest"
)

// An answered write survives a crash of the node, of Redis and of both.
func TestLongCartIsTheSameByteForByteAfterACrash(t *testing.T) {
	t.Parallel()
	r := durable(t)
	files := storeFiles(t, keyShop)
	for _, c := range []struct {
		name  string
		crash func(n *node)
	}{
		{"the node", func(n *node) { n.Kill() }},
		{"the node, then Redis", func(n *node) { n.Kill(); r.Restart() }},
		{"Redis, then the node", func(n *node) { r.Restart(); n.Kill() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := start(t, options{redis: r.URL(), stores: files})
			shop := n.client(t)
			path := shop.fill()
			last := shop.post(path+"/lines", addBody(hammer, "3")).wantStatus(http.StatusCreated)
			before := shop.get(path).want(http.StatusOK, string(last.body))
			c.crash(n)
			shop = shop.on(start(t, options{redis: r.URL(), stores: files}))
			if after := shop.get(path); string(after.body) != string(before.body) {
				t.Errorf("%v\nwant, byte for byte: %s", after, before.body)
			}
			shop.add(path, hammer, "1") // the cart takes further writes
		})
	}
}

// SIGTERM: the node finishes the requests in flight and exits with 0.
func TestLongTerminationFinishesRequestsInFlight(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop), flags: []string{"--ops-listen", "127.0.0.1:0"}})
	shop := n.client(t)
	path := shop.newCart()
	r.Pause() // so that the add stays in flight
	inFlight := shop.begin("POST", path+"/lines", addBody(hammer, "1"))
	poll(t, "the add is in flight", func() bool {
		_, page := fetch(t, opsOf(n)+"/metrics")
		return strings.Contains(page, "cartd_requests_in_flight 1\n")
	})
	n.send(t, syscall.SIGTERM)
	shop.untilRefused()
	r.Resume()
	if code := n.Await(); code != 0 {
		t.Errorf("SIGTERM: exit status %d, want 0\n%s", code, n.Log)
	}
	o := <-inFlight
	if o.err != nil {
		t.Fatalf("%s: %v; want the answer\n%s", o.call, o.err, n.Log)
	}
	o.wantLines(http.StatusCreated, "Hammer 1 × 1999 = 1999")
}
