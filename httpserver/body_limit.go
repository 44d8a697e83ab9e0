package httpserver

import "github.com/valyala/fasthttp"

const (
	defaultBodyLimit = 64 << 10
	batchBodyLimit   = 512 << 10
	acceptBodyLimit  = 3 << 20 // a signature in base64, and addresses
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

// oversized is a header name that no client can send. It marks a request that announces a larger
// body than its route accepts.
const oversized = ":oversized"

// checkAnnounced marks a request that announces too large a body. It also hides the body from
// fasthttp, which would answer 100 Continue and wait for the first byte.
func (s *Server) checkAnnounced(header *fasthttp.RequestHeader) {
	length := header.ContentLength()
	if length <= defaultBodyLimit || length <= s.routeOf(header).maxBody() { // no route has a limit below the default
		return
	}
	header.SetContentLength(0)
	header.Del(fasthttp.HeaderExpect)
	header.Set(oversized, "")
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
