// Command cartbench puts carts under load, measures and checks their answers, and serves the floor
// that they are compared with.
//
// It owns flags, output and exit statuses. It refuses to know how load is made (package bench), which
// cases the standard set has (bench/suite) and how results are presented (bench/report). Open first:
// run.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"cartd/internal/commandline"
)

// commit is set by the linker (make build).
var commit = "unknown"

// command is one subcommand. run gets the arguments after its name.
type command struct {
	name, usage string
	run         func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}

var commands = []command{
	{"run", "put a server under the load of one scenario", runLoad},
	{"suite", "run the standard set against a fresh Redis, floor and cartd in pairs", runSuite},
	{"flash", "sell few units to many shoppers in seconds, on two nodes of cartd or on a running system", runFlash},
	{"unit-costs", "measure what one request and one stored item cost a node and Redis", runUnitCosts},
	{"compare", "show two --json files side by side", runCompare},
	{"floor", "serve the floor: the minimum work of a durable cart service", runFloor},
	{"store", "write the store documents that scenarios need", runStore},
	{"scenarios", "list the scenarios of run and the cases of suite", runScenarios},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run returns the exit status: 0, or 1 if a command failed, or if answers were wrong or lines were
// lost or doubled.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		usage(stdout)
		return 0
	}
	for _, c := range commands {
		if c.name != args[0] {
			continue
		}
		err := c.run(ctx, args[1:], stdout, stderr)
		if err == nil || errors.Is(err, flag.ErrHelp) {
			return 0
		}
		if errors.Is(err, context.Canceled) {
			err = errors.New("interrupted; nothing was measured yet")
		}
		fmt.Fprintf(stderr, "cartbench %s: %v\n", c.name, err)
		return 1
	}
	fmt.Fprintf(stderr, "cartbench: there is no command %q: see cartbench help\n", args[0])
	return 1
}

func usage(w io.Writer) {
	fmt.Fprint(w, "cartbench is the load harness of cartd.\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  cartbench %-10s %s\n", c.name, c.usage)
	}
	fmt.Fprint(w, "\ncartbench COMMAND --help lists the flags; docs/bench.md explains them.\n")
}

// parse reads flags. An error is one line.
func parse(fs *flag.FlagSet, args []string, stdout io.Writer, usage string) error {
	err := commandline.Parse(fs, args, stdout, usage)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		return fmt.Errorf("%w: see cartbench %s --help", err, fs.Name())
	}
	return err
}
