package bench_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"cartd/bench"
)

const patience = 20 * time.Second

// drive prepares a world, then sets the shop's faults, loads the world and reads it back.
func drive(t *testing.T, s *shop, plan bench.Plan, load bench.Load, twist func(int) twist) *bench.Result {
	t.Helper()
	world, err := bench.NewWorld(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	defer world.Close()
	s.mu.Lock()
	s.twist, s.writes = twist, 0
	s.mu.Unlock()
	result, err := world.Run(t.Context(), load)
	if err != nil {
		t.Fatal(err)
	}
	if err := world.Verify(t.Context(), &result.Check); err != nil {
		t.Fatal(err)
	}
	return result
}

// short sends 250 requests, however slow the machine is.
var short = bench.Load{Duration: time.Minute, Requests: 250}

func TestAnHonestShopPassesEveryScenario(t *testing.T) {
	for _, c := range []struct {
		scenario    bench.Scenario
		connections int
	}{
		{scenario(t, "create"), 2},
		{scenario(t, "read"), 4},
		{scenario(t, "add"), 4},
		{scenario(t, "change"), 4},
		{scenario(t, "remove"), 4},
		{scenario(t, "hot"), 8},
		{scenario(t, "hot-add"), 8},
		{bench.Scenario{Name: "all", Lines: 2, Extra: 2, Mix: []bench.Share{{Op: "read", Weight: 2}, {Op: "add", Weight: 2}, {Op: "change", Weight: 1},
			{Op: "remove", Weight: 1}, {Op: "create", Weight: 1}}}, 4},
	} {
		t.Run(c.scenario.Name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			r := drive(t, s, s.plan(t, c.scenario, c.connections, 8), short, nil)
			if !r.Check.OK() || len(r.Errors) > 0 || r.Requests == 0 || r.Check.Records == 0 {
				t.Errorf("an honest shop: %+v, errors %+v, %d requests", r.Check, r.Errors, r.Requests)
			}
		})
	}
}

func TestTheFaultsOfAShopAreFound(t *testing.T) {
	every := func(n int, w twist) func(int) twist {
		return func(write int) twist {
			if write%n == 0 {
				return w
			}
			return twist{}
		}
	}
	lost := func(r *bench.Result) bool { return r.Check.Lost > 0 }
	for _, c := range []struct {
		name     string
		scenario string
		twist    func(int) twist
		found    func(*bench.Result) bool
		right    bool // the run must still be right
	}{
		{"a change answered and not done", "change", every(2, twist{skip: true}), lost, false},
		{"an add answered and not done", "hot-add", every(9, twist{skip: true}), lost, false},
		{"an add done twice", "hot-add", every(9, twist{double: true}), func(r *bench.Result) bool { return r.Check.Doubled > 0 }, false},
		{"an add done twice on carts of one's own", "add", every(9, twist{double: true}), func(r *bench.Result) bool { return has(r, "wrong quantity") }, false},
		{"a cent too much", "change", every(9, twist{cents: 1}), func(r *bench.Result) bool { return has(r, "wrong line total") }, false},
		{"a change refused as unknown", "change", every(9, twist{before: http.StatusNotFound}),
			func(r *bench.Result) bool { return has(r, "wrong status 404") }, false},
		{"refused, not done", "add", every(9, twist{before: http.StatusServiceUnavailable}),
			func(r *bench.Result) bool { return has(r, "status 503") && r.Failures() > 0 }, true},
		{"failed, not done", "hot-add", every(9, twist{before: http.StatusGatewayTimeout}), func(r *bench.Result) bool { return has(r, "status 504") }, true},
		{"failed, done", "hot-add", every(9, twist{after: http.StatusGatewayTimeout}), func(r *bench.Result) bool { return has(r, "status 504") }, true},
		{"failed, done, on carts of one's own", "add", every(9, twist{after: http.StatusGatewayTimeout}),
			func(r *bench.Result) bool { return has(r, "status 504") }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			r := drive(t, s, s.plan(t, scenario(t, c.scenario), 4, 8), short, c.twist)
			if !c.found(r) || r.Check.OK() != c.right {
				t.Errorf("check %+v (right: %t, want %t), errors %+v", r.Check, r.Check.OK(), c.right, r.Errors)
			}
			d := bench.Document{Results: []bench.Result{*r}}
			if faults := d.OK(0); len(faults) == 0 {
				t.Error("the run did not fail")
			}
			if faults := d.OK(1 << 40); (len(faults) == 0) != c.right {
				t.Errorf("with errors allowed the run has the faults %q, want none: %t", faults, c.right)
			}
		})
	}
}

func has(r *bench.Result, kind string) bool {
	return slices.ContainsFunc(r.Errors, func(e bench.ErrorCount) bool { return e.Kind == kind && e.Count > 0 && e.Example != "" })
}

// A seed decides what each connection sends, one request after the other.
func TestASeedDecidesTheRequests(t *testing.T) {
	t.Parallel()
	logs := [3][]string{}
	for i, seed := range []uint64{3, 3, 4} {
		s := newShop(t)
		plan := s.plan(t, bench.Scenario{Lines: 2, Extra: 2, Mix: []bench.Share{{Op: "add", Weight: 2}, {Op: "change", Weight: 1}, {Op: "remove", Weight: 1}}}, 1, 3)
		plan.Seed = seed
		drive(t, s, plan, bench.Load{Duration: time.Minute, Requests: 60}, nil)
		logs[i] = s.log
	}
	n := min(len(logs[0]), len(logs[1]), len(logs[2]))
	if n < 20 || !slices.Equal(logs[0][:n], logs[1][:n]) {
		t.Errorf("the same seed sent %d and %d writes that differ:\n%.20q\n%.20q", len(logs[0]), len(logs[1]), logs[0], logs[1])
	}
	if slices.Equal(logs[0][:n], logs[2][:n]) {
		t.Error("another seed sent the same")
	}
}

// In an open loop, a stall of a second is in the percentiles, because all requests due meanwhile had
// to wait. A closed loop does not send them and does not show the stall.
func TestAStallIsInThePercentiles(t *testing.T) {
	t.Run("open loop", testStallInOpenLoop)
	t.Run("closed loop", testStallInClosedLoop)
}

const stall = time.Second

// newStallingShop is a shop that stalls once, at its hundredth request.
func newStallingShop(t *testing.T) *shop {
	s := newShop(t)
	var stalled chan struct{}
	s.pause = func(request int) {
		s.mu.Lock()
		if request == 100 {
			stalled = make(chan struct{})
			time.AfterFunc(stall, func() { close(stalled) })
		}
		gate := stalled
		s.mu.Unlock()
		if gate != nil {
			<-gate
		}
	}
	return s
}

func testStallInOpenLoop(t *testing.T) {
	t.Parallel()
	s := newStallingShop(t)
	open := drive(t, s, s.plan(t, scenario(t, "read"), 8, 8), bench.Load{Rate: 400, Duration: 1500 * time.Millisecond}, nil)
	if open.Latency.Max < 0.9e6 || open.Latency.P90 < 0.5e6 || open.Latency.P50 < 0.1e6 {
		t.Errorf("open loop: p50 %.0f µs, p90 %.0f µs, max %.0f µs after a stall of %v in 1.5 s", open.Latency.P50, open.Latency.P90, open.Latency.Max, stall)
	}
	if open.Latency.Count != 600 || open.RateAsked != 400 {
		t.Errorf("open loop: %d requests were due at %v a second, want 600 at 400", open.Latency.Count, open.RateAsked)
	}
}

func testStallInClosedLoop(t *testing.T) {
	t.Parallel()
	s := newStallingShop(t)
	closed := drive(t, s, s.plan(t, scenario(t, "read"), 8, 8), bench.Load{Duration: time.Minute, Requests: 300}, nil)
	if closed.Latency.P90 > 0.5e6 || closed.Latency.Max < 0.9e6 {
		t.Errorf("closed loop: p90 %.0f µs, max %.0f µs: it should not show requests that it does not send", closed.Latency.P90, closed.Latency.Max)
	}
}

func TestInvalidPlansAreRefused(t *testing.T) {
	s := newShop(t)
	for name, spoil := range map[string]func(*bench.Plan){
		"an operation the adapter lacks": func(p *bench.Plan) { p.Scenario = scenario(t, "addresses") },
		"more connections than carts":    func(p *bench.Plan) { p.Connections = 9 },
		"no connection":                  func(p *bench.Plan) { p.Connections = 0 },
		"more lines than articles":       func(p *bench.Plan) { p.Scenario = scenario(t, "add-100") },
		"a target that is no address":    func(p *bench.Plan) { p.Target = "shop" },
		"a hot cart with removals":       func(p *bench.Plan) { p.Scenario.Hot, p.Scenario.Mix = true, []bench.Share{{Op: "remove", Weight: 1}} },
		"a target that does not answer":  func(p *bench.Plan) { p.Target = "http://127.0.0.1:1" },
	} {
		plan := s.plan(t, scenario(t, "read"), 2, 8)
		spoil(&plan)
		if _, err := bench.NewWorld(t.Context(), plan); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
