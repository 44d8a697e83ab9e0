package httpserver

import (
	"bufio"
	"bytes"
	"errors"
	"net"
	"strconv"
	"time"

	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/front"
	"cartd/internal/answers"
)

// statusOf is the HTTP status of each kind of refusal. Spec: Errors.
var statusOf = [...]int{
	commerce.BadRequest:   fasthttp.StatusBadRequest,
	commerce.Unauthorized: fasthttp.StatusUnauthorized,
	commerce.Forbidden:    fasthttp.StatusForbidden,
	commerce.Missing:      fasthttp.StatusNotFound,
	commerce.Conflict:     fasthttp.StatusConflict,
	commerce.Gone:         fasthttp.StatusGone,
	commerce.Stale:        fasthttp.StatusPreconditionFailed,
	commerce.Oversized:    fasthttp.StatusRequestEntityTooLarge,
	commerce.Invalid:      fasthttp.StatusUnprocessableEntity,
	commerce.TooMany:      fasthttp.StatusTooManyRequests,
	commerce.Closed:       fasthttp.StatusServiceUnavailable,
}

// problem is an answer about HTTP or the server itself, not about a rule. Its body is {message}.
type problem struct {
	status  int
	message string
	// retryAfter is in seconds; 0 if the answer has no Retry-After.
	retryAfter int
	// reason is the cause of a 503 that the answer names; empty if it names none.
	reason string
	// when and then are for the documents: the cause of the answer, and the client's next step.
	when, then string
}

func (p *problem) Error() string { return p.message }

var (
	badRequest = &problem{status: fasthttp.StatusBadRequest, message: "Bad Request",
		when: "The request cannot be read: its head or its body is broken.", then: "Repair the client."}
	methodNotAllowed = &problem{status: fasthttp.StatusMethodNotAllowed,
		message: "The {method} method is not supported for route {path}. Supported methods: {methods}.",
		when:    "The path does not have this method; Allow lists its methods.", then: "Use one of them."}
	requestTimeout = &problem{status: fasthttp.StatusRequestTimeout, message: "Request Timeout",
		when: "The request did not arrive within 15 seconds, or less than 16 KiB of its body, and not its rest, within 2 seconds.",
		then: "Repeat it, and send the body at once."}
	headTooLarge = &problem{status: fasthttp.StatusRequestHeaderFieldsTooLarge, message: "Request Header Fields Too Large",
		when: "The head is larger than 16 KiB.", then: "Send fewer or shorter headers."}
	versionNotSupported = &problem{status: fasthttp.StatusHTTPVersionNotSupported, message: "HTTP Version Not Supported",
		when: "The request's version is neither HTTP/1.0 nor HTTP/1.1.", then: "Repair the client."}
	serverError = &problem{status: fasthttp.StatusInternalServerError, message: "Server Error",
		when: "The server has a fault. Its log names the fault with the answer's X-Request-Id.", then: "Repeat later, and report it."}
	unavailable = &problem{status: fasthttp.StatusServiceUnavailable, message: "Service Unavailable", retryAfter: 1,
		when: "The server cannot serve the request now. Nothing was done.", then: "Repeat after Retry-After, with growing pauses."}
	tooManyStreams = &problem{status: fasthttp.StatusServiceUnavailable, message: "Service Unavailable", retryAfter: 60,
		when: "Too many streams of events are open on the node: of the cart, of the client, of the store, or in all; or the store has opened too many in the last " +
			"minute.",
		then: "Read the cart every 30 seconds, and try again after Retry-After."}
	gatewayTimeout = &problem{status: fasthttp.StatusGatewayTimeout, message: "Gateway Timeout",
		when: "The outcome of a write is not known.", then: "Repeat with the same Idempotency-Key, or read the record."}
)

// problems lists all problems, for the documents.
var problems = []*problem{
	badRequest, methodNotAllowed, requestTimeout, headTooLarge, serverError, unavailable, tooManyStreams, gatewayTimeout, versionNotSupported,
}

// errNotModified is for a read whose client has the current representation already.
var errNotModified = errors.New("not modified")

// fail renders the error of a request. Faults of the server are logged here, and only here.
func (s *Server) fail(x *exchange, err error) {
	var refusal *commerce.Refusal
	var p *problem
	x.out = x.out[:0]
	switch {
	case errors.Is(err, errNotModified):
		x.ctx.Response.SkipBody = true
		x.write(fasthttp.StatusNotModified)
	case errors.As(err, &refusal):
		switch refusal.Kind {
		case commerce.TooMany:
			s.metrics.refused(fasthttp.StatusTooManyRequests, x.limitedBy())
		case commerce.Closed:
			s.metrics.refused(fasthttp.StatusServiceUnavailable, causeClosed)
			x.setHeader(headerRetryAfter, closedRetry)
		}
		x.refuse(refusal)
	case errors.As(err, &p):
		x.report(p)
	case errors.Is(err, engine.ErrUnavailable):
		s.metrics.refused(fasthttp.StatusServiceUnavailable, s.whyUnavailable(x, err))
		if errors.Is(err, engine.WatchesFull) {
			x.report(tooManyStreams)
			return
		}
		x.report(unavailable)
	case errors.Is(err, engine.ErrUnknownOutcome):
		s.metrics.refused(fasthttp.StatusGatewayTimeout, causeUnknown)
		x.report(gatewayTimeout)
	default:
		s.metrics.refused(fasthttp.StatusInternalServerError, causeFault)
		s.logFault(x, err)
		x.report(serverError)
	}
}

// closedRetry is the Retry-After of a store that is closed for orders, in seconds.
const closedRetry = "60"

// The causes of a 503 that come from this package.
const (
	noRoomForBody engine.Unavailable = causeBodies
	noConnection  engine.Unavailable = causeConnections
)

// whyUnavailable returns the cause of a 503.
func (s *Server) whyUnavailable(x *exchange, err error) string {
	var named engine.Unavailable
	if errors.As(err, &named) {
		return string(named)
	}
	if why := s.engine.Unready(); why != "" {
		return string(why)
	}
	if time.Since(x.began) >= s.requestTimeout {
		return causeDeadline
	}
	return causeOther
}

// limitedBy returns the limit that has refused the request.
func (x *exchange) limitedBy() string {
	switch {
	case x.limited != "":
		return x.limited
	case x.request.Client.Limit > 0 && !x.request.Client.Granted:
		return causePerClient
	case x.facts.Budget.Reserved:
		return causeReserved
	case x.request.Key != nil:
		return causeStore
	}
	return causeClient
}

func (x *exchange) report(p *problem) {
	if p.retryAfter > 0 {
		x.setHeader(headerRetryAfter, strconv.Itoa(p.retryAfter))
	}
	x.out = appendProblem(x.out, p)
	x.write(p.status)
}

func appendProblem(dst []byte, p *problem) []byte {
	return answers.Refusal.Append(dst, answers.RefusalView{Message: p.message, Reason: p.reason})
}

func (x *exchange) refuse(r *commerce.Refusal) {
	x.out = appendRefusal(x.out, r, (r.Fields != nil || r.Limit != nil) && x.includes(answers.IncludeErrorCodes))
	x.write(statusOf[r.Kind])
}

// appendRefusal writes the body of a refusal, with the codes of its errors or without. Spec: Errors.
func appendRefusal(dst []byte, r *commerce.Refusal, codes bool) []byte {
	return answers.AnyRefusal.Append(dst, answers.RefusalView{Message: r.Message, Refusal: r, Codes: codes})
}

// refuseUnreadable answers bytes that fasthttp could not read as a request. The connection then
// closes.
func (s *Server) refuseUnreadable(ctx *fasthttp.RequestCtx, err error) {
	p := unreadable(err)
	if front.BeganHTTP2(ctx) {
		p = versionNotSupported
	}
	ctx.Response.SkipBody = ctx.IsHead()
	s.refuseAll(ctx, p)
}

// refuseAll answers a refusal ahead of every route.
func (s *Server) refuseAll(ctx *fasthttp.RequestCtx, why error) {
	x := s.begin(ctx, time.Now())
	x.setCommonHeaders()
	s.setCORSHeaders(x)
	s.fail(x, why)
	s.finish(x)
}

// refusal returns the answer to a client whose connection is refused.
func (s *Server) refusal(client net.Addr) []byte {
	var ctx fasthttp.RequestCtx
	ctx.SetRemoteAddr(client)
	ctx.SetConnectionClose()
	s.metrics.refusedConns.Add(1)
	s.refuseAll(&ctx, noConnection)
	var answer bytes.Buffer
	w := bufio.NewWriter(&answer)
	ctx.Response.Write(w) // into memory
	w.Flush()
	return answer.Bytes()
}

// headProblem returns the reason why the head was refused.
func (x *exchange) headProblem() error {
	x.in.Unread = true
	if !front.KnownVersion(&x.ctx.Request.Header) {
		return versionNotSupported
	}
	return badRequest
}

// unreadable returns the problem of a body that breaks off. The request counts as one without a
// route, as with a broken head.
func (x *exchange) unreadable(err error) error {
	x.route, x.path, x.series = nil, "", nil
	return unreadable(err)
}

func unreadable(err error) error {
	var small *fasthttp.ErrSmallBuffer
	var network net.Error
	switch {
	case errors.As(err, &small):
		return headTooLarge
	case errors.As(err, &network) && network.Timeout():
		return requestTimeout
	}
	return badRequest
}
