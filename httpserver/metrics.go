package httpserver

import (
	"strconv"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"

	"cartd/commerce"
	"cartd/engine"
)

// metrics are the metrics of this package. Counting a request costs a few atomic additions: the
// series of a route and status is looked up by its labels once.
type metrics struct {
	requests, refusals, logins *prometheus.CounterVec
	durations                  *prometheus.HistogramVec
	violations                 []prometheus.Counter
	business                   business
	// events counts the carts sent to streams, streamEnds the streams that have ended, by reason.
	events                 prometheus.Counter
	streamEnds             *prometheus.CounterVec
	inFlight, refusedConns atomic.Int64
	// table are the routes of the table. unrouted are the requests without a route: unknown paths,
	// other methods, and those that could not be read.
	table    map[*route]*routeSeries
	unrouted *routeSeries
	// latePayments counts payments of orders that had ended unpaid.
	latePayments prometheus.Counter
	// stores counts the requests of each store; nil unless Config.StoreMetrics is set.
	stores *prometheus.CounterVec
	// minutes are the requests of each store in the last minute.
	minutes storeMinutes
}

// routeSeries are the series of one route, by status.
type routeSeries struct {
	method, path string
	of           [600]atomic.Pointer[statusSeries]
}

type statusSeries struct {
	requests prometheus.Counter
	duration prometheus.Observer
}

// durationBuckets are in seconds: a request takes 0.1 ms if Redis is idle, at most 10 s.
var durationBuckets = []float64{.00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}

// The causes of refusals, in addition to those of engine.Unavailable.
const (
	causeStore       = "store"
	causeReserved    = "reserved_for_carts"
	causePerClient   = "per_client"
	causeClient      = "client"
	causeLogin       = "login"
	causeCode        = "discount_code"
	causeQuotes      = "quote_answers"
	causeBodies      = "bodies"
	causeAnswers     = "answers"
	causeClosed      = "store_closed"
	causeConnections = "connections"
	causeDeadline    = "deadline"
	causeOther       = "other"
	causeFault       = "fault"
	causeUnknown     = "unknown_outcome"
)

// refusalCauses are all causes, by status.
var refusalCauses = map[string][]string{
	"429": {causeStore, causeReserved, causePerClient, causeClient, causeLogin, causeCode, causeQuotes},
	"503": {
		string(engine.RedisAway), string(engine.RedisReadOnly), string(engine.Starting), string(engine.StoresUnreadable), string(engine.MailboxFull),
		string(engine.PasswordsFull), string(engine.GrowthFull),
		string(engine.WatchesFull), causeBodies, causeAnswers, causeClosed, causeConnections, causeDeadline, causeOther,
	},
	"500": {causeFault},
	"504": {causeUnknown},
}

func newMetrics(table []route, byStore bool) *metrics {
	m := &metrics{
		requests: counters("cartd_requests_total", "Answered requests, by route and status.", "method", "route", "status"),
		refusals: counters("cartd_refusals_total", "Answers 429, 500, 503 and 504, by cause; without those of /readyz.", "status", "cause"),
		logins:   counters("cartd_logins_refused_total", "Logins refused for their password (credentials) or for too many failures (limit).", "cause"),
		latePayments: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "cartd_payments_late_total", Help: "Payments refused because the order had ended unpaid, or its shopper had cancelled it.",
		}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "cartd_request_duration_seconds", Buckets: durationBuckets,
			Help: "From a request's last byte until its answer is ready, by route and class of status.",
		}, []string{"method", "route", "status"}),
		events:     prometheus.NewCounter(prometheus.CounterOpts{Name: "cartd_stream_events_total", Help: "Carts sent to streams of events."}),
		streamEnds: counters("cartd_streams_ended_total", "Streams of events that have ended, by reason.", "reason"),
		table:      make(map[*route]*routeSeries, len(table)), unrouted: &routeSeries{}, business: newBusiness(byStore),
	}
	if byStore {
		m.stores = counters("cartd_store_requests_total", "Answered requests, by store and class of status (only with --metrics-stores).", "store", "status")
	}
	for i := range table {
		m.table[&table[i]] = &routeSeries{method: table[i].method, path: table[i].path}
	}
	for status, causes := range refusalCauses {
		for _, cause := range causes {
			m.refusals.WithLabelValues(status, cause)
		}
	}
	for _, reason := range streamEnds {
		m.streamEnds.WithLabelValues(string(reason))
	}
	for _, cause := range []string{causeCredentials, causeLimit} {
		m.logins.WithLabelValues(cause)
	}
	for _, invariant := range commerce.Invariants() {
		m.violations = append(m.violations, prometheus.NewCounter(prometheus.CounterOpts{
			Name: "cartd_invariant_violations_total", Help: "Carts shown and orders changed whose amounts contradict each other: always 0.",
			ConstLabels: prometheus.Labels{"invariant": invariant.String()},
		}))
	}
	return m
}

// The causes of a refused login.
const (
	causeCredentials = "credentials"
	causeLimit       = "limit"
)

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

// Collectors returns the metrics of this package.
func (s *Server) Collectors() []prometheus.Collector {
	m := s.metrics
	all := []prometheus.Collector{m.requests, m.refusals, m.logins, m.durations, m.events, m.streamEnds, m.latePayments}
	for _, violation := range m.violations {
		all = append(all, violation)
	}
	if m.stores != nil {
		all = append(all, m.stores)
	}
	return append(all, m.business.collectors()...)
}

// Figures is the current state of the server.
type Figures struct {
	Ready                             bool
	InFlight, Connections, Refused    int64
	MaxConnections, Bodies, MaxBodies int64
	Answers, MaxAnswers               int64
	Streams                           int64
}

// Figures returns the current state. Bodies and Answers are in bytes.
func (s *Server) Figures() Figures {
	f := Figures{Ready: s.unready() == "", InFlight: s.metrics.inFlight.Load(), Refused: s.metrics.refusedConns.Load()}
	open, _, limit := s.front.Connections()
	f.Connections, f.MaxConnections = int64(open), int64(limit)
	f.Bodies, f.MaxBodies = s.front.Bodies.Figures()
	f.Answers, f.MaxAnswers = s.front.Answers.Figures()
	f.Streams = int64(s.front.Streams())
	return f
}

// count counts an answered request.
func (m *metrics) count(x *exchange) {
	series := x.series
	if series == nil {
		series = m.unrouted
	}
	status := x.ctx.Response.StatusCode() % len(series.of)
	of := series.of[status].Load()
	if of == nil {
		of = &statusSeries{
			m.requests.WithLabelValues(series.method, series.path, strconv.Itoa(status)),
			m.durations.WithLabelValues(series.method, series.path, class(status)),
		}
		series.of[status].Store(of)
	}
	of.requests.Inc()
	of.duration.Observe(x.took().Seconds())
	if x.request.Store == nil {
		return
	}
	m.minutes.count(x.request.Store.ID, status, x.began)
	if m.stores != nil {
		m.stores.WithLabelValues(x.request.Store.ID.String(), class(status)).Inc()
	}
}

// class returns the class of a status, such as 2xx.
func class(status int) string { return strconv.Itoa(status/100) + "xx" }

// refused counts an answer 429, 500, 503 or 504, but not those of /readyz.
func (m *metrics) refused(status int, cause string) {
	m.refusals.WithLabelValues(strconv.Itoa(status), cause).Inc()
}

// check counts a cart whose amounts contradict each other; the request goes on.
func (m *metrics) check(e *commerce.Evaluation) {
	if broken, is := e.Broken(); is {
		m.violations[broken].Inc()
	}
}

// checkOrder counts a changed order whose parts contradict each other.
func (m *metrics) checkOrder(o *commerce.Order) {
	if broken, is := o.Broken(); is {
		m.violations[broken].Inc()
	}
}
