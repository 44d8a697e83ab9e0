package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cartd/bench"
	"cartd/bench/suite"
	"cartd/internal/unitcosts"
)

// runUnitCosts measures unit costs, prints them, and writes them into the table of the program and
// the page.
func runUnitCosts(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var c suite.UnitConfig
	var table, page string
	fs := flag.NewFlagSet("unit-costs", flag.ContinueOnError)
	fs.StringVar(&c.Cartd, "cartd", filepath.Join(filepath.Dir(self), "cartd"), "the cartd `program`")
	fs.DurationVar(&c.Duration, "duration", 600*time.Millisecond, "measured time of each run")
	fs.IntVar(&c.Rounds, "rounds", 5, "`number` of runs of each kind and condition; the median counts")
	fs.IntVar(&c.Stores, "stores", 300, "`number` of stores of the condition many")
	fs.Func("kinds", "measure only these `kinds` of requests (commas) and what is stored; the others keep their figures", func(text string) error {
		c.Kinds, c.Before = strings.Split(text, ","), unitcosts.Table()
		return nil
	})
	fs.StringVar(&table, "table", "", "write the figures as JSON to `FILE` (internal/unitcosts/table.json)")
	fs.StringVar(&page, "page", "", "write the figures between the two lines of `FILE` (docs/scaling.md)")
	if err := parse(fs, args, stdout, "cartbench unit-costs [flags]"); err != nil {
		return err
	}
	if fs.NArg() > 0 || c.Rounds < 1 || c.Stores < connectionsOfUnits || c.Duration <= 0 {
		return fmt.Errorf("unexpected %q, --rounds below 1, --stores below %d or no --duration: see cartbench unit-costs --help", fs.Args(), connectionsOfUnits)
	}
	machine := bench.ThisMachine(commit)
	c.Measured = fmt.Sprintf("Measured %s on %d × %s, load average %s at the start, %s.", time.Now().UTC().Format(time.DateOnly),
		machine.Cores, machine.CPU, machine.LoadStart, machine.Go)
	if len(c.Kinds) > 0 {
		c.Later = "Stored items, " + strings.Join(c.Kinds, ", ") + ": m" + c.Measured[1:]
		c.Measured = c.Before.Measured
	}
	progress := newLine(stderr)
	c.Progress = progress.show
	c.Done = func(kind, condition string, l unitcosts.Load) {
		progress.clear()
		fmt.Fprintf(stdout, "%-16s %-6s node %6.1f µs  Redis %6.1f µs  memory %6.0f B  file %6.0f B\n", kind, condition, l.Node, l.Redis, l.Memory, l.File)
	}
	costs, err := suite.UnitCosts(ctx, c)
	progress.clear()
	if err != nil {
		return err
	}
	fmt.Fprint(stdout, costs.Markdown())
	return errors.Join(writeTable(costs, table), writePage(costs, page))
}

// connectionsOfUnits is the minimum of stores, so that every connection has a store of its own.
const connectionsOfUnits = 16

func writeTable(c *unitcosts.Costs, file string) error {
	if file == "" {
		return nil
	}
	text, err := c.JSON()
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

func writePage(c *unitcosts.Costs, file string) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	page, err := c.Insert(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(page), 0o644)
}
