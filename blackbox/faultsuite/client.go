package faultsuite

import (
	"errors"
	"net/http"
	"sync"
	"time"

	"cartd/bench/shopper"
	"cartd/blackbox/faultsuite/model"
)

// clientPatience is how long clients wait for an answer: longer than nodes take
// for any (nodeFlags), so that their 504 is seen.
const clientPatience = 4 * time.Second

// connections is how many the suite opens to a node at most.
const connections = 1024

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

// line is the way to one node: a client of where it listened last.
type line struct {
	where func() string

	mu     sync.Mutex
	client *shopper.Client
}

// current returns a client of where the node listens now.
func (l *line) current() *shopper.Client {
	l.mu.Lock()
	defer l.mu.Unlock()
	if base := "http://" + l.where(); l.client == nil || l.client.Base != base {
		l.hangUp()
		l.client, _ = shopper.NewClient(base, connections, clientPatience) // the address of a listener is one
	}
	return l.client
}

// hangUp closes the connections that no request uses. The lock is held.
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

// read takes what the suite looks at.
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
