//go:build long

package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// backend is a node that records the heads that HAProxy sends. It breaks requests to /break off.
func backend(t *testing.T) (address string, heads chan http.Header, stop func()) {
	t.Helper()
	heads = make(chan http.Header, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", r.Header.Get("X-Request-Id"))
		switch r.URL.Path {
		case "/readyz":
		case "/v1/ping":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"message":"pong"}`)
		case "/v1/break":
			c, _, _ := http.NewResponseController(w).Hijack()
			c.(*net.TCPConn).SetLinger(0)
			c.Close()
		default:
			heads <- r.Header
		}
	}))
	return strings.TrimPrefix(s.URL, "http://"), heads, s.Close
}

// HAProxy passes on nothing that only a trusted proxy may say, and gives each request an id of its
// own. Its own refusals are JSON with Retry-After, and its log names their ids.
func TestLongHAProxySpeaksForItself(t *testing.T) {
	address, heads, stop := backend(t)
	t.Cleanup(stop)
	h := routeTo(t, address, closedAddr(t))
	send := func(path string) *http.Response {
		t.Helper()
		r, err := http.NewRequest("GET", h.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"X-Request-Id", "traceparent", "tracestate", "X-Server-Timing"} {
			r.Header.Add(name, "the client's")
			r.Header.Add(name, "the client's second")
		}
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Body.Close() })
		return a
	}
	seen := map[string]bool{}
	for range 3 {
		send("/v1/api/me")
		head := <-heads
		for _, name := range []string{"Traceparent", "Tracestate", "X-Server-Timing"} {
			if len(head[name]) > 0 {
				t.Errorf("the node got %s %q", name, head[name])
			}
		}
		ids := head["X-Request-Id"]
		if len(ids) != 1 || uuid.Validate(ids[0]) != nil || seen[ids[0]] {
			t.Fatalf("the node got X-Request-Id %q, want a new UUID", ids)
		}
		seen[ids[0]] = true
	}
	wantOwn := func(path string, status int, message string) {
		t.Helper()
		a := send(path)
		var body struct{ Message string }
		if err := json.NewDecoder(a.Body).Decode(&body); err != nil || a.StatusCode != status || body.Message != message ||
			a.Header.Get("Content-Type") != "application/json" || a.Header.Get("Retry-After") != "1" || uuid.Validate(a.Header.Get("X-Request-Id")) != nil {
			t.Errorf("GET %s: %d %v %+v, %v; want %d, %q as JSON, Retry-After and an id", path, a.StatusCode, a.Header, body, err, status, message)
		}
	}
	wantOwn("/v1/break", http.StatusBadGateway, "Bad Gateway")
	poll(t, "log line of the 502 with its id", func() bool {
		return regexp.MustCompile(`(?m)^127\.0\.0\.1 GET 502 .* [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(h.Log.String())
	})
	stop()
	wantOwn("/v1/api/me", http.StatusServiceUnavailable, "Service Unavailable")
}
