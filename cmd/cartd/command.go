package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"cartd/internal/commandline"
)

// command is one subcommand.
type command struct {
	name, summary string
	// usage is the command line, examples are some command lines with their purpose.
	usage    string
	examples []example
	// define declares the flags and returns the function that runs the command after they are read.
	define func(fs *flag.FlagSet) func(*call) error
	// operator has the acts of a command that works on one store; usage and define follow from them.
	operator *operatorCommand
	// logs is true if the command writes log lines; warnings are then among them.
	logs bool
}

// example is a command line with its purpose.
type example struct{ purpose, line string }

// call is one run of a command.
type call struct {
	// name is the command's.
	name string
	// args are the arguments after the flags.
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
	// warnings are about the environment, one line each.
	warnings []string
}

// typed says what a command is about to do, and reports whether a word was typed to go on. At the end of
// the input it was not.
func (c *call) typed(word, about string, args ...any) bool {
	fmt.Fprintf(c.stdout, about+"\nType %s to go on: ", append(args, word)...)
	line, _ := bufio.NewReader(c.stdin).ReadString('\n')
	fmt.Fprintln(c.stdout)
	return strings.TrimSpace(line) == word
}

// flagSet declares the command's flags.
func (c *command) flagSet() (*flag.FlagSet, func(*call) error) {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	if c.operator != nil {
		return fs, c.operator.define(fs)
	}
	return fs, c.define(fs)
}

// usageLine is the command line.
func (c *command) usageLine() string {
	if c.operator != nil {
		return c.operator.usage(c.name)
	}
	return c.usage
}

// run reads flags and environment and runs the command. If help is asked for, it prints the help
// and returns flag.ErrHelp.
func (c *command) run(args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	fs, runWith := c.flagSet()
	if err := parseFlags(fs, args); errors.Is(err, flag.ErrHelp) {
		c.help(stdout)
		return err
	} else if err != nil {
		return fmt.Errorf("%w: see cartd %s --help", err, c.name)
	}
	with := &call{name: c.name, args: fs.Args(), stdin: stdin, stdout: stdout, stderr: stderr, warnings: mistyped()}
	if !c.logs {
		for _, warning := range with.warnings {
			fmt.Fprintf(stderr, "cartd %s: warning: %s\n", c.name, warning)
		}
	}
	return runWith(with)
}

// noArguments refuses arguments after the flags.
func (c *call) noArguments(usage string) error {
	if len(c.args) > 0 {
		return commandline.Usage("unexpected argument %q: %s", c.args[0], usage)
	}
	return nil
}

// findCommand returns a command by its name, or nil.
func findCommand(name string) *command {
	for _, c := range commands() {
		if c.name == name {
			return &c
		}
	}
	return nil
}

func commandNames() (names []string) {
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}
