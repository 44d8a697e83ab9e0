package bench

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"

	"cartd/bench/shopper"
)

// client is one connection to the system under load, or one to each of its nodes. It has a request
// for each operation, with the parts that never change.
type client struct {
	*shopper.Client                   // the node of the next request
	nodes           []*shopper.Client // used in turn
	turn            int
	sends           [ops]*send
	response        fasthttp.Response
	text            []byte
	forwarded       []byte // the address in X-Forwarded-For; empty if the header is not sent
}

// send is the request of one operation and the expected answer.
type send struct {
	path, body template
	headers    []header // those with slots
	once       []header // of writes with idempotency keys
	status     int
	shape      *node // nil if the answer's body is not checked
	checks     checks
	request    fasthttp.Request
}

type header struct {
	name  string
	value template
}

// newClient makes the k-th client of some nodes. It stays with one node, or roams: each of its
// requests goes to the next node.
func newClient(nodes []string, k int, roam bool, a *Adapter, timeout time.Duration) (*client, error) {
	c := &client{turn: k}
	if !roam {
		nodes = nodes[k%len(nodes) : k%len(nodes)+1]
	}
	for _, node := range nodes {
		connection, err := shopper.NewClient(node, 1, timeout)
		if err != nil {
			return nil, err
		}
		c.nodes = append(c.nodes, connection)
	}
	c.Client = c.nodes[k%len(c.nodes)]
	for name, operation := range a.Operations {
		o, _ := opNamed(name)
		c.sends[o] = newSend(a, &operation)
	}
	return c, nil
}

func newSend(a *Adapter, o *Operation) *send {
	s := &send{path: parseTemplate(o.Path), body: parseTemplate(o.Body), status: o.Status}
	if o.Shape != "" {
		shape := a.Shapes[o.Shape]
		s.shape, s.checks = shape.compile(a.Decimals), shape.checks()
	}
	s.request.Header.SetMethod(o.Method)
	for _, headers := range []map[string]string{a.Headers, o.Headers} {
		for name, value := range headers {
			h := header{name, parseTemplate(value)}
			if h.value.fixed() {
				s.request.Header.Set(name, value)
			} else {
				s.headers = append(s.headers, h)
			}
		}
	}
	for name, value := range a.Once {
		s.once = append(s.once, header{name, parseTemplate(value)})
	}
	return s
}

// Close ends the client's connections.
func (c *client) Close() {
	for _, node := range c.nodes {
		node.Close()
	}
}

// do sends one request. The body of the answer stays in c.response until the next request.
func (c *client) do(s *send, v *values, once bool) error {
	r := &s.request
	c.Client = c.nodes[c.turn%len(c.nodes)]
	c.turn++
	c.text = s.path.append(append(c.text[:0], c.Base...), v)
	r.SetRequestURIBytes(c.text)
	for i := range s.headers {
		h := &s.headers[i]
		c.text = h.value.append(c.text[:0], v)
		r.Header.SetBytesV(h.name, c.text)
	}
	if once {
		for i := range s.once {
			h := &s.once[i]
			c.text = h.value.append(c.text[:0], v)
			r.Header.SetBytesV(h.name, c.text)
		}
	}
	if len(c.forwarded) > 0 {
		r.Header.SetBytesV(fasthttp.HeaderXForwardedFor, c.forwarded)
	}
	c.text = s.body.append(c.text[:0], v)
	r.SetBodyRaw(c.text)
	return c.Do(r, &c.response)
}

// outcome is the effect of a request as its answer's status shows it.
type outcome uint8

const (
	done    outcome = iota // the adapter's expected status
	refused                // the request had no effect
	unknown                // the request had its effect, or not
)

// Statuses that prove that the request had no effect. A status that is neither one of these nor the
// expected one is a wrong answer or a failure of the server.
func (s *send) outcome(status int) (outcome, *fault) {
	switch {
	case status == s.status:
		return done, nil
	case status == fasthttp.StatusTooManyRequests, status == fasthttp.StatusServiceUnavailable:
		return refused, &fault{kind: fmt.Sprintf("status %d", status)}
	case status >= fasthttp.StatusInternalServerError:
		return unknown, &fault{kind: fmt.Sprintf("status %d", status)}
	}
	return refused, wrong(fmt.Sprintf("status %d", status), "want %d", s.status)
}

// noConnection is the kind of a request whose connection was refused.
const noConnection = "connection refused"

// transport returns the fault for an error of the connection.
func transport(err error) *fault {
	kind := "connection"
	var late interface{ Timeout() bool }
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		kind = noConnection
	case errors.As(err, &late) && late.Timeout():
		kind = "time-out"
	}
	return &fault{kind: kind, example: err.Error()}
}
