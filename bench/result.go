package bench

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Result is one measured run, as --json writes it. Durations in it are microseconds.
type Result struct {
	Case   string `json:"case"`
	System string `json:"system"`
	Spec   Spec   `json:"spec"`

	Started  time.Time `json:"started"`
	Seconds  float64   `json:"seconds"` // length of the measured part, until the last answer
	Requests int64     `json:"requests"`
	// Failed is the number of requests without a right answer, including unsent ones.
	Failed int64 `json:"failed"`
	// RateAsked is 0 in a closed loop.
	RateAsked float64 `json:"rate_asked"`
	// Rate and the latencies count only successes.
	Rate float64 `json:"rate"`

	Latency Latency            `json:"latency"`
	ByOp    map[string]Latency `json:"by_operation"`
	// Late is the time from the intended to the real send time. OwnLate is the part of it in which the
	// connection was free: the client's own delay. In the rest every connection waited for an answer.
	Late    Latency `json:"late"`
	OwnLate Latency `json:"own_late"`
	// FromSend is the time from the real send time to the answer. In a closed loop it is Latency.
	FromSend Latency      `json:"from_send"`
	CPU      CPU          `json:"cpu"`
	Memory   Memory       `json:"memory"`
	Errors   []ErrorCount `json:"errors"`
	Timeline Timeline     `json:"timeline"`
	Check    Check        `json:"check"`
	// Flash is the outcome of a flash sale, nil for other runs.
	Flash *Flash `json:"flash,omitempty"`
	// Crawl says who was refused beside crawlers, nil for other runs.
	Crawl *Crawl `json:"crawl,omitempty"`
}

// Spec is the plan and the load of a run.
type Spec struct {
	Target      string        `json:"target"`
	Adapter     string        `json:"adapter"`
	Scenario    Scenario      `json:"scenario"`
	Connections int           `json:"connections"`
	Carts       int           `json:"carts"`
	Stores      int           `json:"stores"`
	Duration    time.Duration `json:"duration_ns"`
	Ramp        time.Duration `json:"ramp_ns"`
	Requests    int64         `json:"requests,omitempty"` // that end a closed loop
	Seed        uint64        `json:"seed"`
	Roam        bool          `json:"roam,omitempty"`
	Timeout     time.Duration `json:"timeout_ns,omitempty"` // 0 in documents of older harnesses
}

// Latency is a distribution, in microseconds.
type Latency struct {
	Count int64   `json:"count"`
	Mean  float64 `json:"mean_us"`
	P50   float64 `json:"p50_us"`
	P90   float64 `json:"p90_us"`
	P99   float64 `json:"p99_us"`
	P999  float64 `json:"p99_9_us"`
	P9999 float64 `json:"p99_99_us"`
	Max   float64 `json:"max_us"`
	Curve []Point `json:"curve,omitempty"`
}

// Point is a percentile and its latency in microseconds.
type Point struct {
	Percentile float64 `json:"p"`
	Latency    float64 `json:"us"`
}

// CPU is the processor time of a successful request in microseconds, as the processes account for
// it. A value is 0 if it was not measured.
type CPU struct {
	Client float64 `json:"client_us"`
	Server float64 `json:"server_us"`
	Redis  float64 `json:"redis_us"`
	// Others is the number of processors that all other processes kept busy.
	Others float64 `json:"others"`
}

// Total is the processor time of a request on the whole machine, including the client's share.
func (c CPU) Total() float64 { return c.Client + c.Server + c.Redis }

// Memory is the resident memory at the end of the run, in bytes.
type Memory struct {
	Server int64 `json:"server"`
	Redis  int64 `json:"redis"`
}

// ErrorCount is a kind of error with its count and an example.
type ErrorCount struct {
	Kind    string `json:"kind"`
	Count   int64  `json:"count"`
	Example string `json:"example"`
	// Wrong is true for answers that contradict an acknowledged write. The other errors come from a
	// server that refuses, fails or is unreachable.
	Wrong bool `json:"wrong"`
}

// Timeline is the run in slices.
type Timeline struct {
	Width    float64   `json:"width_seconds"`
	Rate     []float64 `json:"rate"`
	Errors   []float64 `json:"errors_per_second"`
	Slowest  []float64 `json:"slowest_us"`
	P50      []float64 `json:"p50_us"` // to 5 %, like P99; 0 in a slice without a success
	P99      []float64 `json:"p99_us"`
	Measured float64   `json:"measured_from_seconds"`
}

// Check counts the comparisons of a run.
type Check struct {
	Answers int64 `json:"answers"`
	Wrong   int64 `json:"wrong"`
	// Records is the number of records that were read back and compared at the end.
	Records int64 `json:"records"`
	Lost    int64 `json:"lost"`
	Doubled int64 `json:"doubled"`
	Unread  int64 `json:"unread"`
	// Unjudged is true for a system that is no cart (the floor): its statuses are checked, its
	// contents are read but not compared.
	Unjudged bool `json:"unjudged,omitempty"`
	// Examples tell what was wrong with the first lost orders.
	Examples []string `json:"examples,omitempty"`
}

// Add adds the counts of another check.
func (c *Check) Add(other Check) {
	c.Answers += other.Answers
	c.Wrong += other.Wrong
	c.Records += other.Records
	c.Lost += other.Lost
	c.Doubled += other.Doubled
	c.Unread += other.Unread
	const maxExamples = 3
	if len(c.Examples) < maxExamples {
		c.Examples = append(c.Examples, other.Examples[:min(len(other.Examples), maxExamples-len(c.Examples))]...)
	}
}

// OK reports whether all contents were as acknowledged.
func (c Check) OK() bool { return c.Wrong == 0 && c.Lost == 0 && c.Doubled == 0 && c.Unread == 0 }

// Success is the share of successful requests, NaN if there were no requests.
func (r *Result) Success() float64 { return float64(r.Requests-r.Failed) / float64(r.Requests) }

// Failures counts the errors that are not wrong answers.
func (r *Result) Failures() (n int64) {
	for _, e := range r.Errors {
		if !e.Wrong {
			n += e.Count
		}
	}
	return n
}

const microsecond = float64(time.Microsecond)

// sampleTimeout is the maximum time of one answer to a sample request.
const sampleTimeout = 10 * time.Second

// percentiles are the points of the curves, close together in the tail.
var percentiles = []float64{
	0, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 92.5, 95, 96, 97, 98, 98.5, 99, 99.25, 99.5, 99.6, 99.7, 99.8, 99.85, 99.9, 99.925, 99.95,
	99.96, 99.97, 99.98, 99.985, 99.99,
}

// latencyOf reads a histogram of nanoseconds.
func latencyOf(h *hdrhistogram.Histogram, curve bool) Latency {
	at := func(p float64) float64 { return float64(h.ValueAtPercentile(p)) / microsecond }
	l := Latency{
		Count: h.TotalCount(), Mean: h.Mean() / microsecond, P50: at(50), P90: at(90), P99: at(99), P999: at(99.9), P9999: at(99.99),
		Max: float64(h.Max()) / microsecond,
	}
	if curve && l.Count > 0 {
		for _, p := range percentiles {
			l.Curve = append(l.Curve, Point{p, at(p)})
		}
	}
	return l
}
