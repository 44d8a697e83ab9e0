package httpserver

import "github.com/valyala/fasthttp"

const (
	defaultBodyLimit = 64 << 10
	batchBodyLimit   = 512 << 10
	acceptBodyLimit  = 3 << 20 // of a quote: a signature in base64, and its addresses
	// strayBodyLimit is how much of a body is read and dropped on an unknown path or
	// method.
	strayBodyLimit = 1 << 20
)

// maxBody is how many bytes of a body the route takes. An unknown path has a nil route.
func (r *route) maxBody() int {
	switch {
	case r == nil || r.method == otherMethods:
		return strayBodyLimit
	case r.bodyLimit > 0:
		return r.bodyLimit
	}
	return defaultBodyLimit
}

// keepsBody reports whether the route uses a body.
func (r *route) keepsBody() bool {
	return r != nil && r.method != otherMethods && r.method != fasthttp.MethodGet
}

// oversized marks a request whose head announces more than its route takes. No client can
// send this name.
const oversized = ":oversized"

// checkAnnounced marks a request that announces too much and hides the body from fasthttp,
// which would answer 100 Continue and wait for the body's first byte.
func (s *Server) checkAnnounced(header *fasthttp.RequestHeader) {
	length := header.ContentLength()
	if length <= defaultBodyLimit || length <= s.routeOf(header).maxBody() { // no limit is below the default
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
