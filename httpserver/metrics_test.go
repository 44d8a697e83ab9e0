package httpserver

import (
	"strings"
	"testing"

	"cartd/commerce"
)

func (h *harness) metrics() string {
	h.t.Helper()
	var out strings.Builder
	if err := h.server.WriteMetrics(&out); err != nil {
		h.t.Fatal(err)
	}
	return out.String()
}

func TestRequestsAreCountedByRouteAndStatus(t *testing.T) {
	h := start(t)
	for _, path := range []string{"/v1/ping", "/v1/ping/", cartsPath + "/" + testCart, cartsPath + "/nonsense", "/v1/foo"} {
		h.do(call{method: "GET", path: path})
	}
	h.do(call{method: "HEAD", path: "/v1/ping"})
	h.do(call{method: "PUT", path: "/v1/ping"})
	h.raw("GET", "nonsense\r\n\r\n")
	h.stop() // counted behind the answer
	got := h.metrics()
	for _, want := range []string{
		"# TYPE cartd_requests_total counter",
		`cartd_requests_total{method="GET",route="/v1/ping",status="200"} 3`,
		`cartd_requests_total{method="GET",route="/v1/api/commerce/carts/{id}",status="200"} 1`,
		`cartd_requests_total{method="GET",route="/v1/api/commerce/carts/{id}",status="404"} 1`,
		`cartd_requests_total{method="",route="",status="404"} 1`,
		`cartd_requests_total{method="",route="",status="405"} 1`,
		`cartd_requests_total{method="",route="",status="400"} 1`,
		`cartd_invariant_violations_total{invariant="negative"} 0`,
		"cartd_ready 0",
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("got\n%s\nwant %s in it", got, want)
		}
	}
}

// Amounts that contradict each other are counted, and the request is served.
func TestViolationsAreCounted(t *testing.T) {
	m := newMetrics(routes)
	m.check(&commerce.Evaluation{}, true)
	m.check(&commerce.Evaluation{Total: 1}, true)
	m.check(&commerce.Evaluation{DiscountTotal: 1}, true)
	m.check(&commerce.Evaluation{DiscountTotal: 1}, false)
	for _, invariant := range commerce.Invariants() {
		want := map[commerce.Invariant]uint64{commerce.SubtotalAndTax: 1, commerce.DiscountsAddUp: 2}[invariant]
		if got := m.violations[invariant].Load(); got != want {
			t.Errorf("%s: counted %d; want %d", invariant, got, want)
		}
	}
}
