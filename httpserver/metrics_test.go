package httpserver

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"cartd/commerce"
	"cartd/engine"
)

// metrics returns the server's metrics as Prometheus reads them.
func (h *harness) metrics() string {
	h.t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(h.server.Collectors()...)
	families, err := registry.Gather()
	if err != nil {
		h.t.Fatal(err)
	}
	var out strings.Builder
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(&out, family); err != nil {
			h.t.Fatal(err)
		}
	}
	return out.String()
}

// figure returns a metric's value.
func figure(of prometheus.Metric) float64 {
	var value dto.Metric
	if err := of.Write(&value); err != nil {
		panic(err)
	}
	return value.GetCounter().GetValue()
}

// unrouted returns the number of requests without a route that had this status.
func (h *harness) unrouted(status int) int {
	return int(figure(h.server.metrics.requests.WithLabelValues("", "", strconv.Itoa(status))))
}

func TestRequestsAreCountedByRouteAndStatus(t *testing.T) {
	h := start(t)
	for _, path := range []string{"/v1/ping", "/v1/ping/", cartsPath + "/" + testCart, cartsPath + "/nonsense", "/v1/foo"} {
		h.do(call{method: "GET", path: path})
	}
	h.do(call{method: "HEAD", path: "/v1/ping"})
	h.do(call{method: "PUT", path: "/v1/ping"})
	h.raw("GET", "nonsense\r\n\r\n")
	h.stop() // requests are counted after their answer
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
		"# TYPE cartd_request_duration_seconds histogram",
		`cartd_request_duration_seconds_bucket{method="GET",route="/v1/ping",status="2xx",le="10"} 3`,
		`cartd_request_duration_seconds_count{method="",route="",status="4xx"} 3`,
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("got\n%s\nwant %s in it", got, want)
		}
	}
	if figures := h.server.Figures(); figures.Ready || figures.InFlight != 0 {
		t.Errorf("got %+v, want a node that is not ready and serves nothing", figures)
	}
}

// Every 429, 500, 503 and 504 is counted once, under its cause.
func TestRefusalsAreCountedByCause(t *testing.T) {
	spent := engine.Budget{Limit: 5}
	for _, row := range []struct {
		cause   string
		arrange func(*fakeEngine)
		call    call
	}{
		{"client", func(e *fakeEngine) { e.admission.Key, e.admission.Store, e.admission.Budget.Granted = nil, nil, false },
			call{method: "GET", path: cartsPath + "/" + testCart}},
		{"store", func(e *fakeEngine) { e.admission.Budget.Granted = false }, call{method: "GET", path: cartsPath + "/" + testCart}},
		{"login", func(e *fakeEngine) { e.failures, e.err = spent, commerce.TooManyAttempts },
			call{method: "POST", path: contactsPath + "/login", body: `{"email":"a@b.co","password":"12345678"}`}},
		{"redis_away", func(e *fakeEngine) { e.admitErr, e.unready = engine.ErrUnavailable, engine.RedisAway },
			call{method: "GET", path: cartsPath + "/" + testCart}},
		{"mailbox", func(e *fakeEngine) { e.err = engine.MailboxFull }, call{method: "POST", path: cartsPath}},
		{"fault", func(e *fakeEngine) { e.err = errors.New("the disk is on fire") }, call{method: "POST", path: cartsPath}},
		{"unknown_outcome", func(e *fakeEngine) { e.err = engine.ErrUnknownOutcome }, call{method: "POST", path: cartsPath}},
		{"other", func(e *fakeEngine) { e.admitErr = engine.ErrUnavailable }, call{method: "GET", path: cartsPath + "/" + testCart}},
	} {
		h := start(t)
		row.arrange(h.engine)
		h.do(row.call)
		h.stop()
		for status, causes := range refusalCauses {
			for _, cause := range causes {
				want := 0.0
				if cause == row.cause {
					want = 1
				}
				if got := figure(h.server.metrics.refusals.WithLabelValues(status, cause)); got != want {
					t.Errorf("%s: counted %v as %s %s, want %v", row.cause, got, status, cause, want)
				}
			}
		}
	}
}

// Amounts that contradict each other are counted, and the request is served.
func TestViolationsAreCounted(t *testing.T) {
	m := newMetrics(routes, false)
	m.check(&commerce.Evaluation{})
	m.check(&commerce.Evaluation{Total: 1})
	m.check(&commerce.Evaluation{DiscountTotal: 1})
	m.check(&commerce.Evaluation{DiscountTotal: 1})
	for _, invariant := range commerce.Invariants() {
		want := map[commerce.Invariant]float64{commerce.SubtotalAndTax: 1, commerce.DiscountsAddUp: 2}[invariant]
		if got := figure(m.violations[invariant]); got != want {
			t.Errorf("%s: counted %v; want %v", invariant, got, want)
		}
	}
}

// New carts and orders count once, with the order's total; a replay, an order that exists and a
// refusal count nothing. The label names the store only if it is asked for.
func TestBusinessCountsOnce(t *testing.T) {
	for _, byStore := range []bool{false, true} {
		h := start(t, func(c *Config) { c.StoreMetrics = byStore })
		label := ""
		if byStore {
			label = sampleStore().ID.String()
		}
		counted := func() [3]float64 {
			b := &h.server.metrics.business
			return [3]float64{figure(b.carts.WithLabelValues(label)), figure(b.orders.WithLabelValues(label)), figure(b.turnover.WithLabelValues(label))}
		}
		h.engine.reply.Order = &commerce.Order{ID: uuid.New(), Number: 1, Totals: commerce.OrderTotals{Total: 4250}}
		create, sell := call{method: "POST", path: cartsPath}, sampleOf(cartPath+"/checkout")
		refuse := func() { h.engine.err = commerce.CartOwned }
		for _, step := range []struct {
			name   string
			with   func()
			do     call
			status int
			want   [3]float64
		}{
			{"a cart", func() {}, create, 201, [3]float64{1, 0, 0}},
			{"an order", func() {}, sell, 201, [3]float64{1, 1, 4250}},
			{"a replay of the order", func() { h.engine.reply.Replayed = true }, sell, 201, [3]float64{1, 1, 4250}},
			{"a replay of the cart", func() {}, create, 201, [3]float64{1, 1, 4250}},
			{"an order that exists", func() { h.engine.reply.Replayed, h.engine.reply.Existing = false, true }, sell, 200, [3]float64{1, 1, 4250}},
			{"a refusal", refuse, sell, 403, [3]float64{1, 1, 4250}},
		} {
			step.with()
			if got := h.do(step.do); got.status != step.status || counted() != step.want {
				t.Errorf("by store %v, %s: %d and %v counted, want %d and %v\n%s", byStore, step.name, got.status, counted(), step.status, step.want, got.body)
			}
		}
	}
}

// sampleOf is the sample call of the POST route with a path.
func sampleOf(path string) call {
	for i := range routes {
		if routes[i].path == path && routes[i].method == "POST" {
			return sample(&routes[i])
		}
	}
	panic("no route " + path)
}

// A store is limited after a minute in which most of its requests were refused, for a minute.
func TestStoresThatAreRefusedAltogether(t *testing.T) {
	t.Parallel()
	var m storeMinutes
	at := time.Date(2026, 11, 29, 12, 0, 30, 0, time.UTC)
	refused, half, few, other := uuid.New(), uuid.New(), uuid.New(), uuid.New()
	ask := func(store uuid.UUID, granted, limited int) {
		for range granted {
			m.count(store, 200, at)
		}
		for range limited {
			m.count(store, 429, at)
		}
	}
	want := func(limited ...uuid.UUID) {
		t.Helper()
		all := map[uuid.UUID]bool{}
		for _, store := range limited {
			all[store] = true
		}
		for _, store := range []uuid.UUID{refused, half, few, other} {
			if got := m.limited(store, at); got != all[store] {
				t.Errorf("at %v: %v, want %v", at, got, all[store])
			}
		}
	}
	ask(refused, 4, 6)
	ask(half, 5, 5)
	ask(few, 0, limitedFrom-1)
	want()
	at = at.Add(time.Minute)
	want(refused)
	ask(half, 0, limitedFrom)
	at = at.Add(time.Minute)
	want(half)
	at = at.Add(2 * time.Minute)
	want()
}
