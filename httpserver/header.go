package httpserver

import "strconv"

// The names of the headers, spelled as they are sent.
var (
	headerETag       = []byte("Etag")
	headerReplayed   = []byte("Idempotent-Replayed")
	headerAllow      = []byte("Allow")
	headerCache      = []byte("Cache-Control")
	headerRequestID  = []byte("X-Request-Id")
	headerRetryAfter = []byte("Retry-After")
	headerLimit      = []byte("X-RateLimit-Limit")
	headerRemaining  = []byte("X-RateLimit-Remaining")
	headerReset      = []byte("X-RateLimit-Reset")
	headerVary       = []byte("Vary")
	headerOrigin     = []byte("Access-Control-Allow-Origin")
	headerExpose     = []byte("Access-Control-Expose-Headers")
	headerMethods    = []byte("Access-Control-Allow-Methods")
	headerHeaders    = []byte("Access-Control-Allow-Headers")
	headerMaxAge     = []byte("Access-Control-Max-Age")
	noCache          = []byte("no-cache, private")
	contentType      = []byte("application/json")
	literalTrue      = []byte("true")
	variesWith       = []byte("Authorization, X-Customer-Token")
)

// The headers that are read.
const (
	headerToken          = "X-Customer-Token"
	headerIdempotencyKey = "Idempotency-Key"
	headerForwarded      = "X-Forwarded-For"
	headerForwardedProto = "X-Forwarded-Proto"
	headerTransfer       = "Transfer-Encoding"
	headerAskedMethod    = "Access-Control-Request-Method"
)

func (x *exchange) setHeader(name []byte, value string) {
	x.ctx.Response.Header.SetCanonical(name, []byte(value))
}

func (x *exchange) setNumber(name []byte, n int64) {
	var digits [20]byte
	x.ctx.Response.Header.SetCanonical(name, strconv.AppendInt(digits[:0], n, 10))
}

// setCommonHeaders writes what every answer carries.
func (x *exchange) setCommonHeaders() {
	h := &x.ctx.Response.Header
	h.SetContentTypeBytes(contentType)
	h.SetCanonical(headerCache, noCache)
	h.SetCanonical(headerRequestID, x.requestID)
}
