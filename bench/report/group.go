package report

import "cartd/bench"

// group is the repeated runs of one case on one system.
type group struct {
	Case, System string
	Runs         []*bench.Result
}

// groups gathers results in the order of their first runs.
func groups(results []bench.Result) (all []*group) {
	for i := range results {
		r := &results[i]
		g := find(all, r.Case, r.System)
		if g == nil {
			g = &group{Case: r.Case, System: r.System}
			all = append(all, g)
		}
		g.Runs = append(g.Runs, r)
	}
	return all
}

func find(all []*group, name, system string) *group {
	for _, g := range all {
		if g.Case == name && g.System == system {
			return g
		}
	}
	return nil
}

// values are one figure of every run.
func (g *group) values(of func(*bench.Result) float64) (values []float64) {
	for _, r := range g.Runs {
		values = append(values, of(r))
	}
	return values
}

func (g *group) median(of func(*bench.Result) float64) float64 { return bench.Median(g.values(of)) }

// typical is the run whose 99th percentile is the median of the group's, or next to it.
func (g *group) typical() *bench.Result {
	best := g.Runs[0]
	middle := g.median(p99.of)
	for _, r := range g.Runs {
		if distance(p99.of(r), middle) < distance(p99.of(best), middle) {
			best = r
		}
	}
	return best
}

func distance(a, b float64) float64 { return max(a-b, b-a) }

// figure is one column of the tables: what it is, and whether more of it is better.
type figure struct {
	name   string
	of     func(*bench.Result) float64
	show   func(float64) string
	higher bool
}

var (
	rate = figure{"req/s", func(r *bench.Result) float64 { return r.Rate }, whole, true}
	p99  = figure{"p99", func(r *bench.Result) float64 { return r.Latency.P99 }, duration, false}
)

// figures are the columns.
var figures = []figure{
	rate,
	{"CPU µs", func(r *bench.Result) float64 { return r.CPU.Total() }, decimal, false},
	{"server", func(r *bench.Result) float64 { return r.CPU.Server }, decimal, false},
	{"redis", func(r *bench.Result) float64 { return r.CPU.Redis }, decimal, false},
	{"client", func(r *bench.Result) float64 { return r.CPU.Client }, decimal, false},
	{"p50", func(r *bench.Result) float64 { return r.Latency.P50 }, duration, false},
	{"p90", func(r *bench.Result) float64 { return r.Latency.P90 }, duration, false},
	p99,
	{"p99.9", func(r *bench.Result) float64 { return r.Latency.P999 }, duration, false},
	{"p99.99", func(r *bench.Result) float64 { return r.Latency.P9999 }, duration, false},
	{"max", func(r *bench.Result) float64 { return r.Latency.Max }, duration, false},
}
