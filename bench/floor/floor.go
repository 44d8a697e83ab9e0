// Package floor owns the floor: an HTTP server that does the minimum work of a durable cart service.
// It answers a read after one Redis GET and a write after one SET. Its records and answers have the
// same lengths as those of the service that is compared with it. Waiting requests share pipelines.
//
// It refuses to know carts: its answers are given to it.
//
// Open first: floor.go (the server), group.go (the pipelines), answers.go (the answers).
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

// Server is the floor.
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
	options.MaxRetries, options.PoolSize, options.PipelinePoolSize = -1, 1, -1
	s := &Server{answers: answers, client: redis.NewClient(options)}
	s.group = newGroup(s.client)
	s.commands.New = func() any { return &command{done: make(chan error, 1)} }
	s.http = fasthttp.Server{Handler: s.handle, NoDefaultServerHeader: true, IdleTimeout: time.Hour}
	return s, nil
}

// Serve serves until the listener is closed.
func (s *Server) Serve(l net.Listener) error { return s.http.Serve(l) }

// closeWithin bounds the wait of Close for requests under way and for idle connections.
const closeWithin = 2 * time.Second

// Close ends the server after the requests under way.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	if err := s.http.ShutdownWithContext(ctx); err == nil {
		s.group.close() // no request queues a command any more
	}
	return s.client.Close()
}

// handle reads the request, waits for one Redis command and answers. The answer contains the id of
// the cart: a new id for a new cart, otherwise the id in the path.
func (s *Server) handle(ctx *fasthttp.RequestCtx) {
	method, path := ctx.Method(), ctx.Path()
	_ = ctx.PostBody() // a cart service must read the body too
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

// record is the id of a request's record: a new cart, the cart in the path, or the customer token.
func (s *Server) record(ctx *fasthttp.RequestCtx, a *Answer, path []byte) string {
	switch {
	case a.Creates:
		return s.newID()
	case a.idAt < 0:
		return string(ctx.Request.Header.Peek("X-Customer-Token"))
	}
	return a.name(path)
}

// store waits for the SET of a record, or for a GET if the record is empty.
func (s *Server) store(id, record string) error {
	c := s.commands.Get().(*command)
	c.key, c.value = "{floor}:cart:"+id, record
	s.group.queue <- c
	err := <-c.done
	s.commands.Put(c)
	return err
}

// newID makes a new id in the form of a UUID.
func (s *Server) newID() string {
	return fmt.Sprintf("f1000000-0000-4000-8000-%012x", s.created.Add(1))
}

// find returns the answer whose method, path prefix, path suffix and number of slashes match the
// request.
func find(answers []Answer, method, path []byte) *Answer {
	slashes := bytes.Count(path, []byte{'/'})
	for i := range answers {
		a := &answers[i]
		if a.slashes == slashes && string(method) == a.Method && len(path) >= len(a.prefix) && string(path[:len(a.prefix)]) == a.prefix &&
			bytes.HasSuffix(path, []byte(a.suffix)) {
			return a
		}
	}
	return nil
}

// name is the part of the path that fills the template's first slot.
func (a *Answer) name(path []byte) string {
	if len(a.prefix) >= len(path) {
		return ""
	}
	id, _, _ := strings.Cut(string(path[len(a.prefix):]), "/")
	return id
}
