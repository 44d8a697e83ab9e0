package faultsuite

import (
	"errors"
	"net/http"
	"sync"
	"time"

	"cartd/bench/shopper"
	"cartd/blackbox/faultsuite/model"
)

// clientTimeout is the maximum wait of clients for an answer. It is longer than that of nodes
// (nodeFlags), so that clients see the nodes' 504.
const clientTimeout = 4 * time.Second

// connections is the maximum number of the suite's connections to a node.
const connections = 1024

// answer is the response to a request. Status is 0 if no answer came.
type answer struct {
	status   int
	body     []byte
	version  string // the first part of the ETag
	replayed bool
	limited  bool // has the headers of the request limit
	// unsent: no connection was made, so no byte was sent.
	unsent bool
}

// line is the connection to one node, wherever the node listens.
type line struct {
	where func() string

	mu     sync.Mutex
	client *shopper.Client
}

// current returns a client of the node's present address.
func (l *line) current() *shopper.Client {
	l.mu.Lock()
	defer l.mu.Unlock()
	if base := "http://" + l.where(); l.client == nil || l.client.Base != base {
		l.hangUp()
		l.client, _ = shopper.NewClient(base, connections, clientTimeout) // a listener's address is valid
	}
	return l.client
}

// hangUp closes the connections that no request uses. The caller holds the lock.
func (l *line) hangUp() {
	if l.client != nil {
		l.client.Close()
	}
}

func (l *line) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hangUp()
}

// send sends a request to the node, once.
func (l *line) send(apiKey, path string, r model.Request, idempotencyKey string) answer {
	request := &shopper.Request{Method: r.Method, Path: path + r.Path, Body: r.Body, Key: apiKey, Token: r.Token, Once: idempotencyKey}
	if r.Caller != "" {
		request.Header = http.Header{"X-Forwarded-For": {r.Caller}}
	}
	got, err := l.current().Send(request)
	if err != nil {
		return answer{unsent: errors.Is(err, shopper.ErrUnsent)}
	}
	return read(got)
}

// read copies the parts of a response that the suite checks.
func read(got shopper.Answer) answer {
	a := answer{
		status:   got.Status,
		body:     got.Body,
		replayed: got.Header.Get("Idempotent-Replayed") == "true",
		limited:  got.Header.Get("X-RateLimit-Limit") != "",
	}
	const quote, versionDigits = 1, 16
	if tag := got.Header.Get("ETag"); len(tag) > quote+versionDigits {
		a.version = tag[quote : quote+versionDigits]
	}
	return a
}
