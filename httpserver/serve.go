package httpserver

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/valyala/fasthttp"
)

// serve is the path of every request: route, body, admission, guards, handler, answer. Every error
// on this path is rendered here and nowhere else.
func (s *Server) serve(ctx *fasthttp.RequestCtx) {
	s.metrics.inFlight.Add(1)
	defer s.metrics.inFlight.Add(-1)
	if c, is := ctx.Conn().(*conn); is { // also of a pipelined request, for which nothing was read
		s.answers.sent(c)
	}
	x := s.begin(ctx, began(ctx))
	s.setHeaders(x)
	err := s.attempt(x)
	if err == nil {
		err = x.charged(len(x.out))
	}
	if err != nil {
		x.dropAnswer()
	}
	s.dropBody(x)
	if s.closing.Load() {
		ctx.SetConnectionClose()
	}
	if err != nil {
		s.fail(x, err)
	} else {
		x.write(cmp.Or(x.status, x.route.status))
	}
	x.endCharge()
	s.finish(x)
}

// began returns the arrival of a request.
func began(ctx *fasthttp.RequestCtx) time.Time {
	if c, ok := ctx.Conn().(*conn); ok && !c.began.IsZero() {
		return c.began
	}
	return ctx.Time()
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
	}
	if x.unread && x.route.keepsBody() { // the key became valid after the body was given up
		return noRoomForBody
	}
	if x.request.Store != nil && s.answers.full(x.request.Store.ID) {
		return noRoomForAnswer
	}
	x.nameIgnored()
	return x.route.handle(s, x)
}
