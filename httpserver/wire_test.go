package httpserver

import (
	"bufio"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"cartd/engine"
)

func decimal(n int) string   { return strconv.Itoa(n) }
func hexLength(n int) string { return strconv.FormatInt(int64(n), 16) }

func TestBodyLimit(t *testing.T) {
	h := start(t)
	fits := `{"metadata":{"a":"` + strings.Repeat("x", defaultBodyLimit-len(`{"metadata":{"a":""}}`)) + `"}}`
	patch := call{method: "PATCH", path: cartsPath + "/" + testCart}
	for _, chunked := range []bool{false, true} {
		patch.chunked = chunked
		patch.body = fits
		if got := h.do(patch); got.status != 200 {
			t.Errorf("chunked %v, %d bytes: got %d %s, want 200", chunked, len(patch.body), got.status, got.body)
		}
		for _, size := range []int{defaultBodyLimit + 1, unroutedBodyLimit, unroutedBodyLimit + 1, 3 * unroutedBodyLimit} {
			patch.body = strings.Repeat(" ", size)
			got := h.expect(patch, 413, message("The request body is too large."))
			expectNoBudget(t, got)
		}
	}
}

func TestBodyLimitOfARoute(t *testing.T) {
	table := append([]route{}, routes...)
	for i := range table {
		if table[i].method == "PATCH" && table[i].path == cartPath {
			table[i].bodyLimit = 2 * unroutedBodyLimit
		}
	}
	h := startTable(t, table)
	patch := call{method: "PATCH", path: cartsPath + "/" + testCart}
	patch.body = "{}" + strings.Repeat(" ", 2*unroutedBodyLimit-2)
	if got := h.do(patch); got.status != 200 {
		t.Errorf("%d bytes: got %d %s, want 200", len(patch.body), got.status, got.body)
	}
	patch.body += " "
	h.expect(patch, 413, message("The request body is too large."))
}

func TestUnreadableRequests(t *testing.T) {
	for _, row := range []struct {
		name, wire string
		status     int
		message    string
	}{
		{"no HTTP", "hello\r\n\r\n", 400, "Bad Request"},
		{"a bad header", "GET /v1/ping HTTP/1.1\r\nHost : x\r\n\r\n", 400, "Bad Request"},
		{"two lengths", "PATCH /v1/ping HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400, "Bad Request"},
		{"broken chunks", "POST /v1/ping HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400, "Bad Request"},
		{"a head too large", "GET /v1/ping HTTP/1.1\r\nHost: x\r\nA: " + strings.Repeat("a", 16<<10) + "\r\n\r\n", 431, "Request Header Fields Too Large"},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := start(t)
			got := h.raw("GET", row.wire)
			if got.status != row.status || got.body != message(row.message) {
				t.Errorf("got %d %s, want %d %s", got.status, got.body, row.status, row.message)
			}
			expectCommonHeaders(t, got)
			if !got.closed {
				t.Error("the connection was kept open")
			}
		})
	}
}

func TestChunkedConnectionsAreClosed(t *testing.T) {
	h := start(t)
	patch := call{method: "PATCH", path: cartsPath + "/" + testCart, body: "{}"}
	if got := h.do(patch); got.closed {
		t.Error("with Content-Length: the connection was closed")
	}
	patch.chunked = true
	if got := h.do(patch); got.status != 200 || !got.closed {
		t.Errorf("chunked: got %d, closed %v, want 200, closed", got.status, got.closed)
	}
	patch.header = []string{"Content-Length: 2"}
	if got := h.do(patch); !got.closed {
		t.Error("chunked beside Content-Length: the connection was kept open")
	}
	patch.body = "" // the attack: read by Content-Length, all but the last chunk is the next request
	if got := h.do(patch); got.status != 200 || !got.closed {
		t.Errorf("an empty chunked body: got %d, closed %v, want 200, closed", got.status, got.closed)
	}
}

// Trailers of a chunked body are no headers: a proxy that sets or checks headers does not check
// them.
func TestTrailersAreNoHeaders(t *testing.T) {
	h := start(t)
	send := func(body, headers, trailers string) *engine.Request {
		t.Helper()
		got := h.raw("PATCH", "PATCH "+cartsPath+"/"+testCart+" HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+testKey+
			"\r\nTransfer-Encoding: chunked\r\n"+headers+"\r\n"+body+"0\r\n"+trailers+"\r\n")
		if got.status != 200 || !got.closed {
			t.Errorf("%q after %q: got %d %s, closed %v, want 200, closed", trailers, body, got.status, got.body, got.closed)
		}
		return h.lastRequest()
	}
	for _, body := range []string{"", "2\r\n{}\r\n"} {
		r := send(body, "", "Idempotency-Key: \r\nIf-Match: \"x\"\r\nX-Customer-Token: x\r\n")
		if r.Fault != nil || r.Idempotency != nil || r.Match != nil || h.engine.asks[len(h.engine.asks)-1].Token != nil {
			t.Errorf("trailers were read: %+v", r)
		}
		r = send(body, "Idempotency-Key: one\r\nIf-Match: *\r\n", "idempotency-key: two\r\nIf-Match: \"x\"\r\nUser-Agent: x\r\nB: c\r\n")
		if r.Fault != nil || r.Idempotency == nil || r.Match == nil || !r.Match.Any {
			t.Errorf("headers were lost: %+v", r)
		}
	}
}

func TestContentTypeHasNoEffect(t *testing.T) {
	h := start(t)
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=utf-16"} {
		got := h.do(call{method: "PATCH", path: cartsPath + "/" + testCart, body: `{"email":"a@b"}`, header: []string{"Content-Type: " + kind}})
		if got.status != 200 || h.lastRequest().Fault != nil {
			t.Errorf("%s: got %d %s, fault %v", kind, got.status, got.body, h.lastRequest().Fault)
		}
	}
}

func TestABodyWithoutAUseIsIgnored(t *testing.T) {
	h := start(t)
	for _, c := range []call{
		{method: "POST", path: cartsPath},
		{method: "GET", path: cartsPath + "/" + testCart},
		{method: "DELETE", path: linePathOf(testLine)},
		{method: "GET", path: "/v1/api/me"},
	} {
		c.body = `{"not json`
		if got := h.do(c); got.status >= 300 {
			t.Errorf("%s %s: got %d %s", c.method, c.path, got.status, got.body)
		}
	}
	for _, r := range h.engine.requests {
		if r.Fault != nil {
			t.Errorf("a fault travelled on: %v", r.Fault)
		}
	}
}

func TestConnectionsAreKept(t *testing.T) {
	h := start(t)
	conn, err := h.ln.Dial()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	reader := bufio.NewReader(conn)
	for i := range 3 {
		if _, err := conn.Write([]byte(call{method: "HEAD", path: "/v1/ping"}.wire())); err != nil {
			t.Fatal(err)
		}
		got, err := http.ReadResponse(reader, &http.Request{Method: "HEAD"})
		if err != nil || got.StatusCode != 200 || got.ContentLength != int64(len(`{"message":"pong"}`)) {
			t.Fatalf("request %d: got %+v, %v", i, got, err)
		}
	}
}

// Connection has a list of options, in any letter case.
func TestConnectionCloseInAnyList(t *testing.T) {
	h := start(t)
	for header, closed := range map[string]bool{
		"close": true, "Close": true, "CLOSE": true, "close, te": true, "keep-alive , Close": true,
		"keep-alive": false, "closed": false, "": false,
	} {
		got := h.do(call{method: "GET", path: "/v1/ping", header: []string{"Connection: " + header}})
		if got.status != 200 || got.closed != closed {
			t.Errorf("Connection: %s: got %d, closed %v, want 200, %v", header, got.status, got.closed, closed)
		}
	}
}

// expectCommonHeaders checks the headers of every answer.
func expectCommonHeaders(t *testing.T, got answer) {
	t.Helper()
	expectHeadersOf(t, got, "application/json", "no-cache, private")
}

// expectHeadersOf is expectCommonHeaders for a body of another type that may be cached.
func expectHeadersOf(t *testing.T, got answer, media, cached string) {
	t.Helper()
	for name, want := range map[string]string{
		"Content-Type": media, "Cache-Control": cached, "X-Content-Type-Options": "nosniff", "Server": "",
	} {
		if value := got.header.Get(name); value != want {
			t.Errorf("%s: got %q, want %q", name, value, want)
		}
	}
	if got.header.Get("X-Request-Id") == "" {
		t.Error("X-Request-Id is missing")
	}
}

func expectNoBudget(t *testing.T, got answer) {
	t.Helper()
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		if _, there := got.header[http.CanonicalHeaderKey(name)]; there {
			t.Errorf("%d %s: carries %s", got.status, got.body, name)
		}
	}
}
