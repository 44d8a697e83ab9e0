package bench_test

import (
	"testing"
	"time"

	"cartd/bench"
)

// killAt ends the shop's server at its n-th request, counted from its start.
func (s *shop) killAt(n int) {
	s.pause = func(request int) {
		if request >= n {
			s.kill()
		}
	}
}

const prepared = 8 * (1 + 3) // requests for 8 carts of 3 lines

// The read-back fails. No line counts as lost or doubled because of an earlier answer.
func TestServerKilledMidRunLosesNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.killAt(prepared + 101)
	readsAndAdds := bench.Scenario{Lines: 3, Mix: []bench.Share{{Op: "read", Weight: 5}, {Op: "add", Weight: 1}}}
	r := drive(t, s, s.plan(t, readsAndAdds, 4, 8), bench.Load{Duration: time.Minute, Requests: 120}, nil)
	if r.Check.Lost != 0 || r.Check.Doubled != 0 || r.Check.Wrong != 0 || r.Check.Records == 0 || r.Check.Unread != r.Check.Records {
		t.Errorf("check is %+v, want every record unread and nothing lost", r.Check)
	}
	if r.Requests != 120 || r.Failed != 20 || r.Latency.Count != 100 {
		t.Errorf("%d requests, %d failed, %d latencies; want 120, 20, 100", r.Requests, r.Failed, r.Latency.Count)
	}
	if !has(r, "connection") || !has(r, "connection refused") {
		t.Errorf("errors are %+v, want broken and refused connections", r.Errors)
	}
}

func TestServerKilledUnderHotCart(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.killAt(1 + 3 + 51)
	r := drive(t, s, s.plan(t, scenario(t, "hot-add"), 4, 8), bench.Load{Duration: time.Minute, Requests: 60}, nil)
	if r.Check.Lost != 0 || r.Check.Doubled != 0 || r.Check.Unread != 1 || r.Failed != 10 {
		t.Errorf("check is %+v, %d failed; want the hot cart unread, nothing lost, 10 failed", r.Check, r.Failed)
	}
}

// A dead server reaches no rate. Each connection waits after a refused one.
func TestADeadServerReachesNoRate(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.killAt(prepared + 1)
	r := drive(t, s, s.plan(t, scenario(t, "read"), 2, 8), bench.Load{Duration: 300 * time.Millisecond}, nil)
	if r.Rate != 0 || r.Success() != 0 || r.Latency.Count != 0 || r.CPU.Client != 0 {
		t.Errorf("rate %v, success %v, %d latencies, client CPU %v; want none", r.Rate, r.Success(), r.Latency.Count, r.CPU.Client)
	}
	if r.Requests == 0 || r.Requests > 2*(1+3) {
		t.Errorf("%d requests in 300 ms on 2 connections, want one broken and up to 3 refused on each", r.Requests)
	}
}
