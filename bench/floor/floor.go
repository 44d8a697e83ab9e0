// Package floor is the least that any durable cart service does on a machine: an HTTP
// server that answers each read after one Redis GET and each write after one SET of as
// many bytes as the service under comparison stores, with an answer of the same
// length. Commands of waiting requests share pipelines. It knows no cart: what it
// answers is given to it.
//
// Open first: floor.go (the server), group.go (the pipelines), answers.go (what it
// answers).
package floor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/valyala/fasthttp"
)

// Server is a floor.
type Server struct {
	answers  []Answer
	group    *group
	client   *redis.Client
	http     fasthttp.Server
	created  atomic.Uint64
	commands sync.Pool
}

// New connects to the Redis at url and makes a server that gives the answers.
func New(url string, answers []Answer) (*Server, error) {
	if err := check(answers); err != nil {
		return nil, err
	}
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, fmt.Errorf("floor: %w", err)
	}
	options.MaxRetries, options.PoolSize = -1, 1
	s := &Server{answers: answers, client: redis.NewClient(options)}
	s.group = newGroup(s.client)
	s.commands.New = func() any { return &command{done: make(chan error, 1)} }
	s.http = fasthttp.Server{Handler: s.handle, NoDefaultServerHeader: true, IdleTimeout: time.Hour}
	return s, nil
}

// Serve serves until the listener is closed.
func (s *Server) Serve(l net.Listener) error { return s.http.Serve(l) }

// closeWithin bounds the wait for requests under way, and for connections that clients
// keep open without a request.
const closeWithin = 2 * time.Second

// Close ends the server; requests under way are finished.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	if err := s.http.ShutdownWithContext(ctx); err == nil {
		s.group.close() // nobody is left who queues
	}
	return s.client.Close()
}

// handle reads the request, waits for one Redis command and answers. A cart that is
// made gets an id, which stands in the answer; other carts are named by the path.
func (s *Server) handle(ctx *fasthttp.RequestCtx) {
	method, path := ctx.Method(), ctx.Path()
	_ = ctx.PostBody() // read, as a cart service has to
	a := find(s.answers, method, path)
	if a == nil {
		ctx.SetStatusCode(fasthttp.StatusNotFound)
		return
	}
	id := s.record(ctx, a, path)
	if err := s.store(id, a.record); err != nil && !errors.Is(err, redis.Nil) {
		ctx.SetStatusCode(fasthttp.StatusServiceUnavailable)
		return
	}
	ctx.SetStatusCode(a.Status)
	ctx.SetContentType("application/json")
	ctx.SetBody(a.body)
	if a.idAt >= 0 && len(id) == idLength {
		copy(ctx.Response.Body()[a.idAt:], id)
	}
}

// record names what a request is about: a new cart, the cart in the path, or what
// belongs to the customer token.
func (s *Server) record(ctx *fasthttp.RequestCtx, a *Answer, path []byte) string {
	switch {
	case a.Creates:
		return s.newID()
	case a.idAt < 0:
		return string(ctx.Request.Header.Peek("X-Customer-Token"))
	}
	return a.name(path)
}

// store waits for the SET of a record, or for a GET where there is none.
func (s *Server) store(id, record string) error {
	c := s.commands.Get().(*command)
	c.key, c.value = "{floor}:cart:"+id, record
	s.group.queue <- c
	err := <-c.done
	s.commands.Put(c)
	return err
}

// newID makes ids of the form of a UUID, no two alike.
func (s *Server) newID() string {
	return fmt.Sprintf("f1000000-0000-4000-8000-%012x", s.created.Add(1))
}

// find returns the answer whose method, beginning, end and number of slashes the request
// has.
func find(answers []Answer, method, path []byte) *Answer {
	slashes := bytes.Count(path, []byte{'/'})
	for i := range answers {
		a := &answers[i]
		if a.slashes == slashes && string(method) == a.Method && len(path) >= len(a.prefix) && string(path[:len(a.prefix)]) == a.prefix && bytes.HasSuffix(path, []byte(a.suffix)) {
			return a
		}
	}
	return nil
}

// name is the part of the path in the place of the template's first slot.
func (a *Answer) name(path []byte) string {
	if len(a.prefix) >= len(path) {
		return ""
	}
	id, _, _ := strings.Cut(string(path[len(a.prefix):]), "/")
	return id
}
