package httpserver

import (
	"bytes"

	"github.com/valyala/fasthttp"
)

// origins are the web origins whose pages may call /v1. If it is nil, no answer has CORS headers.
type origins map[string]bool

func newOrigins(list []string) origins {
	if len(list) == 0 {
		return nil
	}
	all := make(origins, len(list))
	for _, origin := range list {
		all[origin] = true
	}
	return all
}

const (
	exposedHeaders = "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, Idempotent-Replayed, X-Ignored-Fields, " +
		"X-Ignored-Parameters, X-Order-Token, X-Customer-Token-Status, Server-Timing, X-Request-Id"
	allowedHeaders = "Authorization, Content-Type, X-Customer-Token, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
	// preflightAge is in seconds; common browsers keep a preflight no longer.
	preflightAge = 7200
)

// setCORSHeaders lets a page of an allowed origin read the answer.
func (s *Server) setCORSHeaders(x *exchange) {
	origins := s.trust.Load().origins
	if origins == nil || !bytes.HasPrefix(sentPath(x.ctx), []byte("/v1/")) {
		return
	}
	x.vary(variesWithOrigin)
	origin := x.ctx.Request.Header.Peek(fasthttp.HeaderOrigin)
	if !origins[string(origin)] {
		return
	}
	x.origin = append(x.origin, origin...)
	x.ctx.Response.Header.SetCanonical(headerOrigin, origin)
	x.setHeader(headerExpose, exposedHeaders)
}

// answerPreflight lists the methods and headers that a page of another origin may send.
func (x *exchange) answerPreflight() {
	if len(x.origin) == 0 || len(x.ctx.Request.Header.Peek(headerAskedMethod)) == 0 {
		return
	}
	x.setHeader(headerMethods, x.route.allow)
	x.setHeader(headerHeaders, allowedHeaders)
	x.setNumber(headerMaxAge, preflightAge)
}
