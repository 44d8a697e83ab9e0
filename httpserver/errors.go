package httpserver

import (
	"bufio"
	"bytes"
	"errors"
	"net"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/front"
	"cartd/internal/openapi"
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
		when: "Too many streams of events are open on the node: of the cart, of the client, of the store, or in all; or the store has opened too many in the last minute.",
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
	var busy *engine.Busy
	x.out = x.out[:0]
	switch {
	case errors.Is(err, errNotModified):
		x.ctx.Response.SkipBody = true
		x.write(fasthttp.StatusNotModified)
	case errors.As(err, &refusal):
		if refusal.Kind == commerce.TooMany {
			s.metrics.refused(fasthttp.StatusTooManyRequests, x.limitedBy())
		}
		x.refuse(refusal)
	case errors.As(err, &p):
		x.report(p)
	case errors.As(err, &busy):
		s.metrics.refused(fasthttp.StatusServiceUnavailable, causeImports)
		later := *unavailable
		later.retryAfter = int(max(1, wholeSeconds(busy.After)))
		x.report(&later)
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
	dst = appendString(append(dst, `{"message":`...), p.message)
	if p.reason != "" {
		dst = appendString(append(dst, `,"reason":`...), p.reason)
	}
	return append(dst, '}')
}

func (x *exchange) refuse(r *commerce.Refusal) {
	x.out = appendRefusal(x.out, r)
	if r.Fields != nil && x.includes(includeErrorCodes) {
		x.out = appendErrorCodes(x.out[:len(x.out)-1], r.Fields)
	}
	x.write(statusOf[r.Kind])
}

// refusalShape is the body of every answer that is not a success, except of one kind. Spec: Errors.
var (
	refusalShape = openapi.Object("Refusal").
			Has("message", openapi.Text, "The fault in words, for people. For faulty fields it is the first error.").
			May("errors", openapi.Map(openapi.List(openapi.Text)), "The messages of each faulty field, in the order of the fields; nested ones as in `lines.0.quantity`.").
			May("reason", openapi.Text, "In a 503 of `/readyz`: `redis_away`, `redis_read_only`, `starting`, `stores_unreadable` or `draining`. Reasons may be added.").
			May(includeErrorCodes, openapi.Map(openapi.List(errorCodeShape)), "With `include=error_codes` where there is `errors`: its messages as codes, in the same order.").
			May("code", openapi.Text, "The fault as a code, for programs. Codes may be added.").
			May("reasons", openapi.List(openapi.Text), "With QUOTE_REQUIRED: the cart's quote_reasons.").
			May("current_total", openapi.Integer, "With CART_CHANGED: the total that the order would have, in minor units.").
			May("order_id", openapi.UUID, "With ALREADY_CONVERTED: the order that the quote became.").
			May("out_of_stock", openapi.List(openapi.Object("StockShort").
				Has("product_id", openapi.UUID, "").Has("variant_id", openapi.UUID.OrNull(), "").
				Has("requested", openapi.Number, "").Has("available", openapi.Number, "")), "With OUT_OF_STOCK: every item with too little stock.")
	moduleRefusalShape = openapi.Object("ModuleRefusal").Has("error", openapi.Text, "`Module not enabled: ` and the module.")
	anyRefusalShape    = openapi.AnyOf(refusalShape, moduleRefusalShape)
)

// appendRefusal writes {message, errors?, code?} with the fields of a sale, or {error}.
// Spec: Errors.
func appendRefusal(dst []byte, r *commerce.Refusal) []byte {
	if r.BareError {
		dst = appendString(append(dst, `{"error":`...), r.Message)
		return append(dst, '}')
	}
	dst = appendString(append(dst, `{"message":`...), r.Message)
	if r.Fields != nil {
		dst = appendFields(append(dst, `,"errors":`...), r.Fields)
	}
	if r.Code != "" {
		dst = appendString(append(dst, `,"code":`...), r.Code)
	}
	if r.Reasons != nil {
		dst = appendStrings(append(dst, `,"reasons":`...), r.Reasons)
	}
	if r.CurrentTotal != nil {
		dst = appendAmount(append(dst, `,"current_total":`...), *r.CurrentTotal)
	}
	if r.OrderID != uuid.Nil {
		dst = appendUUID(append(dst, `,"order_id":`...), r.OrderID)
	}
	if r.OutOfStock != nil {
		dst = append(dst, `,"out_of_stock":[`...)
		for i := range r.OutOfStock {
			dst = append(appendShort(append(appendComma(dst, i), '{'), &r.OutOfStock[i]), '}')
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// errorCodeShape is a message of errors for programs.
var errorCodeShape = func() *openapi.Schema {
	var codes []string
	parameters := map[string]bool{"code": true}
	shape := openapi.Object("ErrorCode")
	for _, row := range commerce.FieldMessages() {
		if !slices.Contains(codes, row.Code) {
			codes = append(codes, row.Code)
		}
	}
	shape = shape.Has("code", openapi.Names(codes...), "The list of docs/api/errors.md, with the parameters of each.")
	for _, row := range commerce.FieldMessages() {
		for _, p := range row.Params {
			if parameters[p.Name] {
				continue
			}
			parameters[p.Name] = true
			if p.IsText {
				shape = shape.May(p.Name, openapi.Text, "")
			} else {
				shape = shape.May(p.Name, openapi.Number, "")
			}
		}
	}
	return shape.May("unit", openapi.Names("characters", "bytes", "items"), "What a maximum or minimum counts; absent if it is a number.")
}()

// appendErrorCodes writes the codes of the messages of errors, and ends the body.
func appendErrorCodes(dst []byte, fields []commerce.FieldError) []byte {
	dst = append(dst, `,"`+includeErrorCodes+`":{`...)
	for i := range fields {
		dst = append(appendString(appendComma(dst, i), fields[i].Field), ":["...)
		for j, message := range fields[i].Messages {
			dst = appendErrorCode(appendComma(dst, j), message)
		}
		dst = append(dst, ']')
	}
	return append(dst, `}}`...)
}

func appendErrorCode(dst []byte, m commerce.Message) []byte {
	row := m.Row()
	dst = appendString(append(dst, `{"code":`...), row.Code)
	for i, p := range row.Params {
		dst = append(appendString(append(dst, ','), p.Name), ':')
		if p.IsText {
			dst = appendString(dst, m.Value(i))
		} else {
			dst = append(dst, m.Value(i)...)
		}
	}
	if row.Unit != "" {
		dst = appendString(append(dst, `,"unit":`...), row.Unit)
	}
	return append(dst, '}')
}

// appendFields writes the object errors, in the order of the fields.
func appendFields(dst []byte, fields []commerce.FieldError) []byte {
	dst = append(dst, '{')
	for i := range fields {
		dst = appendComma(dst, i)
		dst = append(appendString(dst, fields[i].Field), ':')
		dst = appendStrings(dst, fields[i].Texts())
	}
	return append(dst, '}')
}

// refuseUnreadable answers bytes that fasthttp could not read as a request. The connection then
// closes.
func (s *Server) refuseUnreadable(ctx *fasthttp.RequestCtx, err error) {
	x := s.begin(ctx, time.Now())
	x.setCommonHeaders()
	s.setCORSHeaders(x)
	ctx.Response.SkipBody = ctx.IsHead()
	s.fail(x, unreadable(err))
	s.finish(x)
}

// refusal returns the answer to a client whose connection is refused.
func (s *Server) refusal(client net.Addr) []byte {
	var ctx fasthttp.RequestCtx
	ctx.SetRemoteAddr(client)
	x := s.begin(&ctx, time.Now())
	x.setCommonHeaders()
	ctx.SetConnectionClose()
	s.metrics.refusedConns.Add(1)
	s.fail(x, noConnection)
	s.finish(x)
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
