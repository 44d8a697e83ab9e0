package httpserver

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"github.com/valyala/fasthttp"

	"cartd/httpserver/front"
)

// serve is the path of every request: route, body, admission, guards, handler, answer. Every error
// on this path is rendered here and nowhere else.
func (s *Server) serve(ctx *fasthttp.RequestCtx) {
	s.metrics.inFlight.Add(1)
	defer s.metrics.inFlight.Add(-1)
	x := s.begin(ctx, front.Arrival(ctx))
	s.setHeaders(x)
	err := s.attempt(x)
	if err == nil {
		err = x.made()
	}
	if err != nil {
		x.dropAnswer()
	}
	s.front.FreeBody(ctx, &x.in)
	x.nameToken()
	if err != nil {
		s.fail(x, err)
	} else {
		x.write(cmp.Or(x.status, x.route.status))
		if x.stream != nil {
			x.stream.open(x)
		}
	}
	x.endMaking()
	s.front.Answers.Sends(ctx, &x.charge)
	s.finish(x)
}

func (s *Server) setHeaders(x *exchange) {
	x.sent.read(&x.ctx.Request.Header)
	s.readProxyHeaders(x)
	x.setCommonHeaders()
	s.setCORSHeaders(x)
}

// attempt serves the request up to the body of its success. It returns a panic as an error.
func (s *Server) attempt(x *exchange) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v\n%s", panicked, debug.Stack())
		}
	}()
	if x.sent.refused {
		return x.headProblem()
	}
	unknown := s.find(x)
	if what := s.awaited.Load(); what != nil {
		if unknown == nil && x.route.probe {
			return x.route.handle(s, x)
		}
		return *what
	}
	if err = s.readBody(x); err != nil {
		return err
	}
	if unknown != nil {
		return unknown
	}
	x.timing.End(phaseRoute, x.began)
	if x.route.guards != nil {
		if err = s.admit(x); err != nil {
			return err
		}
		x.admitted = true
	}
	if x.in.Unread && x.route.keepsBody() { // the key became valid after the body was given up
		return noRoomForBody
	}
	if x.request.Store != nil && s.front.Answers.Full(x.request.Store.ID) {
		return noRoomForAnswer
	}
	x.parse()
	x.nameIgnored()
	return x.route.handle(s, x)
}
