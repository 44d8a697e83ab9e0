package bench

import (
	"context"
	"time"
)

// Progress is the state of a run.
type Progress struct {
	Case, Phase string
	// Done of Of carts are made. Set only during the preparation.
	Done, Of int64
	// Set only during a load.
	Elapsed, Whole time.Duration
	Requests       int64
	Failed         int64
	Rate           float64 // of successes, since the last report
	Asked          float64
	Late           time.Duration // the maximum over the last sends of all connections
}

// between two reports.
const reportEvery = 200 * time.Millisecond

// report calls show with the progress until the returned function is called. show may be nil.
func report(ctx context.Context, show func(Progress), now func() Progress) (stop func()) {
	if show == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(reportEvery)
		defer tick.Stop()
		last, at := int64(0), time.Now()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			p := now()
			p.Rate = float64(p.Requests-p.Failed-last) / time.Since(at).Seconds()
			last, at = p.Requests-p.Failed, time.Now()
			show(p)
		}
	}()
	return func() { cancel(); <-ended }
}

func (w *World) progress(load Load, begin time.Time) Progress {
	p := Progress{Case: w.plan.Case, Phase: "running", Elapsed: time.Since(begin), Whole: load.Ramp + load.Duration, Asked: load.Rate}
	for _, v := range w.visitors {
		failed := v.rec.failed.Load()
		p.Requests += v.rec.succeeded.Load() + failed
		p.Failed += failed
		p.Late = max(p.Late, time.Duration(v.rec.lateNow.Load()))
	}
	return p
}
