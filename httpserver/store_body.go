package httpserver

import (
	"errors"
	"net/netip"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/httpserver/front"
)

// readBody reads the request's body up to the limit of its route. The body of a route that uses none
// is read and dropped. Of a body without a valid API key, or whose key may not use the route, at most
// front.FirstBody is kept; the rest is not read, and the admission refuses the request.
func (s *Server) readBody(x *exchange) error {
	if !x.in.Unread {
		return nil
	}
	if x.sent.oversized {
		return commerce.BodyTooLarge
	}
	plan := front.BodyPlan{Limit: x.route.maxBody(), Keep: x.route.keepsBody()}
	if x.route != nil && x.route.guards != nil {
		plan.Owner = x
		plan.Large = plan.Limit == changeBodyLimit
	}
	err := s.front.ReadBody(x.ctx, &x.in, plan)
	switch {
	case errors.Is(err, front.ErrBodyTooLarge):
		return commerce.BodyTooLarge
	case errors.Is(err, front.ErrNoRoomForBody):
		return noRoomForBody
	case errors.Is(err, front.ErrBroken):
		if x.route != nil && x.route.guards != nil && errors.Is(err, os.ErrDeadlineExceeded) {
			s.countLate(x)
		}
		return x.unreadable(err)
	}
	if !x.in.Unread {
		x.began = time.Now() // the deadline counts from the last byte
	}
	return err
}

// BodyStore returns the store whose memory the body takes, by the API key in the head; uuid.Nil if
// there is no such key, or if the key may not use the route.
func (x *exchange) BodyStore() (uuid.UUID, error) {
	if _, ok := bearer(&x.sent.authorization); !ok {
		return uuid.Nil, nil
	}
	r := x.headRequest()
	return x.server.engine.BodyStore(&r)
}

// BodyClient is the network of the request's sender.
func (x *exchange) BodyClient() netip.Prefix { return x.caller().Network() }

// headRequest is a request as the head shows it, before it is decoded.
func (x *exchange) headRequest() engine.Request {
	r := engine.Request{
		Guards: x.route.guards, Unreserved: x.route.unreserved, Caller: x.caller(), Began: x.began, Deadline: time.Now().Add(x.server.requestTimeout),
	}
	if key, ok := bearer(&x.sent.authorization); ok {
		r.KeyHash = commerce.HashSecret(key)
	}
	return r
}

// countLate counts a request whose body has not arrived in time. It is 408, also beyond the limit and
// while it cannot be counted.
func (s *Server) countLate(x *exchange) {
	r := x.headRequest()
	if s.engine.Count(&r) == nil {
		x.request.Client, x.request.Budget, x.request.Counted = r.Client, r.Budget, true
		x.showBudget(false)
	}
}

const (
	defaultBodyLimit = 64 << 10 // no route has a lower limit
	batchBodyLimit   = 512 << 10
	acceptBodyLimit  = 3 << 20 // a signature in base64, and addresses
	changeBodyLimit  = 8 << 20 // a change set, as sent and unpacked
	// unroutedBodyLimit applies to an unknown path or method. The body is read and dropped.
	unroutedBodyLimit = 1 << 20
)

// maxBody returns the route's limit of a body, in bytes. An unknown path has a nil route.
func (r *route) maxBody() int {
	switch {
	case r == nil || r.method == otherMethods:
		return unroutedBodyLimit
	case r.bodyLimit > 0:
		return r.bodyLimit
	}
	return defaultBodyLimit
}

// keepsBody reports whether the route uses a body.
func (r *route) keepsBody() bool {
	return r != nil && r.method != otherMethods && r.method != fasthttp.MethodGet
}

// accepts returns the limit of a head's body, and whether the answer depends on the body: the path
// and the method are known.
func (s *Server) accepts(header *fasthttp.RequestHeader) (size int, needed bool) {
	r := s.routeOf(header)
	return r.maxBody(), r != nil && r.method != otherMethods
}

// routeOf returns the route of a head, or nil.
func (s *Server) routeOf(header *fasthttp.RequestHeader) *route {
	var ctx fasthttp.RequestCtx
	header.CopyTo(&ctx.Request.Header)
	if found := s.match(&ctx, string(sentPath(&ctx))); found != nil {
		return found.route
	}
	return nil
}

// parse reads the body as a JSON value, once.
func (x *exchange) parse() {
	if !x.parsed {
		x.body, x.parsed = bodies.Parse(x.in.Bytes), true
	}
}
