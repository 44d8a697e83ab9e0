package blackbox_test

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/valyala/fasthttp"

	"cartd/internal/redistest"
)

// BenchmarkCart measures whole requests: client, cartd as a process of its own and
// a real Redis (append-only file, fsync every second, limiter on) share the
// machine, 32 connections, carts of three lines. Beside the time it reports the
// CPU time of cartd and of Redis for each request, which repeats within a few per cent.
func BenchmarkCart(b *testing.B) {
	redis := redistest.Real(b, "--appendonly", "yes", "--appendfsync", "everysec")
	rig := newRig(b, start(b, options{
		redis: redis.URL(), stores: []string{storeFile(b, base(), setting("rate_limit_per_minute", 2_000_000_000))},
	}), redis)
	b.Run("read", func(b *testing.B) {
		rig.run(b, func(i uint64) (string, string, string) { return "GET", rig.carts[i%benchCarts], "" })
	})
	b.Run("change", func(b *testing.B) {
		rig.run(b, func(i uint64) (string, string, string) {
			return "PATCH", rig.lines[i%benchCarts], `{"quantity":` + strconv.FormatUint(1+i%90, 10) + `}`
		})
	})
	b.Run("change-one-hot-cart", func(b *testing.B) {
		rig.run(b, func(i uint64) (string, string, string) {
			return "PATCH", rig.lines[0], `{"quantity":` + strconv.FormatUint(1+i%90, 10) + `}`
		})
	})
}

const (
	benchCarts       = 256
	benchConnections = 32
)

// rig is a node with carts to send requests to.
type rig struct {
	node   *node
	redis  *redistest.Server
	http   fasthttp.Client
	carts  []string // URLs
	lines  []string // URLs of one line of each cart
	served atomic.Uint64
}

func newRig(b *testing.B, n *node, redis *redistest.Server) *rig {
	b.Helper()
	r := &rig{node: n, redis: redis, http: fasthttp.Client{MaxConnsPerHost: 2 * benchConnections}}
	for range benchCarts {
		cart := r.send(b, 201, "POST", n.base+"/v1/api/commerce/carts", "")
		url := n.base + "/v1/api/commerce/carts/" + cart.Data.ID
		for _, product := range []string{hammer, nails, cable} {
			cart = r.send(b, 201, "POST", url+"/lines", fmt.Sprintf(`{"product_id":%q,"quantity":1}`, product))
		}
		r.carts = append(r.carts, url)
		r.lines = append(r.lines, url+"/lines/"+cart.Data.Lines[0].ID)
	}
	return r
}

type benchCart struct {
	Data struct {
		ID    string
		Lines []struct{ ID string }
	}
}

func (r *rig) send(b testing.TB, want int, method, url, body string) (cart benchCart) {
	b.Helper()
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	if err := r.do(request, response, method, url, body); err != nil || response.StatusCode() != want {
		b.Fatalf("%s %s %s: %d %s, %v, want %d", method, url, body, response.StatusCode(), response.Body(), err, want)
	}
	if err := json.Unmarshal(response.Body(), &cart); err != nil {
		b.Fatal(err)
	}
	return cart
}

func (r *rig) do(request *fasthttp.Request, response *fasthttp.Response, method, url, body string) error {
	request.Header.SetMethod(method)
	request.SetRequestURI(url)
	request.Header.Set("Authorization", "Bearer "+keyShop)
	request.SetBodyString(body)
	return r.http.Do(request, response)
}

// run sends b.N requests over benchConnections connections; an answer that is no
// 200 ends the run.
func (r *rig) run(b *testing.B, next func(uint64) (method, url, body string)) {
	b.SetParallelism(benchConnections / runtime.GOMAXPROCS(0))
	node, redis := r.nodeCPU(b), r.redisCPU(b)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
		for pb.Next() {
			method, url, body := next(r.served.Add(1))
			if err := r.do(request, response, method, url, body); err != nil || response.StatusCode() != 200 {
				b.Errorf("%s %s %s: %d %s, %v", method, url, body, response.StatusCode(), response.Body(), err)
				return
			}
		}
	})
	b.StopTimer()
	b.ReportMetric((r.nodeCPU(b)-node)*1e6/float64(b.N), "cartd-µs/op")
	b.ReportMetric((r.redisCPU(b)-redis)*1e6/float64(b.N), "redis-µs/op")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
}

// nodeCPU is the CPU time the node's process has used, in seconds.
func (r *rig) nodeCPU(b *testing.B) float64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", r.node.Cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // behind the name
	fields := strings.Fields(rest)
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	const ticks = 100 // a second, on every Linux
	return (user + system) / ticks
}

// redisCPU is the CPU time that Redis has used, in seconds.
func (r *rig) redisCPU(b *testing.B) (seconds float64) {
	info, err := r.redis.Client().Info(b.Context(), "cpu").Result()
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name == "used_cpu_user" || name == "used_cpu_sys" {
			used, _ := strconv.ParseFloat(value, 64)
			seconds += used
		}
	}
	return seconds
}
