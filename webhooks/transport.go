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
	// maxInformational is how many 1xx answers may come before the answer.
	maxInformational = 100
)

// transport sends requests on kept connections. A receiver may close one of those just as
// it is used again, which is no failure: such a request is sent once more, on a connection
// that is new for certain, where breaking is a failure. webhook-id tells repeats.
type transport struct{ kept, fresh *http.Transport }

func newTransport(d *dialer) *transport {
	t := &transport{kept: bounded(d), fresh: bounded(d)}
	t.fresh.DisableKeepAlives = true
	return t
}

// bounded is a transport without a proxy, bounded in what it keeps and reads.
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

// CloseIdleConnections is what http.Client asks for.
func (t *transport) CloseIdleConnections() { t.kept.CloseIdleConnections() }

// exchange is one request on one connection, which ends with the request's context unless
// it is kept.
type exchange struct {
	reused, answered atomic.Bool
	informational    int // answers
	conn             *conn
	keep             func() bool
}

// traced is the request, with the exchange informed of its course.
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

// onInformational passes over the 1xx answers that may come before the answer. Any other
// is a failure, and so are too many. net/http takes 101 for an answer: attempt refuses it.
func (e *exchange) onInformational(status int, _ textproto.MIMEHeader) error {
	switch status {
	case http.StatusContinue, http.StatusProcessing, http.StatusEarlyHints:
		if e.informational++; e.informational <= maxInformational {
			return nil
		}
	}
	return statusError(status)
}
