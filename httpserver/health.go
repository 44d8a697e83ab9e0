package httpserver

import (
	"github.com/valyala/fasthttp"

	"cartd/engine"
	"cartd/internal/openapi"
)

// healthShape is the shape of both answers.
var healthShape = openapi.Object("Health").
	Has("status", openapi.Names("ok"), "").
	May("silent_redis_servers", openapi.List(openapi.Text), "Servers of a Redis Cluster that do not answer while others do.")

// handleHealth answers 200 while the process runs.
func handleHealth(_ *Server, x *exchange) error { return x.answerOK() }

// handleReadiness answers 200 if this node can serve requests, with the silent servers of a Redis
// Cluster while others answer; else 503 with the reason. Load balancers and operators read it.
func handleReadiness(s *Server, x *exchange) error {
	if reason := s.unready(); reason != "" {
		return &problem{status: fasthttp.StatusServiceUnavailable, message: unavailable.message, retryAfter: unavailable.retryAfter, reason: string(reason)}
	}
	silent := s.engine.SilentServers()
	if len(silent) == 0 {
		return x.answerOK()
	}
	x.out = appendStrings(append(x.out, `{"status":"ok","silent_redis_servers":`...), silent)
	x.out = append(x.out, '}')
	return nil
}

// draining is the reason of a node that is stopping.
const draining engine.Unavailable = "draining"

// unready returns the reason why the node is not ready, or "".
func (s *Server) unready() engine.Unavailable {
	if s.draining.Load() {
		return draining
	}
	if what := s.awaited.Load(); what != nil {
		return *what
	}
	return s.engine.Unready()
}

func (x *exchange) answerOK() error {
	x.out = append(x.out, `{"status":"ok"}`...)
	return nil
}
