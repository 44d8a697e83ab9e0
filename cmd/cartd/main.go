// Command cartd serves carts over HTTP and prepares what it serves.
//
// It owns flags, environment and wiring, and nothing else. Open first: serve.go.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// command is one subcommand: run gets the arguments behind its name.
type command struct {
	name, usage string
	run         func(args []string, stdout, stderr io.Writer) error
}

var commands = []command{
	{"serve", "serve the HTTP API", runServe},
	{"check", "validate store documents", runCheck},
	{"import", "load store documents into Redis, while nodes run", runImport},
	{"export", "write a store as a document", runExport},
	{"orders", "write a store's orders as JSON lines", runOrders},
	{"key", "make, list and revoke API keys", runKey},
	{"version", "say what was built", runVersion},
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit status: 0, or 1 after one line that says what to do.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		usage(stdout)
		return 0
	}
	name := args[0]
	if name == "--version" {
		name = "version"
	}
	for _, c := range commands {
		if c.name != name {
			continue
		}
		err := c.run(args[1:], stdout, stderr)
		switch {
		case err == nil, errors.Is(err, flag.ErrHelp):
			return 0
		case errors.Is(err, errReported):
			return 1
		}
		fmt.Fprintf(stderr, "cartd %s: %v\n", c.name, err)
		return 1
	}
	fmt.Fprintf(stderr, "cartd: there is no command %q: see cartd help\n", args[0])
	return 1
}

// errReported means that the command has said what is wrong.
var errReported = errors.New("reported")

func usage(w io.Writer) {
	fmt.Fprint(w, "cartd is a storefront cart engine.\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  cartd %-8s %s\n", c.name, c.usage)
	}
	fmt.Fprint(w, "\ncartd COMMAND --help lists the flags; each has an environment twin (--listen: CARTD_LISTEN).\n")
}
