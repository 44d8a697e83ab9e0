package blackbox_test

import (
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"cartd/internal/redistest"
)

// Each of the signals drains. A second signal ends the drain delay at once.
func TestSignalsDrain(t *testing.T) {
	t.Parallel()
	// A caller under nohup ignores SIGHUP, and so would a node that it starts.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	r, files := redistest.Mini(t), storeFiles(t, keyShop)
	for _, c := range []struct{ first, second syscall.Signal }{
		{syscall.SIGHUP, syscall.SIGHUP}, {syscall.SIGINT, syscall.SIGHUP}, {syscall.SIGTERM, syscall.SIGINT},
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
