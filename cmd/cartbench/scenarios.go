package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"cartd/bench"
	"cartd/bench/suite"
)

// runScenarios lists the scenarios of a run and the cases of the suite.
func runScenarios(_ context.Context, args []string, stdout, _ io.Writer) error {
	fs := flag.NewFlagSet("scenarios", flag.ContinueOnError)
	if err := parse(fs, args, stdout, "cartbench scenarios (it has no flags)"); err != nil {
		return err
	}
	fmt.Fprintln(stdout, "Scenarios of cartbench run --scenario:")
	for _, s := range bench.Scenarios {
		fmt.Fprintf(stdout, "  %-10s %s\n", s.Name, s.About)
	}
	fmt.Fprintln(stdout, "\nCases of cartbench suite --cases (*: only when named):")
	for _, c := range suite.Cases {
		mark := ' '
		if c.Named {
			mark = '*'
		}
		fmt.Fprintf(stdout, " %c%-10s %s\n", mark, c.Name, c.About)
	}
	fmt.Fprintf(stdout, " *%-10s resident bytes a cart of 3 lines, busy and idle\n", suite.MemoryCase)
	return nil
}
