package httpserver

import (
	"io"
	"strings"
	"testing"
)

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
