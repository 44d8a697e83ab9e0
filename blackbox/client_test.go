package blackbox_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"cartd/bench/shopper"
)

const (
	// requestTimeout is longer than --request-timeout of a node, which answers within its own time.
	requestTimeout = 15 * time.Second
	connections    = 4096 // to one node
	// maxBody is the largest request body, in bytes.
	maxBody = 64 << 10
)

// client sends requests to a node with one API key and, if set, a customer token.
type client struct {
	t     *testing.T
	node  *node
	key   string // without one if empty
	token string // without one if empty
	extra http.Header
}

// client returns a client with the base store's storefront key.
func (n *node) client(t *testing.T) client { return client{t: t, node: n, key: keyShop} }

func (c client) withKey(key string) client { c.key = key; return c }

func (c client) withToken(token string) client { c.token = token; return c }

func (c client) on(n *node) client { c.node = n; return c }

func (c client) withHeader(name, value string) client {
	c.extra = c.extra.Clone()
	if c.extra == nil {
		c.extra = http.Header{}
	}
	c.extra.Add(name, value)
	return c
}

// answer is a response with its call.
type answer struct {
	t      *testing.T
	call   string
	status int
	header http.Header
	body   []byte
}

// request sends a call. It fails the test if no answer comes.
func (c client) request(method, path, body string) answer {
	c.t.Helper()
	a, err := c.try(method, path, body)
	if err != nil {
		c.t.Fatalf("%s %s: %v\n%s", method, path, err, c.node.Log)
	}
	return a
}

func (c client) get(path string) answer { c.t.Helper(); return c.request("GET", path, "") }

func (c client) post(path, body string) answer { c.t.Helper(); return c.request("POST", path, body) }

func (c client) patch(path, body string) answer { c.t.Helper(); return c.request("PATCH", path, body) }

func (c client) remove(path string) answer { c.t.Helper(); return c.request("DELETE", path, "") }

// try sends a call, for goroutines and for calls that may fail. The path is absolute, or relative
// to /v1/api/.
func (c client) try(method, path, body string) (answer, error) {
	r := c.call(method, path, body)
	if len(body) > maxBody { // the node may refuse it in the middle
		return c.open(method, path, body).answer()
	}
	got, err := c.node.way.Send(r)
	return c.answered(r, got, err)
}

func (c client) call(method, path, body string) *shopper.Request {
	if !strings.HasPrefix(path, "/") {
		path = "/v1/api/" + path
	}
	return &shopper.Request{Method: method, Path: path, Body: body, Key: c.key, Token: c.token, Header: c.extra}
}

// answered is the result of a call: an answer or an error.
func (c client) answered(r *shopper.Request, got shopper.Answer, err error) (answer, error) {
	a := answer{c.t, r.Method + " " + r.Path + " " + short(r.Body), got.Status, got.Header, got.Body}
	if err == nil {
		a.conforms(r.Method, r.Path, r.Body)
	}
	return a, err
}

// inFlight is a call that was sent and whose answer is not read yet.
type inFlight struct {
	*shopper.Sent
	client client
	call   *shopper.Request
	err    error
}

// open sends a call on its own connection and returns after writing it.
func (c client) open(method, path, body string) *inFlight {
	f := &inFlight{client: c, call: c.call(method, path, body)}
	f.Sent, f.err = c.node.way.Begin(f.call)
	return f
}

func (f *inFlight) answer() (answer, error) {
	var got shopper.Answer
	if f.err == nil {
		got, f.err = f.Sent.Answer()
	}
	return f.client.answered(f.call, got, f.err)
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

// want fails the test unless status and body are these. The order of keys is compared only for
// errors.
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

// has fails the test unless the body has the texts.
func (a answer) has(texts ...string) {
	a.t.Helper()
	for _, text := range texts {
		if !strings.Contains(string(a.body), text) {
			a.t.Errorf("%v\nwant %s in it", a, text)
		}
	}
}
