package blackbox_test

import (
	"encoding/json"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/valyala/fasthttp"

	"cartd/bench"
	"cartd/bench/shopper"
	"cartd/internal/process"
)

const (
	benchCarts       = 256
	benchConnections = 32
)

// BenchmarkChange measures a line change with a key, a token, a condition or tracked stock, and a
// plain one to compare with. It uses 32 connections, carts of three lines, and cartd and a real
// Redis (append-only file, fsync every second) on one machine. It also reports the CPU time of
// cartd and of Redis for each request, which repeats within a few per cent.
func BenchmarkChange(b *testing.B) {
	stock := func(onHand string) func(object) {
		return func(document object) {
			changed(hammer, "track_stock", true)(document)
			changed(hammer, "stock", onHand)(document)
		}
	}
	for _, c := range []struct {
		name   string
		change func(object)
		header func(r *fasthttp.Request, i, quantity string)
	}{
		{"plain", nil, nil},
		{"with a key", nil, func(r *fasthttp.Request, i, _ string) { r.Header.Set("Idempotency-Key", i) }},
		{"with a token", nil, func(r *fasthttp.Request, _, _ string) { r.Header.Set("X-Customer-Token", tokenAda) }},
		{"repeated", nil, func(r *fasthttp.Request, _, quantity string) { r.Header.Set("Idempotency-Key", "again "+quantity) }},
		{"with If-Match", nil, func(r *fasthttp.Request, _, _ string) { r.Header.Set("If-Match", "*") }},
		{"of tracked stock", stock("9000000"), nil},
		{"of short stock", stock("100"), nil},
	} {
		b.Run(c.name, func(b *testing.B) {
			document := base()
			setting("rate_limit_per_minute", 2_000_000_000)(document)
			if c.change != nil {
				c.change(document)
			}
			benchmarkChange(b, storeFile(b, document), c.header)
		})
	}
}

func benchmarkChange(b *testing.B, store string, header func(r *fasthttp.Request, i, quantity string)) {
	redis := process.NewRedis(b.TempDir(), "--appendonly", "yes", "--appendfsync", "everysec")
	b.Cleanup(redis.Kill)
	if err := redis.Start(); err != nil {
		b.Fatal(err)
	}
	n := start(b, options{redis: redis.URL(), stores: []string{store}})
	lines := benchLines(b, n.way)
	node, server := bench.CPUTime(n.ID()), bench.CPUTime(redis.ID())
	var served atomic.Uint64
	b.SetParallelism(benchConnections / runtime.GOMAXPROCS(0))
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse(); pb.Next(); {
			i := served.Add(1)
			quantity := strconv.FormatUint(1+i/benchCarts%2, 10)
			request.Header.SetMethod("PATCH")
			request.SetRequestURI(n.base + lines[i%benchCarts])
			request.Header.Set("Authorization", "Bearer "+keyShop)
			request.SetBodyString(`{"quantity":` + quantity + `}`)
			if header != nil {
				header(request, strconv.FormatUint(i, 10), quantity)
			}
			if err := n.way.Do(request, response); err != nil || response.StatusCode() != 200 {
				b.Errorf("change %d: %d %s, %v", i, response.StatusCode(), response.Body(), err)
				return
			}
		}
	})
	b.StopTimer()
	b.ReportMetric(float64((bench.CPUTime(n.ID())-node).Microseconds())/float64(b.N), "cartd-µs/op")
	b.ReportMetric(float64((bench.CPUTime(redis.ID())-server).Microseconds())/float64(b.N), "redis-µs/op")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
}

// benchLines makes carts of three lines and returns the path of one line of each.
func benchLines(b *testing.B, way *shopper.Client) (lines []string) {
	b.Helper()
	for range benchCarts {
		var cart struct {
			Data struct {
				ID    string
				Lines []struct{ ID string }
			}
		}
		path := "/v1/api/commerce/carts"
		for i, body := range []string{"", addBody(nails, "1"), addBody(cable, "1"), addBody(hammer, "1")} {
			if i == 1 {
				path += "/" + cart.Data.ID + "/lines"
			}
			a, err := way.Send(&shopper.Request{Method: "POST", Path: path, Body: body, Key: keyShop})
			if err != nil || a.Status != 201 || json.Unmarshal(a.Body, &cart) != nil {
				b.Fatalf("POST %s %s: %v, %d %s", path, body, err, a.Status, a.Body)
			}
		}
		lines = append(lines, path+"/"+cart.Data.Lines[2].ID)
	}
	return lines
}
