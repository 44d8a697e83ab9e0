package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
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
}

func (o *output) flags(fs *flag.FlagSet) {
	fs.StringVar(&o.json, "json", "", "write all measurements to `FILE`")
	fs.StringVar(&o.html, "html", "", "write the report as one page to `FILE`")
	fs.StringVar(&o.compare, "compare", "", "compare with `FILE`, which --json of an earlier run wrote")
	fs.Int64Var(&o.maxErrors, "max-errors", 0, "requests that may fail (refused, timed out, not sent) in a run; a wrong answer always fails the run")
}

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
func (o *output) finish(d *bench.Document, w io.Writer) error {
	report.Table(w, d)
	faults := d.OK(o.maxErrors)
	var errs []error
	if o.json != "" {
		errs = append(errs, d.Write(o.json))
	}
	if o.html != "" {
		errs = append(errs, report.Page(o.html, d, faults))
	}
	if o.compare != "" {
		older, err := bench.ReadDocument(o.compare)
		if err == nil {
			fmt.Fprintln(w)
			report.Compare(w, older, d)
		}
		errs = append(errs, err)
	}
	if len(faults) > 0 {
		errs = append(errs, fmt.Errorf("the run failed:\n  %s", strings.Join(faults, "\n  ")))
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
