//go:build long

package blackbox_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"cartd/internal/redistest"
)

// Profiles are served, the command line is not: it may hold Redis's password.
func TestLongProfiles(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: "embedded", flags: []string{"--ops-listen", "127.0.0.1:0"}})
	ops := opsOf(n)
	for path, want := range map[string]int{
		"/debug/pprof/": 200, "/debug/pprof/heap?debug=1": 200, "/debug/pprof/goroutine?debug=1": 200, "/debug/pprof/profile?seconds=1": 200,
		"/debug/pprof/cmdline": 404,
	} {
		if status, body := fetch(t, ops+path); status != want {
			t.Errorf("GET %s: got %d %.200s, want %d", path, status, body, want)
		}
	}
	n.client(t).get("/debug/pprof/").wantStatus(http.StatusNotFound)
}

// A collector gets a span of the request and one of each phase, in the trace that a trusted proxy
// names.
func TestLongTracesGoToTheCollector(t *testing.T) {
	t.Parallel()
	got := make(chan *tracepb.TracesData, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil || r.Header.Get("Content-Encoding") != "gzip" || r.Header.Get("X-Key") != "secret-key otlp" || r.Header.Get("Team") != "shop" {
			t.Errorf("POST %v: %v; want a body in gzip and the headers of the variable", r.Header, err)
		}
		body, _ := io.ReadAll(unpacked)
		data := new(tracepb.TracesData)
		if err := proto.Unmarshal(body, data); err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("POST %s %s: %v", r.URL.Path, r.Header, err)
		}
		got <- data
	}))
	defer collector.Close()
	n := start(t, options{redis: redistest.Mini(t).URL(), stores: storeFiles(t, keyShop),
		flags: []string{"--otlp", collector.URL, "--trusted-proxies", "127.0.0.0/8"},
		env:   []string{"OTEL_EXPORTER_OTLP_HEADERS=x-key=secret-key%20otlp, team=shop", "OTEL_SERVICE_NAME=shop-carts"}})
	asked, _ := http.NewRequest(http.MethodPost, n.base+"/v1/api/commerce/carts", nil)
	asked.Header = http.Header{"Authorization": {"Bearer " + keyAll}, "Traceparent": {"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}}
	answer, err := http.DefaultClient.Do(asked)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	n.Stop() // which sends what waits
	spans := map[string]*tracepb.Span{}
	for len(spans) < 5 {
		select {
		case data := <-got:
			if text := data.ResourceSpans[0].Resource.String(); !strings.Contains(text, `"shop-carts"`) || !strings.Contains(text, `"service.instance.id"`) {
				t.Errorf("the resource is %s, want the service shop-carts with the id of its instance", text)
			}
			for _, span := range data.ResourceSpans[0].ScopeSpans[0].Spans {
				spans[span.Name] = span
			}
		case <-time.After(pollWithin):
			t.Fatalf("got %v", slices.Collect(maps.Keys(spans)))
		}
	}
	root := spans["POST /v1/api/commerce/carts"]
	for _, name := range []string{"route", "judge", "visit", "encode"} {
		span := spans[name]
		if root == nil || span == nil || string(span.ParentSpanId) != string(root.SpanId) || span.StartTimeUnixNano < root.StartTimeUnixNano ||
			span.EndTimeUnixNano > root.EndTimeUnixNano {
			t.Errorf("%s: got %v, want a span within %v", name, span, root)
		}
	}
	if want := "\x4b\xf9\x2f\x35\x77\xb3\x4d\xa6\xa3\xce\x92\x9d\x0e\x0e\x47\x36"; root != nil && string(root.TraceId) != want {
		t.Errorf("the trace is %x, want the proxy's", root.TraceId)
	}
}

// A collector that is away costs a request nothing.
func TestLongAbsentCollectorIsLogged(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: "embedded", flags: []string{"--otlp", "http://" + closedAddr(t)}, env: []string{"OTEL_BSP_SCHEDULE_DELAY=10"}})
	n.client(t).get("/v1/ping").wantStatus(http.StatusOK)
	poll(t, "the line", func() bool { return strings.Contains(n.Log.String(), "traces are lost") })
	if code := n.Stop(); code != 0 {
		t.Errorf("exit %d, want 0", code)
	}
}

// /readyz says that Redis is away, and that the node drains.
func TestLongReadinessNamesItsReason(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop), flags: []string{"--redis-timeout", "250ms", "--drain-delay", "10s"}})
	reason := func() string {
		_, body := fetch(t, n.base+"/readyz")
		var text struct{ Message, Reason string }
		if err := json.Unmarshal([]byte(body), &text); err != nil {
			t.Fatal(err)
		}
		return text.Reason
	}
	r.Kill()
	n.client(t).withKey(keyAll).get("catalog/products").wantStatus(http.StatusServiceUnavailable)
	poll(t, "redis_away", func() bool { return reason() == "redis_away" })
	n.send(t, syscall.SIGTERM)
	poll(t, "draining", func() bool { return reason() == "draining" })
}
