package httpserver

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"cartd/httpserver/front"
)

// patchOf returns a change of the cart with a body of this size.
func patchOf(size int) call {
	return call{method: "PATCH", path: cartsPath + "/" + testCart, body: "{}" + strings.Repeat(" ", size-2)}
}

// awaitReserved waits until bodies have this many bytes beyond FirstBody.
func (h *harness) awaitReserved(bytes int64) {
	h.t.Helper()
	await(h.t, fmt.Sprint("bodies of ", bytes, " bytes"), func() bool { return h.server.Figures().Bodies == bytes })
}

func wantOverload(t *testing.T, got answer) {
	t.Helper()
	if got.status != 503 || got.body != message("Service Unavailable") || got.header.Get("Retry-After") != "1" || !got.closed {
		t.Errorf("beyond the budget: got %d %s, closed %v, %v; want 503 with Retry-After, closed", got.status, got.body, got.closed, got.header)
	}
	expectNoBudget(t, got)
}

// All bodies share one budget. Bodies within FirstBody do not count.
func TestBodiesShareABudget(t *testing.T) {
	const large = 8 * front.FirstBody
	h, addr := onTCP(t, 100, func(cfg *Config) {
		cfg.Limits.BodyBytes, cfg.Limits.BodyParts, cfg.Limits.BodyTime = large-front.FirstBody, 1, time.Minute
		cfg.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	wire := patchOf(large).wire()
	first := send(t, addr, wire[:len(wire)-1])
	h.awaitReserved(large - front.FirstBody)
	for _, chunked := range []bool{false, true} {
		c := patchOf(front.FirstBody + 1)
		c.chunked = chunked
		c.header = []string{"X-Forwarded-For: 192.0.2." + map[bool]string{false: "1", true: "2"}[chunked]} // other clients
		wantOverload(t, dial(t, addr).asks(c))
	}
	if got := dial(t, addr).asks(patchOf(front.FirstBody)); got.status != 200 {
		t.Errorf("a body of %d bytes: got %d %s, want 200", front.FirstBody, got.status, got.body)
	}
	if asked := len(h.engine.asks); asked != 1 {
		t.Errorf("%d requests were admitted, want the small one only", asked)
	}
	io.WriteString(first, wire[len(wire)-1:])
	if got := first.reads(); got.status != 200 || got.closed {
		t.Errorf("the body that used the budget: got %d, closed %v, want 200, open", got.status, got.closed)
	}
	if got := dial(t, addr).asks(patchOf(large)); got.status != 200 {
		t.Errorf("afterwards: got %d %s, want 200", got.status, got.body)
	}
	h.stop()
	if n := h.server.Figures().Bodies; n != 0 {
		t.Errorf("%d bytes are reserved in the end, want 0", n)
	}
}

// The body of a route that uses none is dropped, whatever it says.
func TestDroppedBodiesUseNoBudget(t *testing.T) {
	h := start(t, func(cfg *Config) { cfg.Limits.BodyBytes = 1 })
	for path, want := range map[string]int{"/v1/ping": 200, "/v1/unknown": 404, cartURL: 200} {
		c := call{method: "GET", path: path, body: strings.Repeat("x", defaultBodyLimit)}
		for _, c.chunked = range []bool{false, true} {
			if got := h.do(c); got.status != want {
				t.Errorf("%s, chunked %v: got %d %s, want %d", path, c.chunked, got.status, got.body, want)
			}
		}
	}
	for _, c := range []call{{method: "POST", path: cartsPath}, {method: "DELETE", path: linePathOf(testLine)}} {
		if c.body = "{"; h.do(c).status >= 300 || h.lastRequest().Fault != nil {
			t.Errorf("%s %s: a fault of the body travelled on: %v", c.method, c.path, h.lastRequest().Fault)
		}
	}
}

// A request whose body breaks off has no effect.
func TestBodiesThatBreakOff(t *testing.T) {
	h, addr := onTCP(t, 100)
	patch := func(header, body string) string { return headOf("PATCH", cartsPath+"/"+testCart, header) + body }
	rows := map[string]string{
		"before its first byte":     patch("Content-Length: 2", ""),
		"before its last byte":      patch("Content-Length: 3", "{}"),
		"within a chunk":            patch("Transfer-Encoding: chunked", "3\r\n{}"),
		"between two chunks":        patch("Transfer-Encoding: chunked", "2\r\n{}\r\n"),
		"before the end":            patch("Transfer-Encoding: chunked", "2\r\n{}\r\n0\r\n"),
		"within the trailers":       patch("Transfer-Encoding: chunked", "2\r\n{}\r\n0\r\nA: b\r\n"),
		"on an unknown path":        headOf("POST", "/v1/unknown", "Content-Length: 3") + "{}",
		"a chunk longer than said":  patch("Transfer-Encoding: chunked", "1\r\n{}\r\n0\r\n\r\n"),
		"a line without an end":     patch("Transfer-Encoding: chunked", "2;"+strings.Repeat("a", 1<<10)+"\r\n{}\r\n0\r\n\r\n"),
		"trailers without an end":   patch("Transfer-Encoding: chunked", "0\r\n"+strings.Repeat("A: b\r\n", 65)+"\r\n"),
		"a chunk of negative bytes": patch("Transfer-Encoding: chunked", "-2\r\n{}\r\n0\r\n\r\n"),
	}
	for name, wire := range rows {
		client := send(t, addr, wire)
		client.Conn.(*net.TCPConn).CloseWrite()
		if got := client.reads(); got.status != 400 || got.body != message("Bad Request") || !got.closed {
			t.Errorf("%s: got %d %s, closed %v, want 400, closed", name, got.status, got.body, got.closed)
		}
	}
	h.stop()
	if n := h.unrouted(400); n != len(rows) || len(h.engine.asks) > 0 {
		t.Errorf("%d requests without a route, %d admitted; want %d, none", n, len(h.engine.asks), len(rows))
	}
}

func TestASlowBodyIsTimedOut(t *testing.T) {
	_, addr := onTCP(t, 10, func(cfg *Config) { cfg.Limits.ReadTimeout = 20 * time.Millisecond })
	for _, wire := range []string{
		headOf("POST", cartsPath, "Content-Length: 2"),
		headOf("POST", cartsPath, "Content-Length: 2") + "{",
		headOf("POST", cartsPath, "Transfer-Encoding: chunked") + "2\r\n{",
		headOf("POST", "/v1/unknown", "Content-Length: 2") + "{",
	} {
		if got := send(t, addr, wire).reads(); got.status != 408 || got.body != message("Request Timeout") || !got.closed {
			t.Errorf("%q: got %d %s, closed %v, want 408, closed", wire, got.status, got.body, got.closed)
		}
	}
}

// The next request begins after the body, whether or not the handler read it, and after an answer
// without one.
func TestBodiesInAPipeline(t *testing.T) {
	h, addr := onTCP(t, 10)
	h.stamped(7)
	line := `{"product_id":"` + testLine + `","quantity":2}`
	add := call{method: "POST", path: cartsPath + "/" + testCart + "/lines", body: line}
	long := add
	long.body += strings.Repeat(" ", 40<<10)
	calls := []call{
		add, {method: "GET", path: "/v1/ping", body: line}, long, {method: "POST", path: "/v1/unknown", body: long.body},
		{method: "PUT", path: "/v1/ping", body: line}, add, {method: "HEAD", path: "/v1/ping", body: long.body}, long,
		{method: "GET", path: cartURL, header: []string{"If-None-Match: *"}}, add,
	}
	wants := []int{201, 200, 201, 404, 405, 201, 200, 201, 304, 201}
	client, wire := dial(t, addr), ""
	for _, c := range calls {
		wire += c.wire()
	}
	go io.WriteString(client, wire)
	for i, c := range calls {
		got, err := http.ReadResponse(client.reader, &http.Request{Method: c.method})
		if err != nil || got.StatusCode != wants[i] || got.Close {
			t.Fatalf("%d. %s %s: got %+v, %v; want %d", i, c.method, c.path, got, err, wants[i])
		}
		io.Copy(io.Discard, got.Body)
	}
	for _, r := range h.engine.requests {
		if r.Fault != nil {
			t.Errorf("a body was read wrongly: %v", r.Fault)
		}
	}
}

// A request arrives with the last byte of its body. Its deadline and the set of simultaneous
// requests count from then.
func TestRequestBeginsWithTheLastByteOfItsBody(t *testing.T) {
	h, addr := onTCP(t, 10)
	wire := patchOf(2 * front.FirstBody).wire()
	client := send(t, addr, wire[:len(wire)-1])
	h.awaitReserved(front.FirstBody)
	before := time.Now()
	io.WriteString(client, wire[len(wire)-1:])
	if got := client.reads(); got.status != 200 {
		t.Fatalf("got %d %s, want 200", got.status, got.body)
	}
	if began := h.engine.asks[0].Began; began.Before(before) {
		t.Errorf("it began %v too early, want the time of its last byte", before.Sub(began))
	}
}

// A body takes memory of the store of its API key. Without a key that exists the first KiB is kept,
// and the answer is 401 although the rest never comes.
func TestBodiesWithoutAKeyTakeNoMemory(t *testing.T) {
	h, addr := onTCP(t, 100, func(cfg *Config) { cfg.Limits.BodyBytes = 1 })
	h.engine.admission.Store, h.engine.admission.Key = nil, nil
	for _, name := range []string{"Authorization: Bearer unknown", "Authorization: Basic x", "A: b"} {
		wire := "PATCH " + cartsPath + "/" + testCart + " HTTP/1.1\r\nHost: x\r\n" + name + "\r\nContent-Length: 65536\r\n\r\n" +
			strings.Repeat("x", 2*front.FirstBody)
		if got := send(t, addr, wire).reads(); got.status != 401 || !got.closed {
			t.Errorf("%s: got %d %s, closed %v; want 401, closed", name, got.status, got.body, got.closed)
		}
	}
	if n := h.server.Figures().Bodies; n != 0 {
		t.Errorf("%d bytes are reserved", n)
	}
}

// The last eighth of a store's share is for bodies of at most 64 KiB, and one client has an eighth, or one body.
func TestLargeBodiesLeaveRoomForSmallOnes(t *testing.T) {
	const share = 8 << 20
	h, addr := onTCP(t, 100, func(cfg *Config) {
		cfg.Limits.BodyTime = time.Minute
		cfg.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	own := h.engine.admission.Store.ID
	batch := func(client, size int) call {
		return call{method: "POST", path: cartsPath + "/" + testCart + "/lines/batch", body: "{}" + strings.Repeat(" ", size-2),
			header: []string{fmt.Sprint("X-Forwarded-For: 192.0.2.", client)}}
	}
	unfinished := func(client, size int) dialed {
		wire := batch(client, size).wire()
		return send(t, addr, wire[:len(wire)-1])
	}
	h.server.front.Bodies.Reserve(own, share-share/8-(100<<10))
	if got := dial(t, addr).asks(batch(1, 200<<10)); got.status != 503 {
		t.Errorf("a large body in the last eighth: got %d", got.status)
	}
	for _, size := range []int{64 << 10, 2 << 10} {
		if got := dial(t, addr).asks(batch(2, size)); got.status == 503 {
			t.Errorf("a body of %d bytes in the last eighth: got %d", size, got.status)
		}
	}
	h.server.front.Bodies.Release(own, share-share/8-(100<<10))

	for range 4 {
		unfinished(3, 500<<10)
	}
	h.awaitReserved(2 * (500<<10 - front.FirstBody))
	unfinished(4, 64<<10)
	h.awaitReserved(2*(500<<10-front.FirstBody) + 64<<10 - front.FirstBody)
}

// A refused body keeps its part of its client's share for as long as its next bytes could have taken.
func TestARefusedBodyKeepsItsPlace(t *testing.T) {
	const pause = 200 * time.Millisecond
	_, addr := onTCP(t, 100, func(cfg *Config) {
		cfg.Limits.BodyBytes, cfg.Limits.ClientBodies, cfg.Limits.BodyTime = 1, 1, pause
	})
	began := time.Now()
	for range 2 {
		wantOverload(t, dial(t, addr).asks(patchOf(2*front.FirstBody)))
	}
	if took := time.Since(began); took < pause {
		t.Errorf("the second body was let in after %v, want at least %v", took, pause)
	}
}

const tooLargeText = "The request body is too large."

// headOf returns a request without its body.
func headOf(method, path string, headers ...string) string {
	return method + " " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + testKey + "\r\n" + strings.Join(append(headers, "\r\n"), "\r\n")
}

// The body limit needs no byte of the body.
func TestBodyLimitIsAppliedFromTheHead(t *testing.T) {
	h, addr := onTCP(t, 100)
	batch := cartsPath + "/" + testCart + "/lines/batch"
	for _, row := range []struct {
		method, path string
		limit        int
	}{
		{"POST", cartsPath, defaultBodyLimit},
		{"GET", cartsPath + "/" + testCart, defaultBodyLimit},
		{"POST", batch, batchBodyLimit},
		{"POST", "http://x" + batch + "/?page=1", batchBodyLimit},
		{"POST", quotesPath + "/by-token/" + quoteToken + "/accept", acceptBodyLimit},
		{"PATCH", catalogPath, changeBodyLimit}, // more than without a route
		{"PUT", batch, unroutedBodyLimit},       // 405
		{"POST", "/v1/unknown", unroutedBodyLimit},
		{"POST", "/" + batch, unroutedBodyLimit}, // two slashes: 404
	} {
		for _, header := range []string{"A: b", "Expect: 100-continue"} {
			got := send(t, addr, headOf(row.method, row.path, header, "Content-Length: "+decimal(row.limit+1))).reads()
			if got.status != 413 || got.body != message(tooLargeText) || !got.closed {
				t.Errorf("%s %s, %s: got %d %s, closed %v, want 413, closed", row.method, row.path, header, got.status, got.body, got.closed)
			}
			expectCommonHeaders(t, got)
			expectNoBudget(t, got)
		}
		wire := headOf(row.method, row.path, "Content-Length: "+decimal(row.limit)) + "{}" + strings.Repeat(" ", row.limit-2)
		if got := send(t, addr, wire).reads(); got.status == 413 || got.closed {
			t.Errorf("%s %s, as much as fits: got %d %s, closed %v", row.method, row.path, got.status, got.body, got.closed)
		}
	}
	if asked := len(h.engine.asks); asked != 6 { // the requests within the limit; unknown routes are not admitted
		t.Errorf("%d requests were admitted, want 6", asked)
	}
}

// A client that sends its whole body first gets the answer, not a reset.
func TestOversizedBodyIsReadAfterTheAnswer(t *testing.T) {
	_, addr := onTCP(t, 10)
	body := strings.Repeat("x", 8<<20)
	for name, wire := range map[string]string{
		"announced": headOf("POST", cartsPath, "Content-Length: "+decimal(len(body))) + body,
		"chunked":   headOf("POST", cartsPath, "Transfer-Encoding: chunked") + hexLength(len(body)) + "\r\n" + body + "\r\n0\r\n\r\n",
	} {
		client := dial(t, addr)
		if _, err := io.WriteString(client, wire); err != nil {
			t.Errorf("%s: %v, want the body read to its end", name, err)
		}
		if got := client.reads(); got.status != 413 || got.body != message(tooLargeText) || !got.closed {
			t.Errorf("%s: got %d %s, closed %v, want 413, closed", name, got.status, got.body, got.closed)
		}
		client.wantNoMore()
	}
}

// checkAnnounced checks only heads that announce more than the default.
func TestNoBodyLimitIsBelowTheDefault(t *testing.T) {
	for i := range routes {
		if limit := routes[i].maxBody(); limit < defaultBodyLimit {
			t.Errorf("%s %s: %d bytes", routes[i].method, routes[i].path, limit)
		}
	}
}

// maxUnfinished is the maximum memory of a connection with an unfinished request.
const maxUnfinished = 36 << 10

// Memory grows with the bytes that arrive, not with the announced length.
func TestUnfinishedBodiesCostLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory, which the race detector multiplies")
	}
	const connections = 200
	batch := cartsPath + "/" + testCart + "/lines/batch"
	for _, row := range []struct{ name, head, body string }{
		{"nothing of 512 KiB", "POST " + batch, "Content-Length: 524288\r\n\r\n"},
		{"3 KiB of 512 KiB", "POST " + batch, "Content-Length: 524288\r\n\r\n" + strings.Repeat(" ", 3<<10)},
		{"a chunk of 512 KiB", "POST " + batch, "Transfer-Encoding: chunked\r\n\r\n80000\r\n {"},
		{"a chunk beyond all limits", "POST " + batch, "Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n {"},
		{"8 KiB on a route without a body", "GET " + batch, "Content-Length: 65536\r\n\r\n" + strings.Repeat(" ", 8<<10)},
		{"8 KiB on an unknown path", "POST /v1/unknown", "Content-Length: 1048576\r\n\r\n" + strings.Repeat(" ", 8<<10)},
	} {
		t.Run(row.name, func(t *testing.T) {
			h, addr := onTCP(t, 2*connections)
			before := memory()
			for range connections {
				client, err := net.Dial("tcp", addr)
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				if _, err := io.WriteString(client, row.head+" HTTP/1.1\r\nHost: x\r\n"+row.body); err != nil {
					t.Fatal(err)
				}
			}
			h.awaitReceived(connections)
			limit := maxUnfinished + len(row.body) // the bytes that arrived count
			if each := (memory() - before) / connections; each > limit {
				t.Errorf("each connection costs %d bytes, want at most %d", each, limit)
			}
		})
	}
}

// memory returns the bytes of heap and stacks.
func memory() int {
	runtime.GC()
	runtime.GC() // frees the contents of pools
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc + stats.StackInuse)
}

// awaitReceived waits until the server has read from this number of connections.
func (h *harness) awaitReceived(connections int) {
	h.t.Helper()
	await(h.t, "the first bytes of every connection", func() bool {
		open, silent, _ := h.server.front.Connections()
		return open == connections && silent == 0
	})
}
