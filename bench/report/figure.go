package report

import (
	"fmt"
	"math"

	"cartd/bench"
)

// figure is one column of the tables: its name, its value, and whether a higher value is better.
type figure struct {
	name string
	// of returns NaN if a run did not measure the figure.
	of     func(*bench.Result) float64
	show   func(float64) string
	higher bool
}

var (
	rate    = figure{"req/s", func(r *bench.Result) float64 { return r.Rate }, rateText, true}
	success = figure{"success", (*bench.Result).Success, percent, true}
	client  = figure{"client", func(r *bench.Result) float64 { return positive(r.CPU.Client) }, decimal, false}
	// The CPU of all is unknown if the server's CPU is unknown.
	cpu    = figure{"CPU µs", func(r *bench.Result) float64 { return server.of(r) + r.CPU.Client + r.CPU.Redis }, decimal, false}
	server = figure{"server", func(r *bench.Result) float64 { return positive(r.CPU.Server) }, decimal, false}
	p50    = latency("p50", func(l bench.Latency) float64 { return l.P50 })
	p99    = latency("p99", func(l bench.Latency) float64 { return l.P99 })
	late50 = figure{"sent late p50", func(r *bench.Result) float64 { return counted(r.Late, r.Late.P50) }, duration, false}
	own99  = figure{"own p99", func(r *bench.Result) float64 { return counted(r.OwnLate, r.OwnLate.P99) }, duration, false}
	sent99 = figure{"from send p99", func(r *bench.Result) float64 { return counted(r.FromSend, r.FromSend.P99) }, duration, false}
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
	sent99,
	{"server MiB", func(r *bench.Result) float64 { return positive(float64(r.Memory.Server) / mebibyte) }, decimal, false},
	{"redis MiB", func(r *bench.Result) float64 { return positive(float64(r.Memory.Redis) / mebibyte) }, decimal, false},
}

const mebibyte = 1 << 20

func latency(name string, of func(bench.Latency) float64) figure {
	return figure{name, func(r *bench.Result) float64 { return counted(r.Latency, of(r.Latency)) }, duration, false}
}

// counted is a percentile of a distribution, NaN if the distribution is empty.
func counted(l bench.Latency, value float64) float64 {
	if l.Count == 0 {
		return math.NaN()
	}
	return value
}

// positive is a figure that is 0 only if it was not measured. It is then NaN.
func positive(value float64) float64 {
	if value <= 0 {
		return math.NaN()
	}
	return value
}

func finite(value float64) bool { return !math.IsNaN(value) && !math.IsInf(value, 0) }

// unmeasured is shown in place of a missing figure.
const unmeasured = "–"

// medianText is the median of values, a dash if there are none.
func medianText(values []float64, show func(float64) string) string {
	if len(values) == 0 {
		return unmeasured
	}
	return show(bench.Median(values))
}

// percent writes a share, rounded down: only a share of 1 is 100 %.
func percent(share float64) string {
	if share == 1 {
		return "100 %"
	}
	return fmt.Sprintf("%.2f %%", math.Floor(share*1e4)/100)
}

func hundredths(f float64) string { return fmt.Sprintf("%.2f", f) }
