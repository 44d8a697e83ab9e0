package httpserver

import (
	"net/http"
	"strings"
	"testing"

	"cartd/engine"
)

// A server without an engine answers the probes. Every other request is 503 with Retry-After,
// whatever it has or lacks.
func TestServerWaitsForItsEngine(t *testing.T) {
	h := start(t, func(c *Config) { c.Engine = nil })
	h.expect(call{method: "GET", path: "/healthz"}, 200, `{"status":"ok"}`)
	h.expect(call{method: "GET", path: "/readyz"}, 503, `{"message":"Service Unavailable","reason":"redis_away"}`)
	h.server.Await(engine.Starting)
	h.expect(call{method: "GET", path: "/readyz"}, 503, `{"message":"Service Unavailable","reason":"starting"}`)
	large := strings.Repeat(" ", 4<<10)
	for i := range routes {
		for _, key := range []string{"", "Authorization: Bearer wrong"} {
			c := sample(&routes[i])
			if c.body = large; key != "" {
				c.anonymous, c.header = true, []string{key}
			}
			got := h.do(c)
			switch {
			case routes[i].probe:
			case got.status != 503 || got.header.Get("Retry-After") != "1" || got.body != message("Service Unavailable"):
				t.Errorf("%s %s with %q: got %d %s, want 503 with Retry-After", c.method, c.path, key, got.status, got.body)
			}
		}
	}
	for _, other := range []call{{method: "GET", path: "/v1/nothing"}, {method: "OPTIONS", path: cartsPath}, {method: "GET", path: "/v1/ping"}} {
		if got := h.do(other); got.status != http.StatusServiceUnavailable {
			t.Errorf("%s %s: got %d, want 503", other.method, other.path, got.status)
		}
	}
	h.server.Begin(h.engine)
	h.expect(call{method: "GET", path: "/readyz"}, 200, `{"status":"ok"}`)
	h.expect(call{method: "GET", path: "/v1/ping"}, 200, `{"message":"pong"}`)
	h.stop()
	if log := h.log.String(); strings.Contains(log, "/healthz") || strings.Contains(log, "/readyz") || !strings.Contains(log, "route=/v1/ping ") {
		t.Errorf("the access log has probes, or lacks the others:\n%s", log)
	}
}
