package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"cartd/bench"
	"cartd/bench/suite"
)

// flashConfig has the settings of cartbench flash.
type flashConfig struct {
	output
	suite.FlashConfig
	adapter                        string
	closed                         bool
	serverProcess, databaseProcess pids
}

func parseFlash(args []string, stdout io.Writer) (*flashConfig, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &flashConfig{}
	fs := flag.NewFlagSet("flash", flag.ContinueOnError)
	p := &c.Plan
	fs.StringVar(&c.Cartd, "cartd", filepath.Join(filepath.Dir(self), "cartd"), "the cartd `program`, started with a fresh Redis for a closed and an open loop")
	fs.IntVar(&c.Nodes, "nodes", 2, "`number` of nodes of cartd")
	fs.StringVar(&p.Target, "target", "", "`URL`s of a running system in place of --cartd, separated by commas; its stock and its code are as fresh as --units "+
		"and --uses say")
	fs.StringVar(&c.adapter, "adapter", "cartd", "with --target: description of the system: `NAME` of a built-in adapter (cartd, medusa, vendure) or a file")
	fs.StringVar(&p.Key, "api-key", bench.FlashKey(0), "with --target: the `key` of the shop")
	fs.StringVar(&p.Admin, "admin-key", bench.FlashAdmin(0), "with --target: the `key` that reads orders and stock")
	fs.BoolVar(&c.closed, "closed", false, "with --target: a closed loop; else the loop is open")
	fs.IntVar(&p.Shoppers, "shoppers", 10_000, "`number` of shoppers")
	fs.IntVar(&p.Units, "units", 500, "`number` of units in stock")
	fs.IntVar(&p.Uses, "uses", 200, "`number` of uses of the code")
	fs.IntVar(&p.Connections, "connections", 256, "`number` of connections; one serves one shopper at a time")
	fs.DurationVar(&p.Within, "within", 5*time.Second, "time in which all shoppers come, in the open loop")
	fs.DurationVar(&p.Longest, "longest", 5*time.Minute, "maximum time of the sale, in the open loop from the last arrival; later shoppers do not come")
	fs.BoolVar(&p.Roam, "roam", false, "each request goes to the next node; else a connection stays with one")
	fs.DurationVar(&p.Timeout, "timeout", 10*time.Second, "maximum time of an answer")
	fs.Var(&c.serverProcess, "server-pids", "with --target: process `ids` of the system on this machine, to measure its CPU and that of all processes they started")
	fs.Var(&c.databaseProcess, "database-pids", "with --target: process `ids` of its database and Redis, likewise")
	c.flags(fs)
	if err := parse(fs, args, stdout, "cartbench flash [flags]"); err != nil {
		return nil, err
	}
	if fs.NArg() > 0 || p.Within <= 0 || p.Longest <= 0 {
		return nil, fmt.Errorf("unexpected %q, or --within or --longest of zero: see cartbench flash --help", fs.Args())
	}
	return c, nil
}

func runFlash(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c, err := parseFlash(args, stdout)
	if err != nil {
		return err
	}
	progress := newLine(stderr)
	c.Plan.Progress = progress.show
	document := &bench.Document{Machine: bench.ThisMachine(commit)}
	if c.Plan.Target == "" {
		err = suite.Flash(ctx, c.FlashConfig, document)
	} else {
		err = c.running(ctx, document)
	}
	progress.clear()
	if err != nil && !interrupted(ctx, document) {
		return err
	}
	return c.finish(document, stdout)
}

// running sells on a system that runs already, once: its units are then sold.
func (c *flashConfig) running(ctx context.Context, d *bench.Document) error {
	adapter, err := bench.LoadAdapter(c.adapter)
	if err != nil {
		return err
	}
	p := c.Plan
	p.Case, p.System, p.Adapter = "flash open", adapter.Name, adapter
	p.Processes = bench.Processes{Server: c.serverProcess, Redis: c.databaseProcess}
	if c.closed {
		p.Case, p.Within = "flash closed", 0
	}
	result, err := bench.RunFlash(ctx, p)
	if result != nil {
		d.Results = append(d.Results, *result)
	}
	return err
}
