package httpserver

import (
	"bytes"
	"strconv"

	"github.com/valyala/fasthttp"

	"cartd/httpserver/front"
)

// The names of headers, as they are sent.
var (
	headerETag        = []byte("Etag")
	headerIgnored     = []byte("X-Ignored-Fields")
	headerUnknown     = []byte("X-Ignored-Parameters")
	headerReplayed    = []byte("Idempotent-Replayed")
	headerOrderToken  = []byte("X-Order-Token")
	headerTokenStatus = []byte("X-Customer-Token-Status")
	headerPolicy      = []byte("Content-Security-Policy")
	headerReferrer    = []byte("Referrer-Policy")
	headerOpener      = []byte("Cross-Origin-Opener-Policy")
	headerEncoding    = []byte("Content-Encoding")
	headerTiming      = []byte("Server-Timing")
	headerAllow       = []byte("Allow")
	headerBuffering   = []byte("X-Accel-Buffering")
	headerCache       = []byte("Cache-Control")
	headerSniff       = []byte("X-Content-Type-Options")
	headerRequestID   = []byte("X-Request-Id")
	headerRetryAfter  = []byte("Retry-After")
	headerLimit       = []byte("X-RateLimit-Limit")
	headerRemaining   = []byte("X-RateLimit-Remaining")
	headerReset       = []byte("X-RateLimit-Reset")
	headerVary        = []byte("Vary")
	headerOrigin      = []byte("Access-Control-Allow-Origin")
	headerExpose      = []byte("Access-Control-Expose-Headers")
	headerMethods     = []byte("Access-Control-Allow-Methods")
	headerHeaders     = []byte("Access-Control-Allow-Headers")
	headerMaxAge      = []byte("Access-Control-Max-Age")
	noCache           = []byte("no-cache, private")
	noStore           = []byte("no-store")
	noSniff           = []byte("nosniff")
	contentType       = []byte("application/json")
	gzipCoding        = []byte("gzip")
	tokenInvalid      = []byte("invalid")
	literalTrue       = []byte("true")
	variesWithKey     = []byte("Authorization, X-Customer-Token")
	variesWithOrigin  = []byte(fasthttp.HeaderOrigin)
)

// The headers of requests.
const (
	headerToken          = "X-Customer-Token"
	headerIdempotencyKey = "Idempotency-Key"
	headerForwardedProto = "X-Forwarded-Proto"
	headerForwardedHost  = "X-Forwarded-Host"
	headerAskedMethod    = "Access-Control-Request-Method"
	headerLastEvent      = "Last-Event-ID"
	// These are read from trusted proxies only.
	headerSentID      = "X-Request-Id"
	headerAskTiming   = "X-Server-Timing"
	headerTraceparent = "Traceparent"
	headerTracestate  = "Tracestate"
)

// sentHeaders are the headers of a request that any route may need. They point into the request.
type sentHeaders struct {
	authorization, token, idempotencyKey, ifMatch, ifNoneMatch sentHeader
	requestID, askTiming, traceparent, tracestate              sentHeader
	// oversized: see front.OversizedBody. refused: see front.RefusedHead.
	oversized, refused bool
}

// sentHeader is one header: its first line, and the number of its lines.
type sentHeader struct {
	first []byte
	lines int
}

// read goes through the headers of a request once.
func (sent *sentHeaders) read(header *fasthttp.RequestHeader) {
	for name, value := range header.All() {
		switch string(name) {
		case fasthttp.HeaderAuthorization:
			sent.authorization.add(value)
		case headerToken:
			sent.token.add(value)
		case headerIdempotencyKey:
			sent.idempotencyKey.add(value)
		case fasthttp.HeaderIfMatch:
			sent.ifMatch.add(value)
		case fasthttp.HeaderIfNoneMatch:
			sent.ifNoneMatch.add(value)
		case headerSentID:
			sent.requestID.add(value)
		case headerAskTiming:
			sent.askTiming.add(value)
		case headerTraceparent:
			sent.traceparent.add(value)
		case headerTracestate:
			sent.tracestate.add(value)
		case front.OversizedBody:
			sent.oversized = true
		case front.RefusedHead:
			sent.refused = true
		}
	}
}

func (h *sentHeader) add(line []byte) {
	if h.lines++; h.lines == 1 {
		h.first = line
	}
}

func (x *exchange) setHeader(name []byte, value string) {
	x.ctx.Response.Header.SetCanonical(name, []byte(value))
}

// setReplayed marks the answer as a replay, if it is one.
func (x *exchange) setReplayed(replayed bool) {
	if replayed {
		x.ctx.Response.Header.SetCanonical(headerReplayed, literalTrue)
	}
}

// asGuest reports whether the route goes on as a guest's if the customer token does not resolve.
func (r *route) asGuest() bool {
	return r.guards != nil && !r.guards.TokenIgnored && r.guards.Token == nil
}

// lostToken reports whether the customer token which was sent does not resolve, and the request went on as a
// guest's.
func (x *exchange) lostToken() bool {
	return x.admitted && x.sent.token.lines > 0 && x.route.asGuest() && !x.facts.Visitor.Known
}

// nameToken says so. A cache must keep nothing of such an answer: a later 304 without the header would leave
// it in the answer that the cache shows.
func (x *exchange) nameToken() {
	if x.lostToken() {
		h := &x.ctx.Response.Header
		h.SetCanonical(headerTokenStatus, tokenInvalid)
		h.SetCanonical(headerCache, noStore)
		h.DelBytes(headerETag)
	}
}

func (x *exchange) setNumber(name []byte, n int64) {
	var digits [20]byte
	x.ctx.Response.Header.SetCanonical(name, strconv.AppendInt(digits[:0], n, 10))
}

// vary adds a header that the answer depends on to Vary.
func (x *exchange) vary(with []byte) {
	if x.varies {
		x.ctx.Response.Header.AddBytesKV(headerVary, with)
		return
	}
	x.varies = true
	x.ctx.Response.Header.SetCanonical(headerVary, with)
}

// setCommonHeaders writes the headers of every answer.
func (x *exchange) setCommonHeaders() {
	h := &x.ctx.Response.Header
	h.SetContentTypeBytes(contentType)
	h.SetCanonical(headerCache, noCache)
	h.SetCanonical(headerSniff, noSniff)
	h.SetCanonical(headerRequestID, x.requestID)
}

// bearer returns the API key of a request: the one word after the scheme Bearer, which may have any
// letter case. It returns false if there is no key or the header is malformed. The key points into
// the request. Spec: API key 1.
func bearer(authorization *sentHeader) ([]byte, bool) {
	if authorization.lines != 1 {
		return nil, false
	}
	scheme, key, _ := bytes.Cut(front.TrimBlanks(authorization.first), []byte{' '})
	key = front.TrimBlanks(key)
	if !bytes.EqualFold(scheme, []byte("Bearer")) || len(key) == 0 || bytes.IndexByte(key, ' ') >= 0 || bytes.IndexByte(key, '\t') >= 0 {
		return nil, false
	}
	return key, true
}
