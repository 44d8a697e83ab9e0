package httpserver

import (
	"strconv"
	"time"

	"cartd/engine"
)

// Trace is an answered request with its phases.
type Trace struct {
	Method, Route, RequestID string
	Status                   int
	// Parent and State are the headers traceparent and tracestate of a trusted proxy.
	Parent, State string
	// Store is the store's id; empty if the key is not valid.
	Store        string
	Began, Ended time.Time
	Phases       []engine.Phase
}

// The phases of this package, in addition to the engine's: from the arrival to the admission, and
// from the engine's last phase to the answer.
const (
	phaseRoute  = "route"
	phaseEncode = "encode"
)

// maxRequestID is the maximum length of a proxy's request id.
const maxRequestID = 128

// readProxyHeaders reads the headers of a trusted proxy: the request's id, its trace, and whether
// the answer shows Server-Timing.
func (s *Server) readProxyHeaders(x *exchange) {
	sent := &x.sent
	named := len(sent.requestID.first) > 0 || len(sent.traceparent.first) > 0 || len(sent.askTiming.first) > 0
	trusted := named && s.proxies().Trusts(x.ctx.RemoteAddr())
	if trusted && isRequestID(sent.requestID.first) {
		x.requestID = append(x.requestID[:0], sent.requestID.first...)
	}
	x.showTiming = (trusted || s.openTiming) && len(sent.askTiming.first) > 0
	if s.trace != nil && trusted {
		x.parent, x.state = string(sent.traceparent.first), string(sent.tracestate.first)
	}
	if s.trace != nil || x.showTiming {
		x.timing = new(engine.Timing)
	}
}

// isRequestID reports whether a text may be a request's id: printable ASCII without spaces.
func isRequestID(text []byte) bool {
	for _, c := range text {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return 0 < len(text) && len(text) <= maxRequestID
}

// finish counts, logs and traces an answered request, and ends the exchange. A stream is logged at
// its end.
func (s *Server) finish(x *exchange) {
	x.ended = time.Now()
	s.metrics.count(x)
	if x.stream == nil {
		s.logAccess(s.accessAttrs(x), x.bytes(), x.took())
	}
	if x.timing != nil {
		s.showPhases(x)
	}
	x.release()
}

// showPhases writes Server-Timing and passes the trace on.
func (s *Server) showPhases(x *exchange) {
	phases := x.timing.Phases()
	if n := len(phases); n > 0 && x.route != nil && x.ended.After(phases[n-1].Ended) { // a visit may outlast its request
		phases = append(phases, engine.Phase{Name: phaseEncode, Began: phases[n-1].Ended, Ended: x.ended})
	}
	if x.showTiming && (x.route == nil || !x.route.constantTime) {
		x.ctx.Response.Header.SetCanonical(headerTiming, appendTiming(nil, phases, x.took()))
	}
	if s.trace == nil || x.route != nil && x.route.probe {
		return
	}
	trace := &Trace{
		Method: x.loggedMethod(), Route: x.routePattern(), RequestID: string(x.requestID), Status: x.ctx.Response.StatusCode(),
		Parent: x.parent, State: x.state, Began: x.began, Ended: x.ended, Phases: phases,
	}
	if x.request.Store != nil {
		trace.Store = x.request.Store.ID.String()
	}
	s.trace(trace)
}

// appendTiming writes Server-Timing: the sum of each phase, in the order of first appearance, and
// the total, in milliseconds.
func appendTiming(dst []byte, phases []engine.Phase, total time.Duration) []byte {
	for i, p := range phases {
		var sum time.Duration
		earlier := false
		for j, other := range phases {
			if other.Name == p.Name {
				earlier = earlier || j < i
				sum += other.Ended.Sub(other.Began)
			}
		}
		if !earlier {
			dst = append(appendDuration(append(dst, p.Name...), sum), ", "...)
		}
	}
	return appendDuration(append(dst, "total"...), total)
}

func appendDuration(dst []byte, d time.Duration) []byte {
	return strconv.AppendFloat(append(dst, ";dur="...), milliseconds(d), 'f', 3, 64)
}

// milliseconds returns a duration in milliseconds, cut off to whole microseconds.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
