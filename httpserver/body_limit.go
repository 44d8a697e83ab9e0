package httpserver

import "github.com/valyala/fasthttp"

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
