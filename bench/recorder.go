package bench

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Latencies are stored in nanoseconds with three digits, up to ten minutes.
const (
	minLatency = 100
	maxLatency = int64(10 * time.Minute)
	digits     = 3
)

func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(minLatency, maxLatency, digits)
}

// recorder has the measurements of one connection. Only that connection writes to it.
type recorder struct {
	begin   time.Time // the start of the run
	from    time.Time // the start of the measured part; requests with an earlier send time do not count
	width   time.Duration
	due     int64                        // requests of the measured part, sent or not
	unmet   int64                        // requests of the measured part that failed
	ops     [ops]*hdrhistogram.Histogram // latencies of the successes
	late    *hdrhistogram.Histogram      // times from the intended to the real send time
	own     *hdrhistogram.Histogram      // the part of late in which the connection was free
	answer  *hdrhistogram.Histogram      // times from the real send time to the answer, of the successes
	errors  map[string]*ErrorCount
	bins    []bin
	wrong   int64
	checked int64
	// Read during the run, for its progress. They include the ramp.
	succeeded, failed, lateNow atomic.Int64
}

// bin is a slice of the run's time.
type bin struct {
	succeeded, errors int64
	slowest           time.Duration
	latencies         sketch
}

// moments are the times of one request. The connection was free from free on.
type moments struct{ intended, free, sent, answered time.Time }

// late is the time from the intended to the real send time.
func (m moments) late() time.Duration { return max(0, m.sent.Sub(m.intended)) }

// own is the part of late that no busy connection explains: the client itself was late.
func (m moments) own() time.Duration {
	if m.free.After(m.intended) {
		return max(0, m.sent.Sub(m.free))
	}
	return m.late()
}

func newRecorder(begin, from time.Time, width time.Duration) *recorder {
	return &recorder{begin: begin, from: from, width: width, late: newHistogram(), own: newHistogram(), answer: newHistogram(), errors: map[string]*ErrorCount{}}
}

// record adds one request with its fault. Only successes count for rates and percentiles.
func (r *recorder) record(o op, m moments, f *fault) {
	r.lateNow.Store(int64(m.sent.Sub(m.intended)))
	measured := !m.intended.Before(r.from)
	if measured {
		put(r.late, m.late())
		put(r.own, m.own())
	}
	b := r.bin(m.answered)
	if f != nil {
		b.errors++
		r.fail(m.intended, f)
		return
	}
	took := m.answered.Sub(m.intended)
	b.succeeded++
	b.slowest = max(b.slowest, took)
	b.latencies.add(took)
	r.succeeded.Add(1)
	if measured {
		r.due++
		put(r.histogram(o), took)
		put(r.answer, m.answered.Sub(m.sent))
	}
}

func put(h *hdrhistogram.Histogram, d time.Duration) { h.RecordValue(min(int64(d), maxLatency)) }

// unsent adds a request that was due and never sent.
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

// merge adds up the measurements of all connections.
func merge(all []*recorder) *recorder {
	sum := newRecorder(all[0].begin, all[0].from, all[0].width)
	for _, r := range all {
		for o, h := range r.ops {
			if h != nil {
				sum.histogram(op(o)).Merge(h)
			}
		}
		sum.late.Merge(r.late)
		sum.own.Merge(r.own)
		sum.answer.Merge(r.answer)
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
			sum.bins[i].latencies.merge(&b.latencies)
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

// errorList is sorted by count, the highest first.
func (r *recorder) errorList() []ErrorCount {
	list := []ErrorCount{}
	for _, e := range r.errors {
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b ErrorCount) int { return int(b.Count - a.Count) })
	return list
}

// timeline is the run in slices, without the incomplete last one.
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
		t.P50 = append(t.P50, float64(b.latencies.percentile(50))/microsecond)
		t.P99 = append(t.P99, float64(b.latencies.percentile(99))/microsecond)
	}
	return t
}
