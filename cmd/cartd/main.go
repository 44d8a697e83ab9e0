// Command cartd serves carts over HTTP and has the operator's commands.
//
// It owns flags, environment, wiring and the operator's commands. It knows no rule of carts and no
// key of Redis. Open first: command.go (the description of a command), command_table.go (all commands),
// serve.go.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"cartd/internal/commandline"
)

func main() {
	// net/http prints bytes of webhooks' receivers to Go's standard logger. webhooks/delivery_attempt.go
	// reports such bytes.
	log.SetOutput(io.Discard)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Exit statuses. A usage error needs another command line; any other failure may pass if the
// command is repeated.
const (
	exitFailed = 1
	exitUsage  = 2
)

// run returns the exit status. If it is not 0, one line on stderr gives the error and advice.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		args = []string{"help"}
	}
	c := findCommand(asWord(args[0]))
	if c == nil {
		fmt.Fprintf(stderr, "cartd: there is no command %q%s: see cartd help\n", args[0], commandline.DidYouMean(args[0], "", commandNames()))
		return exitUsage
	}
	err := c.run(args[1:], stdin, stdout, stderr)
	var usage *commandline.UsageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errReported):
		return exitFailed
	}
	fmt.Fprintf(stderr, "cartd %s: %v\n", c.name, err)
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

// asWord returns the command that a first flag stands for.
func asWord(arg string) string {
	switch arg {
	case "-h", "--help":
		return "help"
	case "--version":
		return "version"
	}
	return arg
}

// errReported means that the command has printed its error.
var errReported = errors.New("reported")
