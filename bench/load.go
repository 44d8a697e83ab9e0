package bench

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"
)

// Load is the rate and the duration of a run.
type Load struct {
	Rate     float64       // requests a second, 0 for a closed loop
	Ramp     time.Duration // not measured
	Duration time.Duration
	// Requests is the number of requests after which a closed loop ends early, 0 for no limit.
	Requests int64
}

// Check refuses an invalid load.
func (l *Load) Check() error {
	if l.Duration <= 0 || !(l.Rate >= 0) || math.IsInf(l.Rate, 1) || l.Ramp < 0 || l.Requests < 0 {
		return errors.New("a duration above zero, and rate, ramp and requests of at least zero, are needed")
	}
	return nil
}

// Run loads the world and returns the measurements. Verify compares contents after all runs. If ctx
// ends, the result has the measurements until then.
func (w *World) Run(ctx context.Context, load Load) (*Result, error) {
	if err := load.Check(); err != nil {
		return nil, err
	}
	begin := time.Now()
	from := begin.Add(load.Ramp)
	until := from.Add(load.Duration)
	due := w.schedule(load, begin, until)
	var recorders []*recorder
	for _, v := range w.visitors {
		v.rec, v.crawl = newRecorder(begin, from, binWidth(load)), Crawl{}
		recorders = append(recorders, v.rec)
	}
	stop := report(ctx, w.plan.Progress, func() Progress { return w.progress(load, begin) })
	var busy sync.WaitGroup
	for _, v := range w.visitors {
		busy.Go(func() { v.serve(ctx, due) })
	}
	endCrawl := w.beginCrawl(ctx)
	select {
	case <-time.After(time.Until(from)):
	case <-ctx.Done():
	}
	before := w.plan.Processes.usage(w.succeeded())
	busy.Wait()
	endCrawl()
	after := w.plan.Processes.usage(w.succeeded())
	stop()
	return w.result(load, merge(recorders), begin, before, after), ctx.Err()
}

// schedule is the schedule of a load. If the server is too slow for an open loop, the run continues
// for at most the same time again. Requests that are due and not sent by then count as errors.
func (w *World) schedule(load Load, begin, until time.Time) schedule {
	if load.Rate == 0 {
		return &closedLoop{
			clock: realClock{}, start: begin, until: until, ramp: load.Ramp,
			connections: len(w.visitors), begun: make([]bool, len(w.visitors)), limit: load.Requests,
		}
	}
	return &openLoop{
		clock: realClock{}, pace: Pace{Rate: load.Rate, Ramp: load.Ramp}, start: begin, until: until, cut: until.Add(load.Duration),
		unsent: func(k int, intended time.Time) { w.visitors[k].rec.unsent(intended) },
	}
}

// binWidth is the width of about fifty slices of a run.
func binWidth(load Load) time.Duration {
	return max(50*time.Millisecond, ((load.Ramp + load.Duration) / 50).Round(50*time.Millisecond))
}

// succeeded is the number of right answers so far.
func (w *World) succeeded() (sum int64) {
	for _, v := range w.visitors {
		sum += v.rec.succeeded.Load()
	}
	return sum
}

func (w *World) result(load Load, all *recorder, begin time.Time, before, after usage) *Result {
	p := &w.plan
	r := &Result{
		Case: p.Case, System: p.System, Started: begin,
		Spec: Spec{
			Target: p.Target, Adapter: p.Adapter.Name, Scenario: p.Scenario, Connections: p.Connections, Carts: p.Carts, Stores: p.Stores,
			Duration: load.Duration, Ramp: load.Ramp, Requests: load.Requests, Seed: p.Seed, Roam: p.Roam, Timeout: p.Timeout,
		},
		RateAsked: load.Rate, Memory: p.Processes.memory(),
		Check: Check{Unjudged: p.Unjudged}, Crawl: w.crawled(),
	}
	r.measured(all, before, after)
	return r
}

// measured fills in what connections recorded between two moments.
func (r *Result) measured(all *recorder, before, after usage) {
	r.Seconds, r.Requests, r.Failed = after.at.Sub(before.at).Seconds(), all.due, all.unmet
	r.Late, r.OwnLate, r.FromSend = latencyOf(all.late, false), latencyOf(all.own, false), latencyOf(all.answer, r.RateAsked > 0)
	r.CPU, r.Errors, r.Timeline = after.since(before), all.errorList(), all.timeline()
	r.Check.Answers, r.Check.Wrong = all.checked, all.wrong
	r.Rate = float64(after.succeeded-before.succeeded) / r.Seconds
	r.ByOp = map[string]Latency{}
	whole := newHistogram()
	for o, h := range all.ops {
		if h != nil {
			whole.Merge(h)
			r.ByOp[op(o).String()] = latencyOf(h, false)
		}
	}
	r.Latency = latencyOf(whole, true)
}
