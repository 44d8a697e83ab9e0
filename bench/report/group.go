package report

import (
	"math"

	"cartd/bench"
)

// group is the repeated runs of one case on one system.
type group struct {
	Case, System string
	Runs         []*bench.Result
}

// groups collects results into groups, in the order of their first runs.
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

// values are one figure of every run that measured it.
func (g *group) values(f figure) (values []float64) {
	for _, r := range g.Runs {
		if v := f.of(r); finite(v) {
			values = append(values, v)
		}
	}
	return values
}

// text is the median of the runs that measured a figure.
func (g *group) text(f figure) string { return medianText(g.values(f), f.show) }

// check is the sum over the runs.
func (g *group) check() (sum bench.Check) {
	for _, r := range g.Runs {
		sum.Add(r.Check)
		sum.Unjudged = r.Check.Unjudged
	}
	return sum
}

// typical is the run whose 99th percentile is closest to the group's median.
func (g *group) typical() *bench.Result {
	best, nearest := g.Runs[0], math.Inf(1)
	middle := bench.Median(g.values(p99))
	for _, r := range g.Runs {
		if distance := math.Abs(p99.of(r) - middle); distance < nearest {
			best, nearest = r, distance
		}
	}
	return best
}
