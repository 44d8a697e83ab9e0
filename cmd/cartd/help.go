package main

import (
	"flag"
	"fmt"
	"io"

	"cartd/internal/commandline"
)

func defineHelp(*flag.FlagSet) func(*call) error { return runHelp }

// runHelp explains a command, or lists all.
func runHelp(c *call) error {
	switch len(c.args) {
	case 0:
		listCommands(c.stdout)
		return nil
	case 1:
		if named := findCommand(c.args[0]); named != nil {
			named.help(c.stdout)
			return nil
		}
		return commandline.Usage("there is no command %q%s", c.args[0], commandline.DidYouMean(c.args[0], "", commandNames()))
	}
	return commandline.Usage("name one command: cartd help COMMAND")
}

func listCommands(w io.Writer) {
	fmt.Fprint(w, "cartd is a storefront cart engine.\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  cartd %-10s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\ncartd help COMMAND lists its flags, with examples; each flag has an environment variable (CARTD_LISTEN for --listen).\n")
}

// help prints the command's usage, flags and examples.
func (c *command) help(w io.Writer) {
	fs, _ := c.flagSet()
	commandline.PrintHelp(fs, w, c.usageLine())
	if len(c.examples) > 0 {
		fmt.Fprint(w, "\nExamples:\n")
	}
	for _, e := range c.examples {
		fmt.Fprintf(w, "\n  # %s\n  %s\n", e.purpose, e.line)
	}
}
