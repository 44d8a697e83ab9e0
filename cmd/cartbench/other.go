package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"cartd/bench"
	"cartd/bench/report"
	"cartd/bench/suite"
)

func runCompare(_ context.Context, args []string, stdout, _ io.Writer) error {
	const usage = "cartbench compare OLD.json NEW.json (what --json wrote)"
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

func runStore(_ context.Context, args []string, stdout, _ io.Writer) error {
	fs := flag.NewFlagSet("store", flag.ContinueOnError)
	stores := fs.Int("stores", 1, "`number` of stores")
	dir := fs.String("out", ".", "`directory` to write bench-store-0000.json and so on to")
	if err := parse(fs, args, stdout, "cartbench store [flags]"); err != nil {
		return err
	}
	for i := range *stores {
		file := filepath.Join(*dir, fmt.Sprintf("bench-store-%04d.json", i))
		if err := os.WriteFile(file, bench.StoreDocument(i), 0o600); err != nil {
			return err
		}
		fmt.Fprintln(stdout, file)
	}
	return nil
}

func runScenarios(_ context.Context, args []string, stdout, _ io.Writer) error {
	fs := flag.NewFlagSet("scenarios", flag.ContinueOnError)
	if err := parse(fs, args, stdout, "cartbench scenarios (there are no flags)"); err != nil {
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
