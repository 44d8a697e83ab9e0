package main

import (
	"context"
	"errors"
	"flag"
	"io"

	"cartd/bench"
	"cartd/bench/report"
)

// runCompare prints two reports side by side.
func runCompare(_ context.Context, args []string, stdout, _ io.Writer) error {
	const usage = "cartbench compare OLD.json NEW.json (files that --json wrote)"
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
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
	return nil
}
