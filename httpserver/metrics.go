package httpserver

import (
	"bufio"
	"fmt"
	"io"
	"sync/atomic"

	"cartd/commerce"
)

// metrics counts what operators want to see. Counting costs an atomic addition.
type metrics struct {
	// table gives the order; requests has a row for each of its routes.
	table    []route
	requests map[*route]*statusCounts
	// strays are requests without a route: unknown paths, other methods, and what
	// could not be read.
	strays statusCounts
	// violations are evaluated carts whose amounts contradict each other.
	violations []atomic.Uint64
}

// statusCounts holds a counter for each HTTP status.
type statusCounts [600]atomic.Uint64

func newMetrics(table []route) *metrics {
	m := &metrics{table: table, requests: make(map[*route]*statusCounts, len(table)), violations: make([]atomic.Uint64, len(commerce.Invariants()))}
	for i := range table {
		m.requests[&table[i]] = new(statusCounts)
	}
	return m
}

// count counts an answered request.
func (m *metrics) count(x *exchange) {
	counts := x.counts
	if counts == nil {
		counts = &m.strays
	}
	counts[x.ctx.Response.StatusCode()%len(counts)].Add(1)
}

// check counts a cart whose amounts contradict each other; the request goes on.
func (m *metrics) check(e *commerce.Evaluation, pricesIncludeTax bool) {
	if broken, is := e.Broken(pricesIncludeTax); is {
		m.violations[broken].Add(1)
	}
}

// WriteMetrics writes the counters in Prometheus's text format.
func (s *Server) WriteMetrics(w io.Writer) error {
	m, out := s.metrics, bufio.NewWriter(w)
	fmt.Fprint(out, "# HELP cartd_requests_total Answered requests by route and status.\n# TYPE cartd_requests_total counter\n")
	for i := range m.table {
		m.requests[&m.table[i]].write(out, m.table[i].method, m.table[i].path)
	}
	m.strays.write(out, "", "")
	fmt.Fprint(out, "# HELP cartd_invariant_violations_total Evaluated carts whose amounts contradict each other.\n# TYPE cartd_invariant_violations_total counter\n")
	for _, invariant := range commerce.Invariants() {
		fmt.Fprintf(out, "cartd_invariant_violations_total{invariant=%q} %d\n", invariant, m.violations[invariant].Load())
	}
	ready := 0
	if s.ready() {
		ready = 1
	}
	fmt.Fprintf(out, "# HELP cartd_ready Whether /readyz says yes.\n# TYPE cartd_ready gauge\ncartd_ready %d\n", ready)
	return out.Flush()
}

func (c *statusCounts) write(w io.Writer, method, path string) {
	for status := range c {
		if n := c[status].Load(); n > 0 {
			fmt.Fprintf(w, "cartd_requests_total{method=%q,route=%q,status=\"%d\"} %d\n", method, path, status, n)
		}
	}
}
