package httpserver

import (
	"cartd/engine"
)

// handleHealth answers as long as the process does.
func handleHealth(_ *Server, x *exchange) error { return x.answerOK() }

// handleReadiness tells a load balancer whether to send requests here.
func handleReadiness(s *Server, x *exchange) error {
	if !s.ready() {
		return engine.ErrUnavailable
	}
	return x.answerOK()
}

func (s *Server) ready() bool { return !s.draining.Load() && s.engine.Ready() }

func (x *exchange) answerOK() error {
	x.out = append(x.out, `{"status":"ok"}`...)
	return nil
}
