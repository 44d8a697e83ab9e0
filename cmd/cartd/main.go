// Command cartd serves carts over HTTP and prepares what it serves.
//
// It owns flags, environment, wiring and the operator's commands, and nothing else. Open
// first: command.go (how a command is described), commands.go (all of them), serve.go.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"cartd/internal/commandline"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// Exit statuses. A command line that cannot be carried out as it stands is told from what
// may succeed the next time.
const (
	exitFailed = 1
	exitUsage  = 2
)

// run returns the exit status: 0, or another after one line that says what to do.
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

// asWord is the command that a flag in a command's place asks for.
func asWord(arg string) string {
	switch arg {
	case "-h", "--help":
		return "help"
	case "--version":
		return "version"
	}
	return arg
}

// errReported means that the command has said what is wrong.
var errReported = errors.New("reported")
