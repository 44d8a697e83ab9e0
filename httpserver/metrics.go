package httpserver

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
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

// storeMinutes counts the requests of each store by the minute, for the stores that are refused altogether: one
// of many is no part of all answers that anybody would notice.
type storeMinutes struct{ of sync.Map } // of uuid.UUID to *storeMinute

// storeMinute has the requests of a store in a minute and in the one before it.
type storeMinute struct {
	mu        sync.Mutex
	minute    int64
	now, last struct{ asked, refused int }
}

// limitedFrom is the number of requests in a minute from which on a store may count as refused.
const limitedFrom = 10

// count counts an answered request.
func (m *storeMinutes) count(store uuid.UUID, status int, at time.Time) {
	found, known := m.of.Load(store)
	if !known {
		found, _ = m.of.LoadOrStore(store, &storeMinute{})
	}
	s := found.(*storeMinute)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn(at)
	s.now.asked++
	if status == http.StatusTooManyRequests {
		s.now.refused++
	}
}

// turn begins the minute of a time.
func (s *storeMinute) turn(at time.Time) {
	switch minute := at.Unix() / 60; {
	case minute == s.minute:
		return
	case minute == s.minute+1:
		s.minute, s.last = minute, s.now
	default:
		s.minute, s.last = minute, struct{ asked, refused int }{}
	}
	s.now.asked, s.now.refused = 0, 0
}

// limited reports whether most requests of a store were refused in the last whole minute.
func (m *storeMinutes) limited(store uuid.UUID, at time.Time) bool {
	found, known := m.of.Load(store)
	if !known {
		return false
	}
	s := found.(*storeMinute)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn(at)
	return s.last.asked >= limitedFrom && 2*s.last.refused > s.last.asked
}

// Limited reports whether most requests of a store were 429 in the last whole minute.
func (s *Server) Limited(store uuid.UUID) bool { return s.metrics.minutes.limited(store, time.Now()) }

// business counts what a merchant asks for, by store if Config.StoreMetrics is set; else the label is
// empty. A replay of a request counts nothing.
type business struct {
	carts, orders, turnover *prometheus.CounterVec
	byStore                 bool
}

func newBusiness(byStore bool) business {
	b := business{
		carts:    counters("cartd_carts_made_total", "Carts made.", "store"),
		orders:   counters("cartd_orders_total", "Orders made, by checkout or by the accept of a quote.", "store"),
		turnover: counters("cartd_orders_cents_total", "Totals of these orders, in cents.", "store"),
		byStore:  byStore,
	}
	if !byStore {
		for _, counter := range []*prometheus.CounterVec{b.carts, b.orders, b.turnover} {
			counter.WithLabelValues("")
		}
	}
	return b
}

func (b *business) collectors() []prometheus.Collector {
	return []prometheus.Collector{b.carts, b.orders, b.turnover}
}

// storeLabel is the label of the request's store.
func (b *business) storeLabel(x *exchange) string {
	if !b.byStore || x.facts.Store == nil {
		return ""
	}
	return x.facts.Store.ID.String()
}

// made counts a new cart.
func (b *business) made(x *exchange, reply *engine.Reply) {
	if !reply.Replayed {
		b.carts.WithLabelValues(b.storeLabel(x)).Inc()
	}
}

// sold counts a new order.
func (b *business) sold(x *exchange, reply *engine.Reply, o *commerce.Order) {
	if !reply.Replayed && !reply.Existing {
		store := b.storeLabel(x)
		b.orders.WithLabelValues(store).Inc()
		b.turnover.WithLabelValues(store).Add(float64(o.Totals.Total))
	}
}
