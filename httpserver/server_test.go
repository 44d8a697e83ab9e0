package httpserver

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp/fasthttputil"

	"cartd/commerce"
)

const (
	testKey   = "demo-storefront-key"
	testToken = "demo-token-ada"
	testCart  = "5f0c6f0e-8f3a-4a53-9b1a-3a1c5d0e7f11"
	testLine  = "0a0b0c0d-0e0f-4a0b-8c0d-0e0f0a0b0c0d"
)

var testNow = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// fakeEngine answers what a test tells it to and remembers what it was asked.
type fakeEngine struct {
	mu        sync.Mutex
	admission commerce.Admission
	admitErr  error
	reply     commerce.Reply
	err       error
	notReady  bool
	// during runs while a cart method is being served.
	during func()

	asks     []commerce.Ask
	requests []*commerce.CartRequest
	called   []string
}

func newFakeEngine() *fakeEngine {
	return &fakeEngine{
		admission: commerce.Admission{
			Now:    testNow,
			Budget: commerce.Budget{Granted: true, Limit: 120, Remaining: 119},
			Store:  sampleStore(),
			Key:    &commerce.APIKey{Name: "storefront", Scopes: readCommerce | writeCommerce},
		},
		reply: commerce.Reply{Cart: commerce.NewCart(uuid.MustParse(testCart), testNow)},
	}
}

func sampleStore() *commerce.Store {
	s := &commerce.Store{
		ID:               uuid.MustParse("11111111-1111-4111-8111-111111111111"),
		Name:             "Northwind Blinds",
		Modules:          commerce.Modules(0).With(commerce.ModuleCommerce).With(commerce.ModuleCustomers),
		PricesIncludeTax: true,
		RateLimit:        120,
		Policy: commerce.Policy{
			IdentityMode: "guest_allowed", Audience: "both", MaxLines: 100, MaxQuantityPerLine: 100 * commerce.One,
			Pricing: commerce.PricingDisplay{GuestPriceVisibility: "visible", VATDisplay: "inc", ShowOriginalPrice: true, ShowTierTable: true},
		},
	}
	s.Index()
	return s
}

func (e *fakeEngine) Admit(ask commerce.Ask) (commerce.Admission, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asks = append(e.asks, ask)
	return e.admission, e.admitErr
}

func (e *fakeEngine) serve(method string, r *commerce.CartRequest) (commerce.Reply, error) {
	e.mu.Lock()
	e.requests = append(e.requests, r)
	e.called = append(e.called, method)
	e.mu.Unlock()
	if e.during != nil {
		e.during()
	}
	return e.reply, e.err
}

func (e *fakeEngine) CreateCart(r *commerce.CartRequest) (commerce.Reply, error) {
	return e.serve("create", r)
}
func (e *fakeEngine) ReadCart(r *commerce.CartRequest) (commerce.Reply, error) {
	return e.serve("read", r)
}
func (e *fakeEngine) ChangeCart(r *commerce.CartRequest) (commerce.Reply, error) {
	return e.serve("change", r)
}
func (e *fakeEngine) Ready() bool { return !e.notReady }

// harness is a server on an in-memory listener.
type harness struct {
	t      *testing.T
	engine *fakeEngine
	server *Server
	ln     *fasthttputil.InmemoryListener
	log    *bytes.Buffer
	served chan error
}

func start(t *testing.T, adjust ...func(*Config)) *harness {
	t.Helper()
	return startTable(t, routes, adjust...)
}

func startTable(t *testing.T, table []route, adjust ...func(*Config)) *harness {
	t.Helper()
	h := &harness{t: t, engine: newFakeEngine(), ln: fasthttputil.NewInmemoryListener(), log: new(bytes.Buffer), served: make(chan error, 1)}
	logger := slog.New(slog.NewTextHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	cfg := Config{Engine: h.engine, Logger: logger, AccessLog: true}
	for _, f := range adjust {
		f(&cfg)
	}
	h.server = newServer(cfg, table)
	go func() { h.served <- h.server.Serve(h.ln) }()
	t.Cleanup(h.stop)
	return h
}

func (h *harness) stop() {
	if err := h.server.Shutdown(context.Background()); err != nil {
		h.t.Errorf("Shutdown: %v", err)
	}
	if err := <-h.served; err != nil {
		h.t.Errorf("Serve: %v", err)
	}
	h.served <- nil // stop may be called again
}

// call is one request as it goes over the wire.
type call struct {
	method, path, body string
	header             []string // "Name: value"
	chunked            bool
	anonymous          bool // no API key
}

func (c call) wire() string {
	var w strings.Builder
	w.WriteString(c.method + " " + c.path + " HTTP/1.1\r\nHost: shop.example\r\n")
	if !c.anonymous {
		w.WriteString("Authorization: Bearer " + testKey + "\r\n")
	}
	for _, line := range c.header {
		w.WriteString(line + "\r\n")
	}
	switch {
	case c.chunked:
		w.WriteString("Transfer-Encoding: chunked\r\n\r\n")
		for rest := c.body; rest != ""; {
			n := min(len(rest), 4096)
			w.WriteString(hexLength(n) + "\r\n" + rest[:n] + "\r\n")
			rest = rest[n:]
		}
		w.WriteString("0\r\n\r\n")
	case c.body != "":
		w.WriteString("Content-Length: " + decimal(len(c.body)) + "\r\n\r\n" + c.body)
	default:
		w.WriteString("\r\n")
	}
	return w.String()
}

type answer struct {
	status int
	header http.Header
	body   string
	closed bool // the server said that it closes the connection
}

func (h *harness) do(c call) answer {
	h.t.Helper()
	return h.raw(c.method, c.wire())
}

// raw sends bytes on a connection of their own and reads one answer.
func (h *harness) raw(method, wire string) answer {
	h.t.Helper()
	conn, err := h.ln.Dial()
	if err != nil {
		h.t.Fatalf("dial: %v", err)
	}
	defer conn.Close()
	sent := make(chan struct{})
	go func() { // an oversized body is not read to its end
		defer close(sent)
		_, _ = conn.Write([]byte(wire))
	}()
	got, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		h.t.Fatalf("%.200q: %v", wire, err)
	}
	body, err := io.ReadAll(got.Body)
	if err != nil {
		h.t.Fatalf("%.200q: body: %v", wire, err)
	}
	conn.Close()
	<-sent
	return answer{got.StatusCode, got.Header, string(body), got.Close}
}

// expect fails the test unless the answer has this status and body.
func (h *harness) expect(c call, status int, body string) answer {
	h.t.Helper()
	got := h.do(c)
	if got.status != status || got.body != body {
		h.t.Errorf("%s %s %.80q:\n got %d %s\nwant %d %s", c.method, c.path, c.body, got.status, got.body, status, body)
	}
	return got
}

func message(text string) string { return string(appendString([]byte(`{"message":`), text)) + "}" }

// lastRequest is what the engine was given last.
func (h *harness) lastRequest() *commerce.CartRequest {
	h.t.Helper()
	h.engine.mu.Lock()
	defer h.engine.mu.Unlock()
	if len(h.engine.requests) == 0 {
		h.t.Fatal("the engine was not asked")
	}
	return h.engine.requests[len(h.engine.requests)-1]
}

func TestShutdownFinishesWhatIsInFlight(t *testing.T) {
	h := start(t)
	entered, leave := make(chan struct{}), make(chan struct{})
	h.engine.during = func() { close(entered); <-leave }
	answered := make(chan answer, 1)
	go func() { answered <- h.do(call{method: "POST", path: cartsPath}) }()
	<-entered
	stopped := make(chan error, 1)
	go func() { stopped <- h.server.Shutdown(context.Background()) }()
	for !h.server.draining.Load() { // until Shutdown has begun
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

func TestShutdownGivesUpWithItsContext(t *testing.T) {
	h := start(t)
	entered, leave := make(chan struct{}), make(chan struct{})
	h.engine.during = func() { close(entered); <-leave }
	answered := make(chan answer, 1)
	go func() { answered <- h.do(call{method: "POST", path: cartsPath}) }()
	<-entered
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
	h.engine.notReady = true
	got := h.expect(call{method: "GET", path: "/readyz"}, 503, message("Service Unavailable"))
	if got.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After: got %q, want 1", got.header.Get("Retry-After"))
	}
	h.expect(call{method: "GET", path: "/healthz"}, 200, `{"status":"ok"}`)
	h.engine.notReady = false
	h.server.Drain()
	h.expect(call{method: "GET", path: "/readyz"}, 503, message("Service Unavailable"))
	h.expect(call{method: "GET", path: "/healthz"}, 200, `{"status":"ok"}`)
	h.expect(call{method: "GET", path: "/v1/ping"}, 200, `{"message":"pong"}`)
}

// What the engine was given stays as it was when the connection's buffers hold
// the next request.
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

func linePathOf(id string) string { return cartsPath + "/" + testCart + "/lines/" + id }
