package httpserver

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/valyala/fasthttp/fasthttputil"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/front"
)

// hold sends a request and returns when it is in the engine, where it stays until leave is closed.
func (h *harness) hold() (leave chan struct{}, answered chan answer) {
	entered := make(chan struct{})
	leave, answered = make(chan struct{}), make(chan answer, 1)
	h.engine.during = func() { close(entered); <-leave }
	go func() { answered <- h.do(call{method: "POST", path: cartsPath}) }()
	<-entered
	return leave, answered
}

func TestShutdownFinishesRequestsInFlight(t *testing.T) {
	h := start(t)
	leave, answered := h.hold()
	stopped := make(chan error, 1)
	go func() { stopped <- h.server.Shutdown(context.Background()) }()
	for !h.server.draining.Load() {
		runtime.Gosched()
	}
	select {
	case err := <-stopped:
		t.Fatalf("Shutdown returned %v while a request was in flight", err)
	default:
	}
	close(leave)
	if got := <-answered; got.status != 201 {
		t.Errorf("the request in flight: got %d %s, want 201", got.status, got.body)
	}
	if err := <-stopped; err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if _, err := h.ln.Dial(); err == nil {
		t.Error("a connection was accepted after Shutdown")
	}
}

// A connection that was opened in advance does not delay a stop, and is no request. fasthttp would
// wait for it as long as a request may take to arrive.
func TestShutdownClosesSilentConnections(t *testing.T) {
	h := start(t)
	silent, err := h.ln.Dial()
	if err != nil {
		t.Fatal(err)
	}
	for open := 0; open == 0; open, _, _ = h.server.front.Connections() {
		runtime.Gosched()
	}
	began := time.Now()
	h.stop()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("Shutdown took %v", took)
	}
	if got, err := io.ReadAll(silent); len(got) > 0 || err != nil {
		t.Errorf("the connection: got %q, %v; want its end", got, err)
	}
	if h.log.String() != "" || strings.Contains(h.metrics(), "cartd_requests_total{") {
		t.Errorf("counted or logged as a request:\n%s%s", h.log, h.metrics())
	}
}

func TestServeAfterShutdownEndsAtOnce(t *testing.T) {
	server := New(Config{Engine: newFakeEngine(), Limits: front.Limits{LastRequests: lastRequests}})
	if err := server.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(fasthttputil.NewInmemoryListener()) }()
	select {
	case err := <-served:
		if err != nil {
			t.Errorf("Serve: got %v, want none", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("Serve goes on")
	}
}

func TestShutdownGivesUpWithItsContext(t *testing.T) {
	h := start(t)
	leave, answered := h.hold()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := h.server.Shutdown(ctx); err != context.Canceled {
		t.Errorf("Shutdown: got %v, want %v", err, context.Canceled)
	}
	close(leave)
	<-answered
}

func TestReadiness(t *testing.T) {
	h := start(t)
	h.expect(call{method: "GET", path: "/readyz"}, 200, `{"status":"ok"}`)
	h.engine.silent = []string{"10.0.0.1:6379", "redis-2:6379"}
	h.expect(call{method: "GET", path: "/readyz"}, 200, `{"status":"ok","silent_redis_servers":["10.0.0.1:6379","redis-2:6379"]}`)
	h.engine.unready = engine.RedisReadOnly
	h.expect(call{method: "GET", path: "/readyz"}, 503, `{"message":"Service Unavailable","reason":"redis_read_only"}`)
	h.engine.unready = engine.RedisAway
	got := h.expect(call{method: "GET", path: "/readyz"}, 503, `{"message":"Service Unavailable","reason":"redis_away"}`)
	if got.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After: got %q, want 1", got.header.Get("Retry-After"))
	}
	h.expect(call{method: "GET", path: "/healthz"}, 200, `{"status":"ok"}`)
	h.engine.unready = ""
	h.server.Drain()
	h.expect(call{method: "GET", path: "/readyz"}, 503, `{"message":"Service Unavailable","reason":"draining"}`)
	h.expect(call{method: "GET", path: "/healthz"}, 200, `{"status":"ok"}`)
	h.expect(call{method: "GET", path: "/v1/ping"}, 200, `{"message":"pong"}`)
}

// A request in the engine does not change when the connection's buffers are reused.
func TestEngineGetsCopies(t *testing.T) {
	h := start(t)
	body := func(fill string) string {
		return `{"email":"` + strings.Repeat(fill, 8) + `@example.com","metadata":{"` + fill + `":"` + fill + `","n":1.50}}`
	}
	line := func(fill string) string { return linePathOf(strings.Repeat(fill, 36)) }
	wire := call{method: "PATCH", path: cartsPath + "/" + testCart, body: body("a"), header: []string{"X-Customer-Token: aaaa"}}.wire() +
		call{method: "DELETE", path: line("a")}.wire() +
		call{method: "PATCH", path: cartsPath + "/" + testLine, body: body("b"), header: []string{"X-Customer-Token: bbbb"}}.wire() +
		call{method: "DELETE", path: line("b"), header: []string{"Connection: close"}}.wire()
	conn, err := h.ln.Dial()
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = conn.Write([]byte(wire)) }()
	if _, err := io.ReadAll(conn); err != nil {
		t.Fatal(err)
	}
	patch := h.engine.requests[0].Command.(commerce.PatchCart)
	if *patch.Email != "aaaaaaaa@example.com" || patch.Metadata[0].Key != "a" || patch.Metadata[0].Value.Text != "a" || patch.Metadata[1].Value.Text != "1.50" {
		t.Errorf("first command changed to %+v (%s)", patch, *patch.Email)
	}
	if got := h.engine.requests[1].Command.(commerce.RemoveLine).LineID; got != strings.Repeat("a", 36) {
		t.Errorf("first line id changed to %q", got)
	}
	if want := commerce.HashSecret([]byte("aaaa")); *h.engine.asks[0].Token != want {
		t.Errorf("first token hash changed to %x, want %x", *h.engine.asks[0].Token, want)
	}
}

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
