package httpserver

import (
	"testing"
	"time"

	"github.com/valyala/fasthttp"
)

// BenchmarkObserve measures the metrics of a request: its id, in flight, its status and duration.
func BenchmarkObserve(b *testing.B) {
	server := New(Config{Engine: newFakeEngine()})
	var ctx fasthttp.RequestCtx
	for b.Loop() {
		server.metrics.inFlight.Add(1)
		x := server.begin(&ctx, time.Now())
		x.series = server.metrics.table[&routes[0]]
		server.readProxyHeaders(x)
		server.finish(x)
		server.metrics.inFlight.Add(-1)
	}
}

// BenchmarkExchange is the comparison: an exchange is begun and released.
func BenchmarkExchange(b *testing.B) {
	server := New(Config{Engine: newFakeEngine()})
	var ctx fasthttp.RequestCtx
	for b.Loop() {
		server.begin(&ctx, time.Now()).release()
	}
}
