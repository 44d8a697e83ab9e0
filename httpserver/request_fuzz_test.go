package httpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// fuzzed is a server whose connections are bytes, without a network.
type fuzzed struct {
	server *Server
	engine *fakeEngine
	log    *logBook
	conns  chan net.Conn
	end    chan struct{}
}

// byteConn is a connection on which a client has sent all its bytes and waits for the answers.
type byteConn struct {
	from   *bytes.Reader
	pieces int // the number of bytes of each read
	mu     sync.Mutex
	to     bytes.Buffer
	ended  chan struct{}
	once   sync.Once
}

func (c *byteConn) Read(b []byte) (int, error) { return c.from.Read(b[:min(len(b), c.pieces)]) }

func (c *byteConn) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.to.Write(b)
}

func (c *byteConn) Close() error                     { c.once.Do(func() { close(c.ended) }); return nil }
func (c *byteConn) LocalAddr() net.Addr              { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080} }
func (c *byteConn) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1} }
func (c *byteConn) SetDeadline(time.Time) error      { return nil }
func (c *byteConn) SetReadDeadline(time.Time) error  { return nil }
func (c *byteConn) SetWriteDeadline(time.Time) error { return nil }

// Accept, Close and Addr make a listener of the connections.
func (z *fuzzed) Accept() (net.Conn, error) {
	select {
	case c := <-z.conns:
		return c, nil
	case <-z.end:
		return nil, net.ErrClosed
	}
}

func (z *fuzzed) Close() error   { close(z.end); return nil }
func (z *fuzzed) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080} }

// newFuzzed starts a server with all routes but the stream, whose answer has no end.
func newFuzzed(f *testing.F) *fuzzed {
	f.Helper()
	table := slices.DeleteFunc(slices.Clone(routes), func(r route) bool { return r.path == eventsPath })
	z := &fuzzed{engine: newFakeEngine(), log: new(logBook), conns: make(chan net.Conn), end: make(chan struct{})}
	z.server = newServer(Config{Engine: z.engine, Logger: slog.New(slog.NewTextHandler(z.log, nil))}, table)
	served := make(chan error, 1)
	go func() { served <- z.server.Serve(z) }()
	f.Cleanup(func() {
		if err := z.server.Shutdown(context.Background()); err != nil {
			f.Error(err)
		}
		<-served
	})
	return z
}

// answer sends bytes on a connection and returns everything that the server sends until it closes.
func (z *fuzzed) answer(t *testing.T, sent []byte, pieces int) []byte {
	t.Helper()
	c := &byteConn{from: bytes.NewReader(sent), pieces: pieces, ended: make(chan struct{})}
	z.conns <- c
	select {
	case <-c.ended:
	case <-time.After(20 * time.Second):
		t.Fatalf("the connection is still open after %.2000q", sent)
	}
	z.engine.mu.Lock()
	z.engine.asks, z.engine.requests, z.engine.contacts, z.engine.accounts = nil, nil, nil, nil
	z.engine.adjusts, z.engine.called = nil, nil
	z.engine.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.to.Bytes()
}

// asRead are the methods of the requests that net/http reads from the bytes. whole is false if it
// refuses one of them.
func asRead(sent []byte) (methods []string, whole bool) {
	from := bufio.NewReader(bytes.NewReader(sent))
	for {
		r, err := http.ReadRequest(from)
		if err == nil {
			methods = append(methods, r.Method)
			_, err = io.Copy(io.Discard, r.Body)
		}
		if err != nil {
			return methods, errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		}
	}
}

// Whatever a client sends, each answer is well-formed HTTP with a body that is JSON where its head says
// so, and none is a fault of the server. Of bytes that net/http reads as requests there are no more
// answers than requests, but for a last refusal: the server finds no request in the bytes that another
// reader takes for a body. The answer does not depend on how the bytes arrive.
func FuzzRequests(f *testing.F) {
	z := newFuzzed(f)
	for i := range routes {
		c := sample(&routes[i])
		f.Add([]byte(c.wire()))
		c.chunked = true
		f.Add([]byte(c.wire()))
	}
	ping, patch := "GET /v1/ping HTTP/1.1\r\nHost: x\r\n\r\n", "PATCH "+cartPath+" HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+testKey+"\r\n"
	patch = strings.Replace(patch, "{id}", testCart, 1)
	for _, wire := range []string{
		ping + ping, ping + "hello\r\n\r\n", "HEAD /v1/ping HTTP/1.1\r\nHost: x\r\n\r\n" + ping, "GET /v1/ping HTTP/1.0\r\n\r\n" + ping,
		patch + "Content-Length: 2\r\n\r\n{}" + ping, patch + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} " + ping,
		patch + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + ping,
		patch + "Transfer-Encoding: identity, chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nIf-Match: x\r\n\r\n" + ping,
		patch + "Transfer-Encoding : chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + ping, patch + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}",
		patch + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}" + ping, patch + "Content-Length: +2\r\n\r\n{}" + ping,
		patch + "Idempotency-Key: a-key-of-sixteen-characters\r\nIf-Match: \"a\", W/\"b\", *\r\nContent-Length: 2\r\n\r\n{}",
		patch + "X-Forwarded-For: 1.2.3.4, ::1\r\nX-Request-Id: \x01\r\nContent-Length: 24\r\n\r\n{\"email\":\"\\ud800@b.co\"}x",
		"GET http://x/v1/ping HTTP/1.1\r\nHost: y\r\n\r\n", "GET //v1/%70ing?a=%zz&a HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, close\r\n\r\n" + ping,
		"OPTIONS * HTTP/1.1\r\nHost: x\r\nOrigin: a\r\n\r\n", "GET /v1/ping HTTP/1.1\nHost: x\n\n" + ping, "GET /v1/ping HTTP/1.1\r\nHost: x\r\n A: b\r\n\r\n" + ping,
	} {
		f.Add([]byte(wire))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		got := z.answer(t, sent, 4096)
		methods, whole := asRead(sent)
		answers := 0
		for from := bufio.NewReader(bytes.NewReader(got)); ; answers++ {
			if _, err := from.Peek(1); err != nil {
				break
			}
			method := "GET"
			if answers < len(methods) {
				method = methods[answers]
			}
			if !wellFormed(t, from, method) {
				t.Fatalf("sent %.2000q\n got %.2000q", sent, got)
			}
		}
		if whole && answers > len(methods)+1 {
			t.Errorf("%d answers to %d requests: sent %.2000q\n got %.2000q", answers, len(methods), sent, got)
		}
		if log := z.log.String(); strings.Contains(log, "level=ERROR") {
			t.Errorf("the log has an error: %.2000s\nsent %.2000q", log, sent)
		}
		if len(sent) < 1000 {
			if again := z.answer(t, sent, 1); !bytes.Equal(statusLines(again), statusLines(got)) {
				t.Errorf("sent %.2000q\nat once: %.1000q\nbyte by byte: %.1000q", sent, got, again)
			}
		}
	})
}

// wellFormed reads one answer and its interim answers.
func wellFormed(t *testing.T, from *bufio.Reader, method string) bool {
	t.Helper()
	a, err := http.ReadResponse(from, &http.Request{Method: method})
	for err == nil && a.StatusCode == http.StatusContinue {
		a, err = http.ReadResponse(from, &http.Request{Method: method})
	}
	if err != nil {
		t.Errorf("no answer: %v", err)
		return false
	}
	length := a.ContentLength
	body, err := io.ReadAll(a.Body)
	if method == "HEAD" && a.StatusCode == http.StatusBadRequest && a.Close { // of an unreadable head the method is unknown
		if body, err = io.ReadAll(from); len(body) > 0 && int64(len(body)) == length {
			method = "GET"
		}
	}
	if err != nil || a.StatusCode >= 500 && a.StatusCode != http.StatusServiceUnavailable && a.StatusCode != http.StatusHTTPVersionNotSupported {
		t.Errorf("%s %d %.500s (%v)", method, a.StatusCode, body, err)
		return false
	}
	if method == "HEAD" && len(body) > 0 {
		t.Errorf("HEAD %d has a body: %.500q", a.StatusCode, body)
	}
	empty := method == "HEAD" || a.StatusCode == http.StatusNoContent || a.StatusCode == http.StatusNotModified
	if !empty && strings.HasPrefix(a.Header.Get("Content-Type"), "application/json") && !json.Valid(body) {
		t.Errorf("%s %d: no JSON: %.500s", method, a.StatusCode, body)
		return false
	}
	return true
}

// statusLines are the status lines of final answers.
func statusLines(got []byte) (lines []byte) {
	for line := range bytes.Lines(got) {
		if bytes.HasPrefix(line, []byte("HTTP/1.1 ")) && !bytes.HasPrefix(line, []byte("HTTP/1.1 100")) {
			lines = append(lines, line...)
		}
	}
	return lines
}
