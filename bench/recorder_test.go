package bench

import (
	"testing"
	"time"
)

func TestOnlySuccessesCountForRatesAndPercentiles(t *testing.T) {
	begin := time.Unix(1000, 0)
	from := begin.Add(time.Second)
	r := newRecorder(begin, from, time.Second)
	failed := &fault{kind: "status 503"}
	for _, c := range []struct {
		intended time.Time
		took     time.Duration
		fault    *fault
	}{
		{begin, time.Millisecond, nil}, {begin, time.Millisecond, failed}, // in the ramp
		{from, 2 * time.Millisecond, nil}, {from, time.Microsecond, failed}, {from, 4 * time.Millisecond, nil},
	} {
		r.record(opRead, moments{c.intended, c.intended, c.intended, c.intended.Add(c.took)}, c.fault)
	}
	r.unsent(from)
	sum := merge([]*recorder{r, newRecorder(begin, from, time.Second)})
	if sum.due != 4 || sum.unmet != 2 {
		t.Errorf("%d requests, %d failed; want 4 and 2", sum.due, sum.unmet)
	}
	l := latencyOf(sum.ops[opRead], false)
	if l.Count != 2 || l.P50 < 1900 || l.Max > 4100 {
		t.Errorf("latencies are %+v, want those of 2 ms and 4 ms", l)
	}
	sum.bins = append(sum.bins, bin{}) // the incomplete last slice
	if line := sum.timeline(); len(line.Rate) != 2 || line.Rate[1] != 2 || line.Errors[1] != 1 {
		t.Errorf("the timeline is %+v, want 2 successes and 1 error in its second slice", line)
	}
}

func TestCPUWithoutProcessOrSuccessIsNotMeasured(t *testing.T) {
	at := time.Unix(1000, 0)
	before := usage{at: at, client: time.Second, server: 5 * time.Second}
	after := usage{at: at.Add(time.Second), client: 2 * time.Second, succeeded: 100_000}
	if c := after.since(before); c.Client != 10 || c.Server != 0 || c.Redis != 0 {
		t.Errorf("the server's process ended: CPU is %+v, want 10 µs of the client alone", c)
	}
	after.succeeded = 0
	if c := after.since(before); c.Client != 0 {
		t.Errorf("nothing succeeded: CPU is %+v, want none", c)
	}
}

// A request that waited for a busy connection was late because of the server. What came after the
// connection was free is the client's own delay.
func TestOwnDelayIsWhatNoBusyConnectionExplains(t *testing.T) {
	begin := time.Unix(1000, 0)
	at := func(ms int) time.Time { return begin.Add(time.Duration(ms) * time.Millisecond) }
	for _, c := range []struct {
		name              string
		m                 moments
		late, own, answer time.Duration
	}{
		{"in time", moments{at(10), at(5), at(10), at(12)}, 0, 0, 2 * time.Millisecond},
		{"the connection was busy", moments{at(10), at(50), at(50), at(55)}, 40 * time.Millisecond, 0, 5 * time.Millisecond},
		{"the client overslept", moments{at(10), at(5), at(549), at(573)}, 539 * time.Millisecond, 539 * time.Millisecond, 24 * time.Millisecond},
		{"both", moments{at(10), at(50), at(70), at(71)}, 60 * time.Millisecond, 20 * time.Millisecond, time.Millisecond},
	} {
		r := newRecorder(begin, begin, time.Second)
		r.record(opRead, c.m, nil)
		r = merge([]*recorder{r})
		near := func(l Latency, want time.Duration) bool {
			return max(l.Max-float64(want)/microsecond, float64(want)/microsecond-l.Max) <= 1+float64(want)/microsecond/100
		}
		if late, own, answer := latencyOf(r.late, false), latencyOf(r.own, false), latencyOf(r.answer, false); !near(late, c.late) || !near(own, c.own) ||
			!near(answer, c.answer) {
			t.Errorf("%s: late %v µs, own %v µs, from send %v µs; want %v, %v, %v", c.name, late.Max, own.Max, answer.Max, c.late, c.own, c.answer)
		}
	}
}

func TestTimelineHasPercentiles(t *testing.T) {
	begin := time.Unix(1000, 0)
	r := newRecorder(begin, begin, time.Second)
	for i := range 200 {
		took := time.Millisecond
		if i%20 == 0 {
			took = 100 * time.Millisecond
		}
		r.record(opRead, moments{begin, begin, begin, begin.Add(took)}, nil)
	}
	r.bin(begin.Add(2500 * time.Millisecond)) // an empty slice, and the incomplete last one
	line := merge([]*recorder{r}).timeline()
	if len(line.P50) != 2 || line.P50[0] < 900 || line.P50[0] > 1100 || line.P99[0] < 95_000 || line.P99[0] > 105_000 || line.P99[1] != 0 {
		t.Errorf("p50 %v and p99 %v µs, want 1 ms and 100 ms, then 0", line.P50, line.P99)
	}
}
