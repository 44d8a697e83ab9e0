package blackbox_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

const requestTimeout = 10 * time.Second

// maxBody is the largest request body, in bytes.
const maxBody = 64 << 10

var web = &http.Client{
	Timeout:       requestTimeout,
	Transport:     &http.Transport{MaxIdleConnsPerHost: 256},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// client sends requests to a node with one API key and perhaps a customer token.
type client struct {
	t     *testing.T
	node  *node
	key   string // empty: no Authorization header
	token string // empty: no X-Customer-Token header
	extra http.Header
}

// client returns a client with the base store's storefront key.
func (n *node) client(t *testing.T) client { return client{t: t, node: n, key: keyShop} }

func (c client) withKey(key string) client     { c.key = key; return c }
func (c client) withToken(token string) client { c.token = token; return c }
func (c client) on(n *node) client             { c.node = n; return c }
func (c client) in(t *testing.T) client        { c.t = t; return c }

func (c client) withHeader(name, value string) client {
	c.extra = c.extra.Clone()
	if c.extra == nil {
		c.extra = http.Header{}
	}
	c.extra.Add(name, value)
	return c
}

// answer is what came back, with the call that asked for it.
type answer struct {
	t      *testing.T
	call   string
	status int
	header http.Header
	body   []byte
}

// request sends a call and fails the test when no answer comes.
func (c client) request(method, path, body string) answer {
	c.t.Helper()
	a, err := c.try(method, path, body)
	if err != nil {
		c.t.Fatalf("%s %s: %v\n%s", method, path, err, c.node.log)
	}
	return a
}

func (c client) get(path string) answer         { c.t.Helper(); return c.request("GET", path, "") }
func (c client) post(path, body string) answer  { c.t.Helper(); return c.request("POST", path, body) }
func (c client) patch(path, body string) answer { c.t.Helper(); return c.request("PATCH", path, body) }
func (c client) remove(path string) answer      { c.t.Helper(); return c.request("DELETE", path, "") }

// try sends a call; goroutines and calls that may fail use it. The path is
// absolute, or relative to /v1/api/.
func (c client) try(method, path, body string) (answer, error) {
	return c.tryContext(context.Background(), method, path, body)
}

func (c client) tryContext(ctx context.Context, method, path, body string) (answer, error) {
	if !strings.HasPrefix(path, "/") {
		path = "/v1/api/" + path
	}
	a := answer{t: c.t, call: method + " " + path + " " + short(body)}
	req, err := http.NewRequestWithContext(ctx, method, c.node.base+path, strings.NewReader(body))
	if err != nil {
		return a, err
	}
	c.setHeaders(req.Header)
	send := web.Do
	if len(body) > maxBody {
		send = c.sendRaw
	}
	res, err := send(req)
	if err != nil {
		return a, err
	}
	defer res.Body.Close()
	a.status, a.header = res.StatusCode, res.Header
	if a.body, err = io.ReadAll(res.Body); err == nil {
		a.conforms(method, path, body)
	}
	return a, err
}

func (c client) setHeaders(h http.Header) {
	for name, values := range c.extra {
		h[name] = values
	}
	if c.key != "" {
		h.Set("Authorization", "Bearer "+c.key)
	}
	if c.token != "" {
		h.Set("X-Customer-Token", c.token)
	}
}

// sendRaw sends a body that is refused before it is read to its end: net/http
// would report the broken write instead of the answer.
func (c client) sendRaw(req *http.Request) (*http.Response, error) {
	conn, err := net.DialTimeout("tcp", c.node.addr, requestTimeout)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(requestTimeout)); err != nil {
		return nil, err
	}
	_ = req.Write(conn) // broken by an early answer, which is what is wanted
	res, err := http.ReadResponse(bufio.NewReader(conn), req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, err
}

func short(s string) string {
	if len(s) > 300 {
		return fmt.Sprintf("%s… (%d bytes)", s[:300], len(s))
	}
	return s
}

// String shows the call and the whole answer, for failures.
func (a answer) String() string {
	return fmt.Sprintf("call: %s\n got: %d %s", a.call, a.status, short(string(a.body)))
}

// wantStatus fails the test unless the answer has the status.
func (a answer) wantStatus(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%v\nwant: %d", a, status)
	}
	return a
}

// want fails the test unless status and body are these. The order of keys does
// not matter, but for those of errors.
func (a answer) want(status int, body string) answer {
	a.t.Helper()
	if diff := a.differs(status, body); diff != "" {
		a.t.Errorf("%v\nwant: %d %s\n%s", a, status, body, diff)
	}
	return a
}

// wantHeader fails the test unless the header has the value.
func (a answer) wantHeader(name, value string) answer {
	a.t.Helper()
	if got := a.header.Get(name); got != value {
		a.t.Errorf("%v\nheader %s: got %q, want %q", a, name, got, value)
	}
	return a
}
