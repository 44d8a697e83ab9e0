package webhooks

import (
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// transport sends requests on kept connections. A receiver may close one of those just as
// it is used again, which is no failure: such a request is sent once more, on a connection
// that is new for certain, where breaking is a failure. webhook-id tells repeats.
type transport struct{ kept, fresh *http.Transport }

func newTransport(dialer *net.Dialer) *transport {
	t := &transport{kept: bounded(dialer), fresh: bounded(dialer)}
	t.fresh.DisableKeepAlives = true
	return t
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	var reused, answered atomic.Bool
	watched := req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn:              func(c httptrace.GotConnInfo) { reused.Store(c.Reused) },
		GotFirstResponseByte: func() { answered.Store(true) },
	}))
	answer, err := t.kept.RoundTrip(watched)
	if err == nil || !reused.Load() || answered.Load() || req.Context().Err() != nil {
		return answer, err
	}
	again := req.Clone(req.Context())
	if again.Body, err = req.GetBody(); err != nil {
		return nil, err
	}
	return t.fresh.RoundTrip(again)
}

// CloseIdleConnections is what http.Client asks for.
func (t *transport) CloseIdleConnections() { t.kept.CloseIdleConnections() }
