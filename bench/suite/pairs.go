package suite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cartd/bench"
)

// Config has the settings of a suite.
type Config struct {
	Cartd    string   // the program
	Self     string   // cartbench itself, which serves the floor
	Cases    []string // if empty, all cases except the named ones
	Pairs    int
	Duration time.Duration
	Seed     uint64
	Machine  bench.Machine
	Progress func(bench.Progress)
	// Measured is called with each judged figure, Failed with the reason why a case could not be
	// measured. Either may be nil.
	Measured func(*bench.Ratio)
	Failed   func(fault string)
}

// warmUp is the unmeasured time at the start of each run.
const warmUp = 300 * time.Millisecond

// requestTimeout ends a request without an answer.
const requestTimeout = 10 * time.Second

// Run measures the cases. If a case cannot be measured, the reason is added to the document's faults.
// An error ends the suite. If ctx ends, the document has the cases measured until then.
func Run(ctx context.Context, c Config) (*bench.Document, error) {
	chosen, err := choose(c.Cases)
	if err != nil {
		return nil, err
	}
	s, err := newStand(c.Cartd, c.Self)
	if err != nil {
		return nil, err
	}
	defer s.end()
	r := &runner{Config: c, stand: s, document: &bench.Document{Machine: c.Machine}}
	for _, chosen := range chosen {
		if err := r.measure(ctx, chosen); err != nil {
			if ctx.Err() != nil {
				return r.document, ctx.Err()
			}
			r.fail(fmt.Sprintf("%s: %v", chosen.Name, err))
		}
	}
	return r.document, nil
}

func (r *runner) fail(fault string) {
	r.document.Faults = append(r.document.Faults, fault)
	if r.Failed != nil {
		r.Failed(fault)
	}
}

func (r *runner) judged(ratios ...bench.Ratio) {
	for i := range ratios {
		r.document.Ratios = append(r.document.Ratios, ratios[i])
		if r.Measured != nil {
			r.Measured(&ratios[i])
		}
	}
}

// choose finds the cases by name, in the order of the set.
func choose(names []string) (chosen []Case, err error) {
	known := append(slices.Clone(Cases), Case{Name: MemoryCase, Named: true})
	for _, name := range names {
		if !slices.ContainsFunc(known, func(c Case) bool { return c.Name == name }) {
			var all []string
			for _, c := range known {
				all = append(all, c.Name)
			}
			return nil, fmt.Errorf("there is no case %q; there are %s", name, strings.Join(all, ", "))
		}
	}
	for _, c := range known {
		if len(names) == 0 && !c.Named || slices.Contains(names, c.Name) {
			chosen = append(chosen, c)
		}
	}
	return chosen, nil
}

type runner struct {
	Config
	stand    *stand
	document *bench.Document
}

func (r *runner) measure(ctx context.Context, c Case) error {
	if c.Name == MemoryCase {
		return r.measureMemory(ctx)
	}
	load := bench.Load{Ramp: warmUp, Duration: r.Duration}
	if c.Half {
		ceiling, err := r.ceiling(ctx)
		if err != nil {
			return err
		}
		load.Rate = float64(int(ceiling / 2))
	}
	yardstick, err := r.world(ctx, c, c.Yardstick)
	if err != nil {
		return err
	}
	defer yardstick.Close()
	judged, err := r.world(ctx, c, c.Judge)
	if err != nil {
		return err
	}
	defer judged.Close()
	pairs, err := r.pairs(ctx, load, yardstick, judged)
	if err != nil {
		return err
	}
	return r.conclude(c, pairs)
}

// pair is one run of each side.
type pair struct{ yardstick, judged *bench.Result }

// pairs runs both sides in turn. Every second pair begins with the other side. The last result of a
// side has the check of its contents.
func (r *runner) pairs(ctx context.Context, load bench.Load, yardstick, judged *bench.World) (pairs []pair, err error) {
	for i := range r.Pairs {
		first, second := yardstick, judged
		if i%2 == 1 {
			first, second = judged, yardstick
		}
		a, errA := first.Run(ctx, load)
		b, errB := second.Run(ctx, load)
		if err := errors.Join(errA, errB); err != nil {
			return nil, err
		}
		if i%2 == 1 {
			a, b = b, a
		}
		pairs = append(pairs, pair{a, b})
	}
	last := pairs[len(pairs)-1]
	return pairs, errors.Join(yardstick.Verify(ctx, &last.yardstick.Check), judged.Verify(ctx, &last.judged.Check))
}

func (r *runner) conclude(c Case, pairs []pair) error {
	ratio := bench.Ratio{Case: c.Name, About: c.About, Measure: c.Measure.Name, Min: c.Min, Max: c.Max}
	for _, p := range pairs {
		r.document.Results = append(r.document.Results, *p.yardstick, *p.judged)
		ratio.Pairs = append(ratio.Pairs, c.Measure.of(p.yardstick, p.judged))
	}
	if slices.ContainsFunc(ratio.Pairs, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return errors.New("no ratio: a run had no success")
	}
	if other := r.ratio(c.Like); other != nil {
		ratio.Min, ratio.Max = other.Median()*(1-c.Within), other.Median()*(1+c.Within)
	}
	r.judged(ratio)
	return nil
}

// ratio returns the ratio of a case, nil if the case is not measured yet.
func (r *runner) ratio(name string) *bench.Ratio {
	for i := range r.document.Ratios {
		if r.document.Ratios[i].Case == name {
			return &r.document.Ratios[i]
		}
	}
	return nil
}

// world prepares a side's carts.
func (r *runner) world(ctx context.Context, c Case, side Side) (*bench.World, error) {
	on, err := r.stand.get(ctx, side.System)
	if err != nil {
		return nil, err
	}
	label := string(side.System)
	if c.Yardstick.System == c.Judge.System {
		label += " " + side.Scenario
	}
	return r.worldOn(ctx, on, c.Name, label, side)
}

func (r *runner) worldOn(ctx context.Context, on *system, name, label string, side Side) (*bench.World, error) {
	scenario, err := bench.LoadScenario(side.Scenario)
	if err != nil {
		return nil, err
	}
	return bench.NewWorld(ctx, bench.Plan{
		Case: name, System: label, Target: on.target, Adapter: r.stand.adapter, Scenario: scenario,
		Connections: side.Connections, Carts: side.Carts, Stores: 1, Seed: r.Seed, Timeout: requestTimeout,
		Unjudged: on.unjudged, Processes: on.processes, Progress: r.Progress,
	})
}

// ceiling is the maximum rate of cartd's line changes: the median of the case change, or the rate of
// one run if that case was not measured.
func (r *runner) ceiling(ctx context.Context) (float64, error) {
	var rates []float64
	for _, result := range r.document.Results {
		if result.Case == Cases[0].Name && result.System == string(cartdSystem) {
			rates = append(rates, result.Rate)
		}
	}
	if len(rates) > 0 {
		return bench.Median(rates), nil
	}
	w, err := r.world(ctx, Cases[0], Cases[0].Judge)
	if err != nil {
		return 0, err
	}
	defer w.Close()
	result, err := w.Run(ctx, bench.Load{Ramp: warmUp, Duration: r.Duration})
	if err != nil {
		return 0, err
	}
	return result.Rate, nil
}
