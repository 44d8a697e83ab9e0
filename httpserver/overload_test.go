package httpserver

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"cartd/httpserver/front"
)

// onTCP starts a server on a TCP listener with room for this number of connections.
func onTCP(t *testing.T, room int, adjust ...func(*Config)) (*harness, string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &harness{t: t, engine: newFakeEngine(), log: new(logBook), served: make(chan error, 1)}
	cfg := Config{Engine: h.engine, Logger: slog.New(slog.NewTextHandler(h.log, nil)), Limits: front.Limits{Connections: room, LastRequests: lastRequests}}
	for _, f := range adjust {
		f(&cfg)
	}
	h.server = New(cfg)
	go func() { h.served <- h.server.Serve(ln) }()
	t.Cleanup(h.stop)
	return h, ln.Addr().String()
}

// dialed is a client's connection.
type dialed struct {
	net.Conn
	t      *testing.T
	reader *bufio.Reader
}

func dial(t *testing.T, addr string) dialed {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(10 * time.Second))
	return dialed{c, t, bufio.NewReader(c)}
}

// send dials and sends bytes; an error shows in the answer.
func send(t *testing.T, addr, wire string) dialed {
	t.Helper()
	d := dial(t, addr)
	io.WriteString(d, wire)
	return d
}

// asks sends a request and returns the answer.
func (d dialed) asks(c call) answer {
	d.t.Helper()
	io.WriteString(d, c.wire()) // an error shows in the answer
	return d.reads()
}

func (d dialed) reads() answer {
	d.t.Helper()
	got, err := http.ReadResponse(d.reader, nil)
	if err != nil {
		d.t.Fatalf("no answer: %v", err)
	}
	body, err := io.ReadAll(got.Body)
	if err != nil {
		d.t.Fatalf("an answer cut off: %v", err)
	}
	return answer{got.StatusCode, got.Header, string(body), got.Close}
}

// wantRefused wants the answer of a full server, and then the end of the connection.
func (d dialed) wantRefused(got answer) {
	d.t.Helper()
	if got.status != 503 || got.body != message("Service Unavailable") || !got.closed {
		d.t.Errorf("without room: got %d %s, closed %v; want 503, closed", got.status, got.body, got.closed)
	}
	for name, want := range map[string]string{"Retry-After": "1", "Content-Type": "application/json", "Cache-Control": "no-cache, private",
		"X-Content-Type-Options": "nosniff"} {
		if value := got.header.Get(name); value != want {
			d.t.Errorf("%s: got %q, want %q", name, value, want)
		}
	}
	if got.header.Get("X-Request-Id") == "" || got.header.Get("Date") == "" {
		d.t.Errorf("without X-Request-Id or Date: %v", got.header)
	}
	d.wantNoMore()
}

// wantNoMore wants the end of the connection.
func (d dialed) wantNoMore() {
	d.t.Helper()
	if rest, err := io.ReadAll(d.reader); len(rest) > 0 || err != nil {
		d.t.Errorf("after the answer: %q, %v; want the end", rest, err)
	}
}

var ping = call{method: "GET", path: "/v1/ping"}

// At the limit, open connections are served, and new ones get the API's own 503, also after a body
// that is not read.
func TestConnectionsWithoutRoomAreRefused(t *testing.T) {
	h, addr := onTCP(t, 2)
	held := []dialed{dial(t, addr), dial(t, addr)}
	for _, d := range held {
		if got := d.asks(ping); got.status != 200 {
			t.Fatalf("with room: got %d", got.status)
		}
	}
	long := call{method: "PATCH", path: cartsPath + "/" + testCart, body: strings.Repeat("x", 200<<10)}
	for _, c := range []call{ping, long, {method: "GET", path: "/healthz"}} {
		d := dial(t, addr)
		d.wantRefused(d.asks(c))
	}
	for _, d := range held {
		if got := d.asks(ping); got.status != 200 {
			t.Errorf("an open connection: got %d, want 200", got.status)
		}
	}
	held[0].Close()
	for dial(t, addr).asks(ping).status != 200 { // until the server has counted the closed connection
	}
	if text := h.log.String(); strings.Count(text, "connections are refused") != 1 || !strings.Contains(text, "limit=2") {
		t.Errorf("want one line about the limit, got\n%s", text)
	}
	if h.unrouted(503) < 3 {
		t.Errorf("got\n%s\nwant every refusal counted", h.metrics())
	}
}

// In a flood of silent connections, all are answered and none stays.
func TestAFloodIsRefused(t *testing.T) {
	h, addr := onTCP(t, 1, func(cfg *Config) { cfg.AccessLog = true })
	if got := dial(t, addr).asks(ping); got.status != 200 {
		t.Fatalf("with room: got %d", got.status)
	}
	var flood []dialed
	for range 128 { // twice those that wait for their request
		flood = append(flood, dial(t, addr))
	}
	for _, d := range flood {
		d.wantRefused(d.reads())
	}
	h.stop()
	if log := h.log.String(); strings.Count(log, " client=127.0.0.1 ") != 1+len(flood) {
		t.Errorf("the access log lacks clients:\n%s", log)
	}
}
