package httpserver

import (
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
