package httpserver

import (
	"github.com/valyala/fasthttp"

	"cartd/engine"
	"cartd/internal/answers"
)

// handleHealth answers 200 while the process runs.
func handleHealth(_ *Server, x *exchange) error { return x.answerOK() }

// handleReadiness answers 200 if this node can serve requests, with the silent servers of a Redis
// Cluster while others answer; else 503 with the reason. Load balancers and operators read it.
func handleReadiness(s *Server, x *exchange) error {
	if reason := s.unready(); reason != "" {
		return &problem{status: fasthttp.StatusServiceUnavailable, message: unavailable.message, retryAfter: unavailable.retryAfter, reason: string(reason)}
	}
	return x.answerOK(s.engine.SilentServers()...)
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

func (x *exchange) answerOK(silent ...string) error {
	x.out = answers.Health.Append(x.out, silent)
	return nil
}

// handlePing answers if the server accepts requests. Spec: Limits, GET /v1/ping.
func handlePing(_ *Server, x *exchange) error {
	x.out = answers.Message.Append(x.out, "pong")
	return nil
}

// handleMe shows the store and the key of the request. Spec: GET /v1/api/me returns a bare object.
func handleMe(_ *Server, x *exchange) error {
	x.out = answers.Me.Append(x.out, answers.MeView{Store: x.facts.Store, Key: x.facts.Key, Visitor: &x.facts.Visitor})
	return nil
}
