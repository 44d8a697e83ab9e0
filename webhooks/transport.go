package webhooks

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"sync/atomic"
	"time"
)

const (
	idleConns = 64
	idleFor   = 30 * time.Second
	maxHeader = 256 << 10
	// maxInformational is the number of 1xx answers that may precede the answer.
	maxInformational = 100
)

// transport sends requests on kept connections. A receiver may close a kept connection at the
// moment when it is used again. That is no failure: the request is sent once more on a new
// connection. The receiver recognizes a repeated request by its webhook-id.
type transport struct{ kept, fresh *http.Transport }

func newTransport(d *dialer) *transport {
	t := &transport{kept: bounded(d), fresh: bounded(d)}
	t.fresh.DisableKeepAlives = true
	return t
}

// bounded is a transport without a proxy. Its connections and header sizes are bounded.
func bounded(d *dialer) *http.Transport {
	return &http.Transport{
		DialContext:            d.dial,
		DialTLSContext:         d.dialTLS,
		DisableCompression:     true,
		MaxIdleConns:           idleConns,
		MaxIdleConnsPerHost:    1,
		IdleConnTimeout:        idleFor,
		MaxResponseHeaderBytes: maxHeader,
	}
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	first := &exchange{}
	answer, err := t.kept.RoundTrip(first.traced(req))
	if err == nil || !first.reused.Load() || first.answered.Load() || req.Context().Err() != nil {
		return answer, err
	}
	again := req.Clone(req.Context())
	if again.Body, err = req.GetBody(); err != nil {
		return nil, err
	}
	return t.fresh.RoundTrip((&exchange{}).traced(again))
}

// CloseIdleConnections closes the idle connections. http.Client calls it.
func (t *transport) CloseIdleConnections() { t.kept.CloseIdleConnections() }

// exchange is one request on one connection. The connection ends with the request's context
// unless it was returned to the idle ones.
type exchange struct {
	reused, answered atomic.Bool
	informational    int // number of 1xx answers
	conn             *conn
	keep             func() bool // after it, the context's end does not cut the connection
}

// traced is the request with a trace that updates the exchange.
func (e *exchange) traced(req *http.Request) *http.Request {
	ctx := req.Context()
	return req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) {
			e.reused.Store(got.Reused)
			e.conn = got.Conn.(*conn)
			e.conn.user.Store(e)
			e.keep = context.AfterFunc(ctx, e.conn.cut)
		},
		PutIdleConn: func(err error) {
			if err == nil {
				e.conn.user.CompareAndSwap(e, nil) // unless a later exchange has it already
				e.keep()
			}
		},
		GotFirstResponseByte: func() { e.answered.Store(true) },
		Got1xxResponse:       e.onInformational,
	}))
}

// onInformational skips the 1xx answers that may precede the answer. Other 1xx answers are a
// failure, and so are too many. net/http treats 101 as the answer; attempt refuses it.
func (e *exchange) onInformational(status int, _ textproto.MIMEHeader) error {
	switch status {
	case http.StatusContinue, http.StatusProcessing, http.StatusEarlyHints:
		if e.informational++; e.informational <= maxInformational {
			return nil
		}
	}
	return statusError(status)
}
