//go:build long

package blackbox_test

import (
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// deliver delivers a connection's bytes in order, after the delay, until a side hangs up.
func deliver(from io.ReadCloser, to io.WriteCloser, by time.Duration) {
	type piece struct {
		due  time.Time
		text []byte
	}
	pieces := make(chan piece, 1000)
	go func() {
		defer to.Close()
		for p := range pieces {
			time.Sleep(time.Until(p.due))
			if _, err := to.Write(p.text); err != nil {
				from.Close()
			}
		}
	}()
	defer close(pieces)
	for {
		b := make([]byte, 64<<10)
		n, err := from.Read(b)
		if err != nil {
			return
		}
		pieces <- piece{time.Now().Add(by), b[:n]}
	}
}

// delayed is the URL of a proxy that delays the bytes of both sides.
func delayed(t *testing.T, target string, by time.Duration) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", target)
			if err != nil {
				near.Close()
				continue
			}
			go deliver(near, far, by)
			go deliver(far, near, by)
		}
	}()
	return "redis://" + listener.Addr().String() + "/0"
}

// Redis answers half a second later, but a new connection takes less than --redis-timeout. Requests
// that take several trips and wait for those of others are all answered, and none with 503.
func TestLongDistantRedisIsNotAnOutage(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	near := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t)
	path := near.newCart()
	far := start(t, options{redis: delayed(t, r.Addr(), 250*time.Millisecond), env: []string{"CARTD_REDIS_TIMEOUT=2500ms"}}).client(t)
	far.eventually("/readyz", 200)
	const crowd = 12
	wantAll := func(what string, status int, ask func(i int) outcome) {
		t.Helper()
		for i, o := range together(crowd, ask) {
			if o.err != nil || o.status != status {
				t.Errorf("%s, number %d: %v (%v), want %d", what, i, o.answer, o.err, status)
			}
		}
	}
	wantAll("a new cart", http.StatusCreated, func(int) outcome { return far.outcome("POST", "commerce/carts", "") })
	wantAll("an add", http.StatusCreated, func(int) outcome { return far.outcome("POST", path+"/lines", addBody(hammer, "1")) })
	wantAll("a read", http.StatusOK, func(int) outcome { return far.outcome("GET", path, "") })
	near.get(path).wantLines(200, "Hammer 12 × 1999 = 23988")
}
