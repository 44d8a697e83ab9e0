package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"cartd/bench"
)

// loadConfig has the settings of cartbench run.
type loadConfig struct {
	output
	target, adapter, scenario   string
	keys                        string
	connections, carts, stores  int
	load                        bench.Load
	timeout                     time.Duration
	seed                        uint64
	repeat                      int
	unjudged, roam              bool
	serverProcess, redisProcess pids
}

func parseLoad(args []string, stdout io.Writer) (*loadConfig, error) {
	c := &loadConfig{}
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	fs.StringVar(&c.target, "target", "http://127.0.0.1:8080", "`URL` of the server, or of several nodes, separated by commas")
	fs.BoolVar(&c.roam, "roam", false, "each request goes to the next node; else a connection stays with one")
	fs.StringVar(&c.adapter, "adapter", "cartd", "description of the server's API: `NAME` of a built-in adapter (cartd, plain) or a file")
	fs.StringVar(&c.scenario, "scenario", "mixed", "operations of the visitors: `NAME` of a built-in scenario (cartbench scenarios) or a file")
	fs.StringVar(&c.keys, "api-keys", "", "API `keys` of the stores, separated by commas; default: those of cartbench store")
	fs.IntVar(&c.connections, "connections", 32, "`number` of connections")
	fs.IntVar(&c.carts, "carts", 256, "`number` of carts, made ahead of the run")
	fs.IntVar(&c.stores, "stores", 1, "`number` of stores that the carts are spread over")
	fs.Float64Var(&c.load.Rate, "rate", 0, "requests a second of an open loop, latency counted from the intended send time; 0 for a closed loop")
	fs.DurationVar(&c.load.Duration, "duration", 10*time.Second, "time that is measured")
	fs.Int64Var(&c.load.Requests, "requests", 0, "number of requests that ends a closed loop early; 0 for no limit")
	fs.DurationVar(&c.load.Ramp, "ramp", time.Second, "time in which the load rises, ahead of the duration")
	fs.DurationVar(&c.timeout, "timeout", 10*time.Second, "maximum time of an answer")
	fs.Uint64Var(&c.seed, "seed", 1, "seed that decides all requests")
	fs.IntVar(&c.repeat, "repeat", 1, "number of runs, one after the other; --compare needs several to know the noise")
	fs.BoolVar(&c.unjudged, "unjudged", false, "the server is no cart (the floor): read its contents but do not compare them")
	fs.Var(&c.serverProcess, "server-pids", "process `ids` of the server on this machine, separated by commas, to measure its CPU")
	fs.Var(&c.redisProcess, "redis-pids", "process `ids` of its Redis")
	c.flags(fs)
	if err := parse(fs, args, stdout, "cartbench run [flags]"); err != nil {
		return nil, err
	}
	if fs.NArg() > 0 || c.repeat < 1 {
		return nil, fmt.Errorf("unexpected %q, or --repeat below 1: see cartbench run --help", fs.Args())
	}
	if err := c.load.Check(); err != nil {
		return nil, fmt.Errorf("%w: see cartbench run --help", err)
	}
	return c, nil
}

func runLoad(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c, err := parseLoad(args, stdout)
	if err != nil {
		return err
	}
	adapter, err := bench.LoadAdapter(c.adapter)
	if err != nil {
		return err
	}
	scenario, err := bench.LoadScenario(c.scenario)
	if err != nil {
		return err
	}
	progress := newLine(stderr)
	plan := bench.Plan{
		Case: scenario.Name, System: adapter.Name, Target: c.target, Roam: c.roam, Adapter: adapter, Scenario: scenario, Connections: c.connections,
		Carts: c.carts, Stores: c.stores, Seed: c.seed, Timeout: c.timeout, Unjudged: c.unjudged,
		Processes: bench.Processes{Server: c.serverProcess, Redis: c.redisProcess}, Progress: progress.show,
	}
	if c.keys != "" {
		plan.Keys = strings.Split(c.keys, ",")
	}
	document := &bench.Document{Machine: bench.ThisMachine(commit)}
	err = c.measure(ctx, plan, document)
	progress.clear()
	if err != nil && !interrupted(ctx, document) {
		return err
	}
	return c.finish(document, stdout)
}

// measure runs the plan the given number of times and then reads all used records back.
func (c *loadConfig) measure(ctx context.Context, plan bench.Plan, d *bench.Document) error {
	world, err := bench.NewWorld(ctx, plan)
	if err != nil {
		return err
	}
	defer world.Close()
	for range c.repeat {
		result, err := world.Run(ctx, c.load)
		if err == nil || result != nil && result.Requests > 0 {
			d.Results = append(d.Results, *result)
		}
		if err != nil {
			return err
		}
	}
	return world.Verify(ctx, &d.Results[len(d.Results)-1].Check)
}

// pids is a list of process ids.
type pids []int

func (p *pids) String() string { return strings.Trim(fmt.Sprint([]int(*p)), "[]") }

func (p *pids) Set(value string) error {
	for text := range strings.SplitSeq(value, ",") {
		pid, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || pid < 1 {
			return fmt.Errorf("%q is no process id", text)
		}
		*p = append(*p, pid)
	}
	return nil
}
