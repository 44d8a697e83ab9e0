package httpserver

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cartd/engine"
)

const sentTrace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// fromProxy are the headers that are read from trusted proxies only.
var fromProxy = []string{"X-Request-Id: front-17", "X-Server-Timing: 1", "traceparent: " + sentTrace, "tracestate: a=b"}

// peer is the address of the harness's clients: they have none.
var peer = netip.MustParsePrefix("0.0.0.0/32")

func TestHeadersOfATrustedProxyAreUsed(t *testing.T) {
	var traces []*Trace
	h := start(t, func(c *Config) {
		c.TrustedProxies = []netip.Prefix{peer}
		c.Trace = func(trace *Trace) { traces = append(traces, trace) }
	})
	got := h.do(call{method: "GET", path: cartsPath + "/" + testCart, header: fromProxy})
	if id := got.header.Get("X-Request-Id"); id != "front-17" {
		t.Errorf("X-Request-Id: got %q, want the proxy's", id)
	}
	if timing := got.header.Get("Server-Timing"); !regexp.MustCompile(
		`^route;dur=[0-9.]+, judge;dur=[0-9.]+, visit;dur=[0-9.]+, encode;dur=[0-9.]+, total;dur=[0-9.]+$`).MatchString(sortedTiming(timing)) {
		t.Errorf("Server-Timing: got %q", timing)
	}
	for _, probe := range []string{"/readyz", "/healthz"} { // not traced
		h.do(call{method: "GET", path: probe, anonymous: true, header: fromProxy})
	}
	h.stop()
	if len(traces) != 1 {
		t.Fatalf("got %d traces, want 1", len(traces))
	}
	trace := traces[0]
	if trace.Parent != sentTrace || trace.State != "a=b" || trace.RequestID != "front-17" || trace.Route != cartPath || trace.Status != 200 ||
		trace.Store != sampleStore().ID.String() {
		t.Errorf("got %+v", trace)
	}
	var names []string
	for _, phase := range trace.Phases {
		names = append(names, phase.Name)
		if phase.Ended.Before(phase.Began) || phase.Began.Before(trace.Began) || phase.Ended.After(trace.Ended) {
			t.Errorf("%s is not within the request", phase.Name)
		}
	}
	for _, want := range []string{phaseRoute, engine.PhaseJudge, engine.PhaseVisit, phaseEncode} {
		if !slices.Contains(names, want) {
			t.Errorf("phases: got %q, want %s", names, want)
		}
	}
}

// sortedTiming sorts the phases: a read visits first, a write judges first.
func sortedTiming(text string) string {
	parts, order := strings.Split(text, ", "), []string{"route", "judge", "visit", "encode", "total"}
	slices.SortFunc(parts, func(a, b string) int {
		return slices.Index(order, strings.Split(a, ";")[0]) - slices.Index(order, strings.Split(b, ";")[0])
	})
	return strings.Join(parts, ", ")
}

// The time of these answers must not show whether an address is known.
func TestConstantTimeHasNoServerTiming(t *testing.T) {
	h := start(t, func(c *Config) { c.TrustedProxies = []netip.Prefix{peer} })
	for path, body := range map[string]string{
		"login": `{"email":"a@b","password":"12345678"}`, "register": `{"email":"a@b","password":"12345678"}`, "forgot-password": `{"email":"a@b"}`,
		"reset-password": `{"email":"a@b","token":"x","password":"12345678","password_confirmation":"12345678"}`,
	} {
		got := h.do(call{method: "POST", path: "/v1/api/contacts/" + path, body: body, header: fromProxy})
		if timing := got.header.Get("Server-Timing"); timing != "" || got.header.Get("X-Request-Id") != "front-17" {
			t.Errorf("%s: %d with Server-Timing %q", path, got.status, timing)
		}
	}
}

// The headers of a client that is no trusted proxy are ignored.
func TestHeadersOfOthersAreIgnored(t *testing.T) {
	var trace *Trace
	h := start(t, func(c *Config) { c.Trace = func(given *Trace) { trace = given } })
	got := h.do(call{method: "GET", path: "/v1/ping", header: fromProxy})
	if id := got.header.Get("X-Request-Id"); id == "front-17" || id == "" || got.header.Get("Server-Timing") != "" {
		t.Errorf("got X-Request-Id %q, Server-Timing %q; want an own id and none", id, got.header.Get("Server-Timing"))
	}
	h.stop()
	if trace == nil || trace.Parent != "" || trace.State != "" {
		t.Errorf("got %+v, want a trace of its own", trace)
	}
}

// An id that could break a log line, or is empty or too long, is not used.
func TestRequestIDsOfAProxyArePlain(t *testing.T) {
	h := start(t, func(c *Config) { c.TrustedProxies = []netip.Prefix{peer} })
	for _, sent := range []string{"", "a b", "\xc3\xa4", strings.Repeat("a", maxRequestID+1)} {
		got := h.do(call{method: "GET", path: "/v1/ping", header: []string{"X-Request-Id: " + sent}})
		if id := got.header.Get("X-Request-Id"); len(id) != 36 {
			t.Errorf("sent %q: got %q, want an own id", sent, id)
		}
	}
	longest := strings.Repeat("a", maxRequestID)
	if got := h.do(call{method: "GET", path: "/v1/ping", header: []string{"X-Request-Id: " + longest}}); got.header.Get("X-Request-Id") != longest {
		t.Errorf("got %q, want the longest id", got.header.Get("X-Request-Id"))
	}
}

// Request ids are random: two in a row share nothing.
func TestRequestIDsAreRandom(t *testing.T) {
	h := start(t)
	first := h.do(call{method: "GET", path: "/v1/ping"}).header.Get("X-Request-Id")
	second := h.do(call{method: "GET", path: "/v1/ping"}).header.Get("X-Request-Id")
	if len(first) != 36 || first[:8] == second[:8] || first[24:] == second[24:] {
		t.Errorf("got %s and %s", first, second)
	}
}
