package blackbox_test

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/valyala/fasthttp"

	"cartd/internal/redistest"
)

// BenchmarkRetry measures what an Idempotency-Key, a customer token and an If-Match cost a change,
// beside the same change without them, in the manner of BenchmarkCart.
func BenchmarkRetry(b *testing.B) {
	redis := redistest.Real(b, "--appendonly", "yes", "--appendfsync", "everysec")
	rig := newRig(b, start(b, options{
		redis: redis.URL(), stores: []string{storeFile(b, base(), setting("rate_limit_per_minute", 2_000_000_000))},
	}), redis)
	for _, c := range []struct {
		name   string
		header func(request *fasthttp.Request, i string)
	}{
		{"change", func(*fasthttp.Request, string) {}},
		{"change-with-key", func(r *fasthttp.Request, i string) { r.Header.Set("Idempotency-Key", i) }},
		{"change-with-token", func(r *fasthttp.Request, _ string) { r.Header.Set("X-Customer-Token", tokenAda) }},
		{"change-repeated", func(r *fasthttp.Request, _ string) { r.Header.Set("Idempotency-Key", "again") }},
		{"change-with-match", func(r *fasthttp.Request, _ string) { r.Header.Set("If-Match", "*") }},
	} {
		b.Run(c.name, func(b *testing.B) { rig.change(b, c.header) })
	}
}

// change sets lines to 7, b.N times, with a header that is given the request's number.
func (r *rig) change(b *testing.B, header func(*fasthttp.Request, string)) {
	b.SetParallelism(benchConnections / runtime.GOMAXPROCS(0))
	node, redis := r.nodeCPU(b), r.redisCPU(b)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse(); pb.Next(); {
			i := r.served.Add(1)
			header(request, strconv.FormatUint(i, 10))
			if err := r.do(request, response, "PATCH", r.lines[i%benchCarts], `{"quantity":7}`); err != nil || response.StatusCode() != 200 {
				b.Errorf("change %d: %d %s, %v", i, response.StatusCode(), response.Body(), err)
				return
			}
		}
	})
	b.StopTimer()
	b.ReportMetric((r.nodeCPU(b)-node)*1e6/float64(b.N), "cartd-µs/op")
	b.ReportMetric((r.redisCPU(b)-redis)*1e6/float64(b.N), "redis-µs/op")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
}
