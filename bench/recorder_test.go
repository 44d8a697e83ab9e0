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
		r.record(opRead, c.intended, c.intended, c.intended.Add(c.took), c.fault)
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
