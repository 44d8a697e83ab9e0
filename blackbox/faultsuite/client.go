package faultsuite

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"cartd/blackbox/faultsuite/model"
)

// clientPatience is how long clients wait for an answer: longer than nodes take
// for any (nodeFlags), so that their 504 is seen.
const clientPatience = 4 * time.Second

// answer is what came back. Status 0: none did.
type answer struct {
	status   int
	body     []byte
	version  string // the first part of the ETag
	replayed bool
	limited  bool // carries the headers of the request limit
	// unsent: no connection could be made, so that nothing was sent.
	unsent bool
}

// line is the way to one node: connections to where it listened last.
type line struct {
	where func() string

	mu     sync.Mutex
	client *fasthttp.HostClient
}

// errDial marks a request that certainly was not sent.
var errDial = errors.New("no connection")

func dial(addr string) (net.Conn, error) {
	conn, err := net.DialTimeout("tcp", addr, clientPatience)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDial, err)
	}
	return conn, nil
}

// current returns a client for where the node listens now. It sends nothing twice.
func (l *line) current() *fasthttp.HostClient {
	l.mu.Lock()
	defer l.mu.Unlock()
	if addr := l.where(); l.client == nil || l.client.Addr != addr {
		l.hangUp()
		l.client = &fasthttp.HostClient{
			Addr: addr, Dial: dial, MaxConns: 1024, MaxIdemponentCallAttempts: 1,
			ReadTimeout: clientPatience, WriteTimeout: clientPatience,
			NoDefaultUserAgentHeader: true,
		}
	}
	return l.client
}

// hangUp closes the connections that nobody uses. The lock is held.
func (l *line) hangUp() {
	if l.client != nil {
		l.client.CloseIdleConnections()
	}
}

func (l *line) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hangUp()
}

// send sends a request to the node, once.
func (l *line) send(apiKey, path string, r model.Request, idempotencyKey string) answer {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	client := l.current()
	request.Header.SetMethod(r.Method)
	request.SetRequestURI("http://" + client.Addr + path + r.Path)
	request.Header.Set("Authorization", "Bearer "+apiKey)
	if r.Token != "" {
		request.Header.Set("X-Customer-Token", r.Token)
	}
	if r.Caller != "" {
		request.Header.Set("X-Forwarded-For", r.Caller)
	}
	if idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	request.SetBodyString(r.Body)
	if err := client.DoTimeout(request, response, clientPatience); err != nil {
		return answer{unsent: errors.Is(err, errDial)}
	}
	return read(response)
}

// read copies what the suite looks at.
func read(response *fasthttp.Response) answer {
	a := answer{
		status:   response.StatusCode(),
		body:     append([]byte(nil), response.Body()...),
		replayed: string(response.Header.Peek("Idempotent-Replayed")) == "true",
		limited:  len(response.Header.Peek("X-RateLimit-Limit")) > 0,
	}
	const quote, versionDigits = 1, 16
	if tag := response.Header.Peek("ETag"); len(tag) > quote+versionDigits {
		a.version = string(tag[quote : quote+versionDigits])
	}
	return a
}
