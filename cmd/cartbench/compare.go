package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"strings"

	"cartd/bench"
	"cartd/bench/report"
)

// runCompare prints two reports side by side. Thresholds judge the newer one.
func runCompare(_ context.Context, args []string, stdout, _ io.Writer) error {
	const usage = "cartbench compare [flags] OLD.json NEW.json (files that --json wrote)"
	var o output
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	o.thresholdFlag(fs)
	fs.StringVar(&o.html, "html", "", "write the newer report and the comparison as one page to `FILE`")
	if err := parse(fs, args, stdout, usage); err != nil {
		return err
	}
	if fs.NArg() != 2 {
		return errors.New("two files are needed: " + usage)
	}
	older, err := bench.ReadDocument(fs.Arg(0))
	if err != nil {
		return err
	}
	newer, err := bench.ReadDocument(fs.Arg(1))
	if err != nil {
		return err
	}
	report.Compare(stdout, older, newer)
	outcome := report.Outcome{Older: older}
	outcome.Thresholds, outcome.Faults = o.thresholds.judge(newer, cartsOnly, stdout)
	if o.html != "" {
		err = report.Page(o.html, newer, outcome)
	}
	if len(outcome.Faults) > 0 {
		err = errors.Join(err, errors.New(strings.Join(outcome.Faults, "\n")))
	}
	return err
}
