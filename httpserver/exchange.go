package httpserver

import (
	"bytes"
	"net/url"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/httpserver/front"
)

// exchange is one request and the answer that is being made. Exchanges are pooled: no code may keep
// one, or a part of one, after the answer is written.
type exchange struct {
	ctx *fasthttp.RequestCtx
	// route is nil if the path is unknown.
	route *route
	// path is the route's path, or its alias that the client used. series are the metrics of the
	// route; nil if the request has no route.
	path   string
	series *routeSeries
	// values are the values of the path's placeholders.
	values []pathValue
	// began is the arrival, by the node's monotonic clock; ended is when the answer was ready.
	began, ended time.Time
	requestID    []byte
	// timing records the phases; nil if they are not needed. showTiming: the answer shows them.
	timing     *engine.Timing
	showTiming bool
	// parent and state are the trace that the request belongs to.
	parent, state string
	// limited is the second limit that refuses the request; empty if none does.
	limited string
	// sent are the headers that are read.
	sent sentHeaders
	// request is passed to the engine, which copies it if it needs it after the answer.
	request engine.Request
	// isID is true if the {id} of the route's record is a UUID.
	isID bool
	// admitted is true once all has been judged that needs no record.
	admitted bool
	// facts are the facts that the answer is rendered by: those of the admission, or of the last
	// judgement.
	facts *engine.Facts
	// in is the body of the request, body its value. Decoded values must not point into it.
	in   front.Body
	body bodies.Sent
	// parsed is true once body is set. basket is the body of a route that has one, once it is decoded.
	parsed bool
	basket *sentBasket
	// out is the body of the answer, unless kept is set.
	out, kept []byte
	// server answers the request. charge is what it counts for this answer.
	server *Server
	charge front.Charge
	// making is true while the answer has one of the turns of large answers. out is then a buffer of the turns,
	// and spare the exchange's own.
	making bool
	spare  []byte
	// eval is the evaluation of the cart in the answer.
	eval commerce.Evaluation
	// stock is that of the cart in the answer; nil unless its details show it.
	stock *commerce.CartStock
	// tag is the answer's ETag.
	tag []byte
	// status is the status of a success if it differs from the route's, else 0.
	status int
	// keyFault is the fault of the request's Idempotency-Key, or nil.
	keyFault *commerce.Refusal
	// stream is what the connection becomes after the answer; nil if it serves further requests.
	stream *cartStream
	// metrics belong to the server.
	metrics *metrics
	// origin is the allowed origin of the request; empty if there is none. See cors.go.
	origin []byte
	// varies is true if the answer has a Vary header.
	varies bool
}

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

// keptBody is the maximum size of an answer's buffer that returns to the pool, in bytes. A request that waits
// may have such a buffer.
const keptBody = largeAnswer

func (s *Server) begin(ctx *fasthttp.RequestCtx, at time.Time) *exchange {
	x := exchanges.Get().(*exchange)
	x.ctx, x.began, x.metrics, x.server = ctx, at, s.metrics, s
	x.requestID = commerce.AppendID(x.requestID, uuid.New()) // random: one id reveals nothing about other requests
	x.facts = &x.request.Facts
	x.in.Begin(ctx)
	return x
}

func (x *exchange) release() {
	if cap(x.out) <= keptBody {
		x.reset()
		exchanges.Put(x)
	}
}

// reset empties the exchange and keeps its memory.
func (x *exchange) reset() {
	*x = exchange{
		values: x.values[:0], requestID: x.requestID[:0], origin: x.origin[:0], tag: x.tag[:0], out: x.out[:0],
		in: x.in, eval: x.eval, // both are emptied when they are used again
	}
}

// took returns how long the request took.
func (x *exchange) took() time.Duration { return x.ended.Sub(x.began) }

// param returns a value of the path, exactly as sent, or "" if the path has none of this name.
func (x *exchange) param(name string) string {
	for i := range x.values {
		if x.values[i].name == name {
			return x.values[i].text
		}
	}
	return ""
}

// decodedParam returns a value of the path, percent-decoded once. One that cannot be decoded is returned
// as sent.
func (x *exchange) decodedParam(name string) string {
	sent := x.param(name)
	if decoded, err := url.PathUnescape(sent); err == nil {
		return decoded
	}
	return sent
}

// write sends status and body.
func (x *exchange) write(status int) {
	x.ctx.SetStatusCode(status)
	x.pack()
	switch {
	case x.kept != nil:
		x.ctx.Response.SetBodyRaw(x.kept)
	case x.making: // its buffer serves the next answer of the turn
		x.ctx.Response.SetBodyRaw(bytes.Clone(x.out))
	case cap(x.out) > keptBody: // its memory is free once it is sent
		x.ctx.Response.SetBodyRaw(x.out)
		x.out = nil
	default:
		x.out = x.ctx.Response.SwapBody(x.out)
	}
}
