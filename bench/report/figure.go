package report

import (
	"fmt"
	"math"

	"cartd/bench"
)

// figure is one column of the tables: what it is, and whether more of it is better.
type figure struct {
	name string
	// of returns NaN where a run did not measure the figure.
	of     func(*bench.Result) float64
	show   func(float64) string
	higher bool
}

var (
	rate    = figure{"req/s", func(r *bench.Result) float64 { return r.Rate }, whole, true}
	success = figure{"success", (*bench.Result).Success, percent, true}
	client  = figure{"client", func(r *bench.Result) float64 { return positive(r.CPU.Client) }, decimal, false}
	// Without the server's own CPU there is no CPU of all.
	cpu    = figure{"CPU µs", func(r *bench.Result) float64 { return server.of(r) + r.CPU.Client + r.CPU.Redis }, decimal, false}
	server = figure{"server", func(r *bench.Result) float64 { return positive(r.CPU.Server) }, decimal, false}
	p50    = latency("p50", func(l bench.Latency) float64 { return l.P50 })
	p99    = latency("p99", func(l bench.Latency) float64 { return l.P99 })
	late50 = figure{"sent late p50", func(r *bench.Result) float64 { return counted(r.Late, r.Late.P50) }, duration, false}
	late99 = figure{"p99", func(r *bench.Result) float64 { return counted(r.Late, r.Late.P99) }, duration, false}
	others = figure{"others", func(r *bench.Result) float64 { return r.CPU.Others }, hundredths, false}
)

// figures are the columns.
var figures = []figure{
	rate,
	success,
	cpu,
	server,
	{"redis", func(r *bench.Result) float64 { return positive(r.CPU.Redis) }, decimal, false},
	client,
	p50,
	latency("p90", func(l bench.Latency) float64 { return l.P90 }),
	p99,
	latency("p99.9", func(l bench.Latency) float64 { return l.P999 }),
	latency("p99.99", func(l bench.Latency) float64 { return l.P9999 }),
	latency("max", func(l bench.Latency) float64 { return l.Max }),
}

func latency(name string, of func(bench.Latency) float64) figure {
	return figure{name, func(r *bench.Result) float64 { return counted(r.Latency, of(r.Latency)) }, duration, false}
}

// counted is a percentile of a distribution, if that holds anything.
func counted(l bench.Latency, value float64) float64 {
	if l.Count == 0 {
		return math.NaN()
	}
	return value
}

// positive is a figure that is 0 only where nothing measured it.
func positive(value float64) float64 {
	if value <= 0 {
		return math.NaN()
	}
	return value
}

func finite(value float64) bool { return !math.IsNaN(value) && !math.IsInf(value, 0) }

// unmeasured stands where there is no figure.
const unmeasured = "–"

// medianText is the median of values, if there are any.
func medianText(values []float64, show func(float64) string) string {
	if len(values) == 0 {
		return unmeasured
	}
	return show(bench.Median(values))
}

// percent writes a share. Only a whole one is written as 100 %.
func percent(share float64) string {
	if share == 1 {
		return "100 %"
	}
	return fmt.Sprintf("%.2f %%", math.Floor(share*1e4)/100)
}

func hundredths(f float64) string { return fmt.Sprintf("%.2f", f) }
