package bench

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Latencies are kept in nanoseconds with three digits, to ten minutes.
const (
	leastLatency = 100
	mostLatency  = int64(10 * time.Minute)
	digits       = 3
)

func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(leastLatency, mostLatency, digits)
}

// recorder holds what one connection has measured; nobody else writes to it.
type recorder struct {
	begin   time.Time // of the run
	from    time.Time // of the measured part: what was meant to be sent before is not counted
	width   time.Duration
	due     int64                        // requests of the measured part, sent or not
	unmet   int64                        // those of them that failed
	ops     [ops]*hdrhistogram.Histogram // latencies of those that succeeded
	late    *hdrhistogram.Histogram      // from the intended moment to the sending
	errors  map[string]*ErrorCount
	bins    []bin
	wrong   int64
	checked int64
	// Live, for others to read; ramp included.
	succeeded, failed, lateNow atomic.Int64
}

// bin is a slice of the run's time.
type bin struct {
	succeeded, errors int64
	slowest           time.Duration
}

func newRecorder(begin, from time.Time, width time.Duration) *recorder {
	return &recorder{begin: begin, from: from, width: width, late: newHistogram(), errors: map[string]*ErrorCount{}}
}

// record notes one request: when it was meant to be sent, was sent and was answered,
// and what was wrong with it. Only successes count for rates and percentiles.
func (r *recorder) record(o op, intended, sent, answered time.Time, f *fault) {
	r.lateNow.Store(int64(sent.Sub(intended)))
	measured := !intended.Before(r.from)
	if measured {
		r.late.RecordValue(min(max(0, int64(sent.Sub(intended))), mostLatency))
	}
	b := r.bin(answered)
	if f != nil {
		b.errors++
		r.fail(intended, f)
		return
	}
	b.succeeded++
	b.slowest = max(b.slowest, answered.Sub(intended))
	r.succeeded.Add(1)
	if measured {
		r.due++
		r.histogram(o).RecordValue(min(int64(answered.Sub(intended)), mostLatency))
	}
}

// unsent notes a request that was due and never sent.
func (r *recorder) unsent(intended time.Time) {
	r.fail(intended, &fault{kind: "not sent", example: "every connection was busy until the end"})
}

func (r *recorder) fail(intended time.Time, f *fault) {
	if !intended.Before(r.from) {
		r.due++
		r.unmet++
	}
	r.failed.Add(1)
	e := r.errors[f.kind]
	if e == nil {
		e = &ErrorCount{Kind: f.kind, Example: f.example, Wrong: f.wrong()}
		r.errors[f.kind] = e
	}
	e.Count++
	if f.wrong() {
		r.wrong++
	}
}

func (r *recorder) histogram(o op) *hdrhistogram.Histogram {
	if r.ops[o] == nil {
		r.ops[o] = newHistogram()
	}
	return r.ops[o]
}

func (r *recorder) bin(at time.Time) *bin {
	i := max(0, int(at.Sub(r.begin)/r.width))
	if i >= len(r.bins) {
		r.bins = append(r.bins, make([]bin, i+1-len(r.bins))...)
	}
	return &r.bins[i]
}

// merge adds up what all connections have measured.
func merge(all []*recorder) *recorder {
	sum := newRecorder(all[0].begin, all[0].from, all[0].width)
	for _, r := range all {
		for o, h := range r.ops {
			if h != nil {
				sum.histogram(op(o)).Merge(h)
			}
		}
		sum.late.Merge(r.late)
		sum.wrong += r.wrong
		sum.checked += r.checked
		sum.due += r.due
		sum.unmet += r.unmet
		for kind, e := range r.errors {
			sum.addError(kind, e)
		}
		sum.bins = append(sum.bins, make([]bin, max(0, len(r.bins)-len(sum.bins)))...)
		for i, b := range r.bins {
			sum.bins[i].succeeded += b.succeeded
			sum.bins[i].errors += b.errors
			sum.bins[i].slowest = max(sum.bins[i].slowest, b.slowest)
		}
	}
	return sum
}

func (r *recorder) addError(kind string, e *ErrorCount) {
	if known := r.errors[kind]; known != nil {
		known.Count += e.Count
		return
	}
	copied := *e
	r.errors[kind] = &copied
}

// errorList is sorted: the most frequent first.
func (r *recorder) errorList() []ErrorCount {
	list := []ErrorCount{}
	for _, e := range r.errors {
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b ErrorCount) int { return int(b.Count - a.Count) })
	return list
}

// timeline is the run in slices, without the last one, which is not whole.
func (r *recorder) timeline() Timeline {
	t := Timeline{Width: r.width.Seconds(), Measured: r.from.Sub(r.begin).Seconds()}
	bins := r.bins
	if len(bins) > 1 {
		bins = bins[:len(bins)-1]
	}
	for _, b := range bins {
		t.Rate = append(t.Rate, float64(b.succeeded)/t.Width)
		t.Errors = append(t.Errors, float64(b.errors)/t.Width)
		t.Slowest = append(t.Slowest, float64(b.slowest)/microsecond)
	}
	return t
}
