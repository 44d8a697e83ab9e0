package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Plan is what is driven, and with how much.
type Plan struct {
	Case     string // how the result is called
	System   string
	Target   string // http://HOST:PORT
	Adapter  *Adapter
	Scenario Scenario
	// Keys are the API keys of the stores; none: those of the harness's own.
	Keys        []string
	Connections int
	Carts       int
	Stores      int
	Seed        uint64
	Timeout     time.Duration // of a request
	// Unjudged: the system is no cart (the floor); contents are read, not compared.
	Unjudged  bool
	Processes Processes
	Progress  func(Progress) // called five times a second; may be nil
}

// Load is how hard a plan is driven.
type Load struct {
	Rate     float64       // requests a second; 0: a closed loop
	Ramp     time.Duration // not measured
	Duration time.Duration
}

// World is a plan's carts, made and filled, and the connections that use them. It may
// be loaded several times.
type World struct {
	plan     Plan
	scenario *Scenario
	articles []Article
	keys     []string
	mix      []op
	weights  int
	nonce    string // idempotency keys of this world
	visitors []*visitor
	hot      *record
	prepared atomic.Int64
}

// NewWorld checks a plan and prepares its carts at full speed.
func NewWorld(ctx context.Context, plan Plan) (*World, error) {
	w := &World{plan: plan, scenario: &plan.Scenario, keys: plan.Keys, nonce: strconv.FormatInt(time.Now().UnixNano(), 36)}
	if err := w.check(); err != nil {
		return nil, err
	}
	for len(w.keys) < plan.Stores {
		w.keys = append(w.keys, StoreKey(len(w.keys)))
	}
	for _, share := range w.scenario.Mix {
		o, _ := opNamed(share.Op)
		w.mix = append(w.mix, o)
	}
	w.weights = w.scenario.total()
	if err := w.settle(); err != nil {
		return nil, err
	}
	return w, w.prepare(ctx)
}

func (w *World) check() error {
	p := &w.plan
	if err := p.Scenario.check(); err != nil {
		return err
	}
	standard, made := p.Adapter.articles()
	w.articles = standard
	if p.Scenario.Made {
		w.articles = made
	}
	switch {
	case p.Connections < 1 || p.Stores < 1:
		return errors.New("at least one connection and one store are needed")
	case p.Scenario.carts() && !p.Scenario.Hot && p.Carts < p.Connections:
		return fmt.Errorf("%d connections need at least as many carts: each cart is used by one at a time", p.Connections)
	case p.Scenario.contacts() && p.Connections > customersPerStore*p.Stores:
		return fmt.Errorf("%d connections need as many customers, a store has %d", p.Connections, customersPerStore)
	case p.Scenario.Lines+min(p.Scenario.Extra, 1) > len(w.articles):
		return fmt.Errorf("carts of %d lines: the system has %d articles", p.Scenario.Lines, len(w.articles))
	}
	for _, o := range p.Scenario.ops() {
		if _, ok := p.Adapter.Operations[o.String()]; !ok {
			return fmt.Errorf("scenario %s: adapter %s cannot %s", p.Scenario.Name, p.Adapter.Name, o)
		}
	}
	return nil
}

// settle makes the visitors and gives each its carts and address books.
func (w *World) settle() error {
	p := &w.plan
	w.visitors = make([]*visitor, p.Connections)
	for k := range w.visitors {
		c, err := newClient(p.Target, p.Adapter, p.Timeout)
		if err != nil {
			return err
		}
		w.visitors[k] = &visitor{
			world: w, index: k, client: c, judge: judge{articles: w.articles},
			rng: rand.New(rand.NewPCG(p.Seed, uint64(k))),
		}
	}
	if w.scenario.carts() && !w.scenario.Hot {
		for i := range p.Carts {
			v := w.visitors[i%p.Connections]
			v.carts = append(v.carts, &record{store: i % p.Stores})
		}
	}
	if w.scenario.contacts() {
		for i := range customersPerStore * p.Stores {
			v := w.visitors[i%p.Connections]
			v.books = append(v.books, &record{store: i % p.Stores, customer: i / p.Stores})
		}
	}
	return nil
}

// prepare lets all visitors make their carts.
func (w *World) prepare(ctx context.Context) error {
	if w.scenario.Hot {
		return w.prepareHot(ctx)
	}
	defer w.report(ctx, func() Progress {
		return Progress{Case: w.plan.Case, Phase: "preparing", Done: w.prepared.Load(), Of: int64(w.plan.Carts)}
	})()
	failed := make(chan error, len(w.visitors))
	for _, v := range w.visitors {
		go func() { failed <- v.prepare(ctx) }()
	}
	var all []error
	for range w.visitors {
		if err := <-failed; err != nil && len(all) == 0 {
			all = append(all, err)
		}
	}
	return errors.Join(all...)
}

// prepareHot makes the one cart, and a ledger for each visitor.
func (w *World) prepareHot(ctx context.Context) error {
	first := w.visitors[0]
	w.hot = &record{}
	first.carts = []*record{w.hot}
	if err := first.prepare(ctx); err != nil {
		return err
	}
	for _, v := range w.visitors {
		v.carts = first.carts
		v.ledger = newLedger(len(w.hot.lines))
	}
	return nil
}

// Run loads the world and returns what was measured; contents are compared at the end
// of all runs, by Verify.
func (w *World) Run(ctx context.Context, load Load) (*Result, error) {
	if load.Duration <= 0 || load.Rate < 0 || load.Ramp < 0 {
		return nil, errors.New("a duration above zero, and rate and ramp of at least zero, are needed")
	}
	begin := time.Now()
	from := begin.Add(load.Ramp)
	until := from.Add(load.Duration)
	due := w.schedule(load, begin, until)
	var recorders []*recorder
	for _, v := range w.visitors {
		v.rec = newRecorder(begin, from, binWidth(load))
		recorders = append(recorders, v.rec)
	}
	stop := w.report(ctx, func() Progress { return w.progress(load, begin) })
	var busy sync.WaitGroup
	for _, v := range w.visitors {
		busy.Go(func() { v.serve(ctx, due) })
	}
	select {
	case <-time.After(time.Until(from)):
	case <-ctx.Done():
	}
	before := w.plan.Processes.usage(w.done())
	busy.Wait()
	after := w.plan.Processes.usage(w.done())
	stop()
	return w.result(load, merge(recorders), begin, before, after), ctx.Err()
}

// schedule is when what is sent. An open loop that the server does not keep up with
// goes on for as long again, then what was due and not sent is counted as an error.
func (w *World) schedule(load Load, begin, until time.Time) schedule {
	if load.Rate == 0 {
		return &closedLoop{
			clock: realClock{}, start: begin, until: until, ramp: load.Ramp,
			connections: len(w.visitors), begun: make([]bool, len(w.visitors)),
		}
	}
	return &openLoop{
		clock: realClock{}, pace: Pace{Rate: load.Rate, Ramp: load.Ramp}, start: begin, until: until, cut: until.Add(load.Duration),
		unsent: func(k int, intended time.Time) { w.visitors[k].rec.unsent(w.mix[0], intended, time.Now()) },
	}
}

// binWidth cuts a run into about fifty slices.
func binWidth(load Load) time.Duration {
	return max(50*time.Millisecond, ((load.Ramp + load.Duration) / 50).Round(50*time.Millisecond))
}

func (w *World) done() (sum int64) {
	for _, v := range w.visitors {
		sum += v.rec.done.Load()
	}
	return sum
}

func (w *World) result(load Load, all *recorder, begin time.Time, before, after usage) *Result {
	p := &w.plan
	r := &Result{
		Case: p.Case, System: p.System, Started: begin,
		Spec: Spec{
			Target: p.Target, Adapter: p.Adapter.Name, Scenario: p.Scenario, Connections: p.Connections, Carts: p.Carts, Stores: p.Stores,
			Duration: load.Duration, Ramp: load.Ramp, Seed: p.Seed,
		},
		Seconds: after.at.Sub(before.at).Seconds(), Requests: after.requests - before.requests, RateAsked: load.Rate,
		ByOp: map[string]Latency{}, Late: latencyOf(all.late, false), CPU: after.since(before), Memory: p.Processes.memory(),
		Errors: all.errorList(), Timeline: all.timeline(),
		Check: Check{Answers: all.checked, Wrong: all.wrong, Unjudged: p.Unjudged},
	}
	r.Rate = float64(r.Requests) / r.Seconds
	whole := newHistogram()
	for o, h := range all.ops {
		if h != nil {
			whole.Merge(h)
			r.ByOp[op(o).String()] = latencyOf(h, false)
		}
	}
	r.Latency = latencyOf(whole, true)
	return r
}

func (r *recorder) timeline() Timeline {
	t := Timeline{Width: r.width.Seconds(), Measured: r.from.Sub(r.begin).Seconds()}
	bins := r.bins
	if len(bins) > 1 {
		bins = bins[:len(bins)-1] // the last one is not whole
	}
	for _, b := range bins {
		t.Rate = append(t.Rate, float64(b.requests)/t.Width)
		t.Errors = append(t.Errors, float64(b.errors)/t.Width)
		t.Slowest = append(t.Slowest, float64(b.slowest)/microsecond)
	}
	return t
}

// Carts are the ids of some of the world's carts and their stores, for whoever looks
// at what is stored.
func (w *World) Carts(most int) (ids []string) {
	for _, v := range w.visitors {
		for _, rec := range slices.Concat(v.carts, v.created) {
			if len(ids) < most {
				ids = append(ids, rec.id)
			}
		}
	}
	return ids
}

// Close ends the connections.
func (w *World) Close() {
	for _, v := range w.visitors {
		v.host.CloseIdleConnections()
	}
}
