package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cartd/bench"
	"cartd/bench/report"
	"cartd/bench/suite"
	"cartd/internal/process"
)

func runSuite(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var out output
	var cases string
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c := suite.Config{Self: self}
	fs := flag.NewFlagSet("suite", flag.ContinueOnError)
	fs.StringVar(&c.Cartd, "cartd", filepath.Join(filepath.Dir(self), "cartd"), "the cartd `program`")
	fs.StringVar(&cases, "cases", "", "`names`, separated by commas; default: all cases without * in cartbench scenarios")
	fs.IntVar(&c.Pairs, "pairs", 5, "`number` of pairs for each case")
	fs.DurationVar(&c.Duration, "duration", 2*time.Second, "measured time of each run")
	fs.Uint64Var(&c.Seed, "seed", 1, "seed that decides all requests")
	out.flags(fs)
	if err := parse(fs, args, stdout, "cartbench suite [flags]"); err != nil {
		return err
	}
	if c.Pairs < 1 || fs.NArg() > 0 {
		return fmt.Errorf("unexpected %q, or --pairs below 1: see cartbench suite --help", fs.Args())
	}
	for name := range strings.SplitSeq(cases, ",") {
		if name != "" {
			c.Cases = append(c.Cases, name)
		}
	}
	c.Machine = bench.ThisMachine(commit)
	c.Machine.Versions["redis"] = bench.Version(process.ServerProgram(), "--version")
	progress := newLine(stderr)
	c.Progress = progress.show
	c.Measured = func(r *bench.Ratio) { progress.clear(); report.Ratio(stdout, r) }
	c.Failed = func(fault string) { progress.clear(); fmt.Fprintln(stdout, fault) }
	document, err := suite.Run(ctx, c)
	progress.clear()
	if err != nil && !interrupted(ctx, document) {
		return err
	}
	fmt.Fprintln(stdout)
	return out.finishJudged(document, cartsOnly, stdout)
}
