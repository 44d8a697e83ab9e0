package httpserver

import (
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/engine"
)

// exchange is one request and its answer in the making. Exchanges are pooled:
// nothing may keep one, or a part of one, once the answer is written.
type exchange struct {
	ctx *fasthttp.RequestCtx
	// route is nil where the path is none.
	route *route
	// path is the route's as it was asked for: an alias, perhaps. series are its figures; nil: those
	// of strays.
	path   string
	series *routeSeries
	// values are those of the path.
	values []pathValue
	// began is by the node's monotonic clock; ended is when the answer was ready.
	began, ended time.Time
	requestID    []byte
	// timing notes the phases; nil: nobody asks. showTiming: the answer shows them.
	timing     *engine.Timing
	showTiming bool
	// parent and state are the trace that the request belongs to.
	parent, state string
	// limited is the nested limit that refuses the request; empty: none does.
	limited string
	// sent are the headers of the request.
	sent sentHeaders
	// request is the request itself; whoever keeps it beyond the answer has a copy. apiKey is the hash that it points to.
	request engine.Request
	apiKey  commerce.KeyHash
	// isCart: the path's cart id is a UUID.
	isCart bool
	// facts are what the answer is rendered by: the request's, or those that it was judged by
	// at last.
	facts *engine.Facts
	// in is the body of the request; it begins in first.
	in    []byte
	first [firstBody]byte
	// unread: not all of the body has been read.
	unread bool
	// out is the body of the answer, unless there is a kept one.
	out, kept []byte
	// eval is what the cart of the answer comes to.
	eval commerce.Evaluation
	// tag is the answer's ETag.
	tag []byte
	// status is that of the success, if it is not the route's; 0: it is.
	status int
	// keyFault is what is wrong with the request's Idempotency-Key.
	keyFault *commerce.Refusal
	// metrics are the server's.
	metrics *metrics
	// origin is the allowed origin that asks; empty: none. See cors.go.
	origin []byte
	// varies: the answer has a Vary header.
	varies bool
}

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

// keptBody is the greatest body buffer that goes back into the pool, in bytes.
const keptBody = 1 << 20

func (s *Server) begin(ctx *fasthttp.RequestCtx, at time.Time) *exchange {
	x := exchanges.Get().(*exchange)
	x.ctx, x.route, x.path, x.series, x.began, x.metrics = ctx, nil, "", nil, at, s.metrics
	x.requestID = commerce.AppendID(x.requestID[:0], uuid.New()) // tells nothing about other requests
	x.timing, x.showTiming, x.parent, x.state, x.limited = nil, false, "", "", ""
	x.values, x.out, x.origin = x.values[:0], x.out[:0], x.origin[:0]
	x.in, x.unread = x.first[:0], ctx.RequestBodyStream() != nil
	x.kept, x.varies, x.isCart, x.status = nil, false, false, 0
	x.keyFault, x.facts = nil, &x.request.Facts
	return x
}

func (x *exchange) release() {
	x.ctx, x.sent, x.request = nil, sentHeaders{}, engine.Request{}
	if cap(x.out) <= keptBody {
		exchanges.Put(x)
	}
}

// took is how long the request took.
func (x *exchange) took() time.Duration { return x.ended.Sub(x.began) }

// param returns a value of the path, exactly as sent; empty: the path has none.
func (x *exchange) param(name string) string {
	for i := range x.values {
		if x.values[i].name == name {
			return x.values[i].text
		}
	}
	return ""
}

// body lends the request's body; nothing decoded from it may point into it.
func (x *exchange) body() []byte { return x.in }

// write sends status and body.
func (x *exchange) write(status int) {
	x.ctx.SetStatusCode(status)
	if x.kept != nil {
		x.ctx.Response.SetBodyRaw(x.kept)
	} else {
		x.out = x.ctx.Response.SwapBody(x.out)
	}
}
