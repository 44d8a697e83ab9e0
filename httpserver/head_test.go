package httpserver

import (
	"strings"
	"testing"
)

// called lists the engine's methods that were called since the last reset.
func (h *harness) called() []string {
	h.engine.mu.Lock()
	defer h.engine.mu.Unlock()
	return h.engine.called
}

const (
	badHead    = `{"message":"Bad Request"}`
	badVersion = `{"message":"HTTP Version Not Supported"}`
	pong       = `{"message":"pong"}`
)

// A change of a cart follows each head on the same connection. If the head closes the connection,
// the change must have no effect.
func TestHeadsThatCloseTheConnection(t *testing.T) {
	h, addr := onTCP(t, 100)
	change := call{method: "PATCH", path: cartsPath + "/" + testCart, body: `{"email":"smuggled@example.com"}`, header: []string{"Connection: close"}}.wire()
	const ping = "GET /v1/ping HTTP/1.1\r\nHost: x\r\n"
	for _, row := range []struct {
		name, head string
		status     int
		body       string
		goesOn     bool
	}{
		{"nothing special", ping + "\r\n", 200, pong, true},
		{"HTTP/1.0 that is kept", "GET /v1/ping HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 200, pong, true},
		{"chunked in capitals", "POST /v1/ping HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n", 405, "", false},
		{"an option that begins with close", ping + "Connection: closed\r\n\r\n", 200, pong, true},

		{"close", ping + "Connection: close\r\n\r\n", 200, pong, false},
		{"close, then keep-alive", ping + "Connection: close\r\nConnection: keep-alive\r\n\r\n", 200, pong, false},
		{"keep-alive, then close", ping + "Connection: keep-alive\r\nConnection: close\r\n\r\n", 200, pong, false},
		{"close among others, then another", ping + "connection: TE , CLOSE\r\nCONNECTION: te\r\n\r\n", 200, pong, false},
		{"HTTP/1.0, close and keep-alive", "GET /v1/ping HTTP/1.0\r\nConnection: close\r\nConnection: keep-alive\r\n\r\n", 200, pong, false},

		{"identity", ping + "Transfer-Encoding: identity\r\n\r\n", 400, badHead, false},
		{"identity in capitals beside a length", ping + "TRANSFER-ENCODING:  IDENTITY \r\nContent-Length: 0\r\n\r\n", 400, badHead, false},
		{"another coding", ping + "Transfer-Encoding: gzip, chunked\r\n\r\n", 400, badHead, false},
		{"no coding", ping + "Transfer-Encoding:\r\n\r\n", 400, badHead, false},
		{"chunked, then identity", ping + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n", 400, badHead, false},

		{"folded by a space", ping + "A: b\r\n c\r\n\r\n", 400, badHead, false},
		{"folded by a tab", ping + "A: b\r\n\tc\r\n\r\n", 400, badHead, false},
		{"folded without a text", ping + "A: b\r\n \r\n\r\n", 400, badHead, false},
		{"the first line folded", "GET /v1/ping HTTP/1.1\r\n Host: x\r\n\r\n", 400, badHead, false},
		{"a folded coding", ping + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n", 400, badHead, false},
		{"a folded Connection", ping + "Connection:\r\n close\r\n\r\n", 400, badHead, false},

		{"a bare LF", ping + "A: b\nC: d\r\n\r\n", 400, badHead, false},
		{"a bare LF after the first line", "GET /v1/ping HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", 400, badHead, false},
		{"a bare LF, then the empty line", ping + "A: b\n\r\n", 400, badHead, false},
		{"an empty line of a bare LF", ping + "A: b\r\n\n", 400, badHead, false},
		{"two bare LFs", ping + "A: b\n\n", 400, badHead, false},
		{"bare LFs alone", "GET /v1/ping HTTP/1.1\nHost: x\n\n", 400, badHead, false},
		{"a bare LF in a chunked head", "POST /v1/ping HTTP/1.1\r\nHost: x\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, badHead, false},
		{"a bare CR", ping + "A: b\rC: d\r\n\r\n", 400, badHead, false},

		{"HTTP/1.2", "GET /v1/ping HTTP/1.2\r\nHost: x\r\n\r\n", 505, badVersion, false},
		{"HTTP/2.0", "GET /v1/ping HTTP/2.0\r\nHost: x\r\n\r\n", 505, badVersion, false},
		{"HTTP/2.0, kept", "GET /v1/ping HTTP/2.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n", 505, badVersion, false},
		{"HTTP/2.0 with a body", "PATCH /v1/ping HTTP/2.0\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 505, badVersion, false},
		{"the beginning of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, badVersion, false},
		{"HTTP/0.9", "GET /v1/ping HTTP/0.9\r\n\r\n", 505, badVersion, false},
		{"no version", "GET /v1/ping HTTP/11\r\nHost: x\r\n\r\n", 400, badHead, false},

		{"no HTTP", "hello\r\n\r\n", 400, badHead, false},
		{"a bad header", "GET /v1/ping HTTP/1.1\r\nHost : x\r\n\r\n", 400, badHead, false},
		{"two lengths", "PATCH /v1/ping HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400, badHead, false},
		{"broken chunks", "POST /v1/ping HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400, badHead, false},

		{"no Host", "GET /v1/ping HTTP/1.1\r\n\r\n", 400, badHead, false},
		{"two Hosts", ping + "Host: x\r\n\r\n", 400, badHead, false},
		{"an invalid Host", "GET /v1/ping HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, badHead, false},
		{"an invalid target", "GET http://a\"b/v1/ping HTTP/1.1\r\nHost: x\r\n\r\n", 400, badHead, false},
		{"an invalid Host, HTTP/1.0, kept", "GET /v1/ping HTTP/1.0\r\nHost: a@b\r\nConnection: keep-alive\r\n\r\n", 400, badHead, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			h.t = t
			h.reset()
			client := send(t, addr, row.head+change)
			got := client.reads()
			if got.status != row.status || row.body != "" && got.body != row.body || got.closed == row.goesOn {
				t.Errorf("got %d %s, closed %v; want %d %s, closed %v", got.status, got.body, got.closed, row.status, row.body, !row.goesOn)
			}
			expectCommonHeaders(t, got)
			if row.goesOn {
				if second := client.reads(); second.status != 200 || len(h.called()) != 1 {
					t.Errorf("the change: got %d %s, the engine was called %v", second.status, second.body, h.called())
				}
			}
			client.wantNoMore()
			if !row.goesOn && len(h.called()) > 0 {
				t.Errorf("the engine was called %v", h.called())
			}
		})
	}
	h.t = t
}

func TestALargeHeadIsRefused(t *testing.T) {
	h := start(t)
	got := h.raw("GET", "GET /v1/ping HTTP/1.1\r\nHost: x\r\nA: "+strings.Repeat("a", 16<<10)+"\r\n\r\n")
	if expectCommonHeaders(t, got); got.status != 431 || got.body != message("Request Header Fields Too Large") || !got.closed {
		t.Errorf("got %d %s, closed %v", got.status, got.body, got.closed)
	}
}

// The server answers 100 Continue only if its answer depends on the body. The letter case does not
// matter.
func TestExpectedContinue(t *testing.T) {
	for _, expect := range []string{"Expect: 100-continue", "expect: 100-Continue", "EXPECT:100-CONTINUE "} {
		t.Run(expect, func(t *testing.T) { testExpectedContinue(t, expect) })
	}
}

func testExpectedContinue(t *testing.T, expect string) {
	h, addr := onTCP(t, 100)
	const path = cartsPath + "/" + testCart
	asking := func(request, length string) string {
		return request + "\r\nHost: x\r\nAuthorization: Bearer " + testKey + "\r\n" + length + expect + "\r\nConnection: keep-alive\r\n\r\n"
	}
	for _, row := range []struct {
		name, head string
		status     int
	}{
		{"no such path", asking("PATCH /v1/none HTTP/1.1", "Content-Length: 2\r\n"), 404},
		{"no such path, chunked", asking("PATCH /v1/none HTTP/1.1", "Transfer-Encoding: chunked\r\n"), 404},
		{"no such method", asking("PUT "+path+" HTTP/1.1", "Content-Length: 2\r\n"), 405},
		{"beyond the limit of the route", asking("PATCH "+path+" HTTP/1.1", "Content-Length: "+decimal(defaultBodyLimit+1)+"\r\n"), 413},
		{"beyond the limit of another route", asking("POST "+path+"/lines/batch HTTP/1.1", "Content-Length: "+decimal(batchBodyLimit+1)+"\r\n"), 413},
		{"beyond every limit", asking("PATCH "+path+" HTTP/1.1", "Content-Length: 1"+decimal(unroutedBodyLimit)+"\r\n"), 413},
		{"a refused head", asking("PATCH "+path+" HTTP/1.1", "A: b\nContent-Length: 2\r\n"), 400},
		{"an invalid Host", strings.Replace(asking("PATCH "+path+" HTTP/1.1", "Content-Length: 2\r\n"), "Host: x", "Host: a/b", 1), 400},
		{"HTTP/2.0", asking("PATCH "+path+" HTTP/2.0", "Content-Length: 2\r\n"), 505},
	} {
		t.Run(row.name, func(t *testing.T) {
			h.t = t
			h.reset()
			client := send(t, addr, row.head) // closed, because the body may be on its way
			if got := client.reads(); got.status != row.status || !got.closed {
				t.Errorf("got %d %s, closed %v; want %d, closed", got.status, got.body, got.closed, row.status)
			}
			if client.wantNoMore(); len(h.called()) > 0 {
				t.Errorf("the engine was called %v", h.called())
			}
		})
	}
	for _, row := range []struct {
		name, wire string
		want       []int
	}{
		{"a body", asking("PATCH "+path+" HTTP/1.1", "Content-Length: 2\r\n") + "{}", []int{100, 200}},
		{"a chunked body", asking("PATCH "+path+" HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "2\r\n{}\r\n0\r\n\r\n", []int{100, 200}},
		{"a batch", asking("POST "+path+"/lines/batch HTTP/1.1", "Content-Length: "+decimal(defaultBodyLimit+1)+"\r\n") + "{}" + strings.Repeat(" ",
			defaultBodyLimit-1), []int{100, 201}},
		{"no body", asking("PATCH "+path+" HTTP/1.1", ""), []int{200}},
		{"an empty body", asking("PATCH "+path+" HTTP/1.1", "Content-Length: 0\r\n"), []int{200}},
		{"HTTP/1.0", asking("PATCH "+path+" HTTP/1.0", "Content-Length: 2\r\n") + "{}", []int{200}},
	} {
		t.Run(row.name, func(t *testing.T) {
			h.t = t
			last := call{method: "GET", path: "/v1/ping", header: []string{"Connection: close"}}.wire()
			if strings.Contains(row.wire, "chunked") { // closes by itself
				last = ""
			}
			client := send(t, addr, row.wire+last)
			for _, want := range row.want {
				if got := client.reads(); got.status != want {
					t.Errorf("got %d %s, want %d", got.status, got.body, want)
				}
			}
			if last != "" {
				if got := client.reads(); got.body != pong {
					t.Errorf("the next request: got %d %s", got.status, got.body)
				}
			}
		})
	}
	h.t = t
}
