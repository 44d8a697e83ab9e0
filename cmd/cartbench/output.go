package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"cartd/bench"
	"cartd/bench/report"
)

// output has the flags for the output of results.
type output struct {
	json, html, compare string
	maxErrors           int64
	thresholds          thresholds
	set                 *flag.FlagSet
}

// thresholds are those of all --threshold flags.
type thresholds []bench.Threshold

func (t *thresholds) String() string {
	var texts []string
	for _, one := range *t {
		texts = append(texts, one.Text)
	}
	return strings.Join(texts, ",")
}

func (t *thresholds) Set(text string) error {
	more, err := bench.ParseThresholds(text)
	*t = append(*t, more...)
	return err
}

func (o *output) flags(fs *flag.FlagSet) {
	o.set = fs
	o.thresholdFlag(fs)
	fs.StringVar(&o.json, "json", "", "write all measurements to `FILE`")
	fs.StringVar(&o.html, "html", "", "write the report as one page to `FILE`")
	fs.StringVar(&o.compare, "compare", "", "compare with `FILE`, which --json of an earlier run wrote")
	fs.Int64Var(&o.maxErrors, "max-errors", 0, "requests that may fail (refused, timed out, not sent) in a run; a wrong answer always fails the run")
}

func (o *output) thresholdFlag(fs *flag.FlagSet) {
	fs.Var(&o.thresholds, "threshold", "`bounds` that every run must keep, else the exit status is 1: p99<20ms,errors<0.1%; a bound of errors takes the place "+
		"of --max-errors")
}

// failures is the number of requests that may fail in a run. A bound of errors takes its place, unless
// both are given.
func (o *output) failures() int64 {
	given := false
	o.set.Visit(func(f *flag.Flag) { given = given || f.Name == "max-errors" })
	if !given && bench.BoundErrors(o.thresholds) {
		return math.MaxInt64
	}
	return o.maxErrors
}

// judge compares the runs with the thresholds, prints what it found, and returns a fault for each miss.
func (t thresholds) judge(d *bench.Document, of func(*bench.Result) bool, w io.Writer) (all []bench.Judged, faults []string) {
	if len(t) == 0 {
		return nil, nil
	}
	all = d.Judge(t, of)
	report.Thresholds(w, all)
	for _, j := range all {
		if !j.Met {
			faults = append(faults, fmt.Sprintf("%s (%s), run %d: the threshold %s is missed: %s", j.Case, j.System, j.Run, j.Text, j.ValueText()))
		}
	}
	if len(all) == 0 {
		faults = append(faults, "no run was measured that a threshold judges")
	}
	return all, faults
}

// every judges all runs.
func every(*bench.Result) bool { return true }

// cartsOnly leaves out the floor.
func cartsOnly(r *bench.Result) bool { return !r.Check.Unjudged }

// interrupted reports whether a signal ended a run that has measurements, and adds it to the
// document's faults.
func interrupted(ctx context.Context, d *bench.Document) bool {
	if ctx.Err() == nil || d == nil || len(d.Results) == 0 {
		return false
	}
	d.Faults = append(d.Faults, "interrupted: the figures cover the time until the interrupt; not all contents were read back")
	return true
}

// finish prints and writes a document. The error has the reasons why the run failed.
func (o *output) finish(d *bench.Document, w io.Writer) error { return o.finishJudged(d, every, w) }

// finishJudged finishes a document of which the thresholds judge some runs.
func (o *output) finishJudged(d *bench.Document, of func(*bench.Result) bool, w io.Writer) error {
	report.Table(w, d)
	var outcome report.Outcome
	outcome.Thresholds, outcome.Faults = o.thresholds.judge(d, of, w)
	outcome.Faults = append(d.OK(o.failures()), outcome.Faults...)
	var errs []error
	if o.compare != "" {
		older, err := bench.ReadDocument(o.compare)
		if err == nil {
			fmt.Fprintln(w)
			report.Compare(w, older, d)
			outcome.Older = older
		}
		errs = append(errs, err)
	}
	if o.json != "" {
		errs = append(errs, d.Write(o.json))
	}
	if o.html != "" {
		errs = append(errs, report.Page(o.html, d, outcome))
	}
	if len(outcome.Faults) > 0 {
		errs = append(errs, fmt.Errorf("the run failed:\n  %s", strings.Join(outcome.Faults, "\n  ")))
	}
	return errors.Join(errs...)
}

// line shows progress: in one line of a terminal that is overwritten, or as a new line every
// plainEvery.
type line struct {
	w        io.Writer
	terminal bool

	mu    sync.Mutex
	last  time.Time
	wrote bool
}

// plainEvery is the time between two lines if the output is no terminal.
const plainEvery = 10 * time.Second

func newLine(w io.Writer) *line {
	l := &line{w: w, last: time.Now()}
	if file, ok := w.(*os.File); ok {
		info, err := file.Stat()
		l.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return l
}

func (l *line) show(p bench.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := progressText(p)
	switch {
	case l.terminal:
		fmt.Fprintf(l.w, "\r\x1b[K%s", text)
		l.wrote = true
	case time.Since(l.last) >= plainEvery:
		fmt.Fprintln(l.w, text)
		l.last = time.Now()
	}
}

// clear empties the terminal's line for other output.
func (l *line) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wrote {
		fmt.Fprint(l.w, "\r\x1b[K")
		l.wrote = false
	}
}

func progressText(p bench.Progress) string {
	if p.Of > 0 {
		return fmt.Sprintf("%s: %s, %d of %d carts", p.Case, p.Phase, p.Done, p.Of)
	}
	asked := ""
	if p.Asked > 0 {
		asked = fmt.Sprintf(" of %.0f asked, %v late", p.Asked, p.Late.Round(10*time.Microsecond))
	}
	return fmt.Sprintf("%s: %.1f of %.1f s, %.0f requests/s%s, %d requests, %d failed",
		p.Case, p.Elapsed.Seconds(), p.Whole.Seconds(), p.Rate, asked, p.Requests, p.Failed)
}
