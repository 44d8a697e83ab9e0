package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
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

// variablePrefix is the prefix of the environment twins.
const variablePrefix = "CARTD_"

// twin is the environment variable of a flag.
func twin(flag string) string { return variablePrefix + variableOf(flag) }

// variableOf is the twin without its prefix.
func variableOf(flag string) string { return strings.ToUpper(strings.ReplaceAll(flag, "-", "_")) }

// instead has pairs of flags that exclude each other: if one is given, the environment twin of the
// other does not count.
var instead = map[string]string{"redis": "redis-file", "redis-file": "redis"}

// parseFlags reads flags and, for flags that are not given, their environment twins. An empty twin
// counts as not set. An error has one line.
func parseFlags(fs *flag.FlagSet, args []string) error {
	if err := commandline.Parse(fs, args, io.Discard, ""); err != nil {
		return err
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name], given[instead[f.Name]] = true, true })
	var err error
	fs.VisitAll(func(f *flag.Flag) {
		name := twin(f.Name)
		if value := os.Getenv(name); value != "" && !given[f.Name] && err == nil {
			if setErr := fs.Set(f.Name, value); setErr != nil {
				err = &commandline.UsageError{Err: commandline.Fault(f.Value, name, value, setErr)}
			}
		}
	})
	return err
}

// isGiven reports whether a flag was set, on the command line or by its twin.
func isGiven(fs *flag.FlagSet, name string) (given bool) {
	fs.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	return given
}

// mistyped returns a warning for each variable with the prefix that is no flag's twin.
func mistyped() (warnings []string) {
	known := variables()
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		rest, ours := strings.CutPrefix(name, variablePrefix)
		if ours && !slices.Contains(known, rest) {
			warnings = append(warnings, name+" is no variable of cartd"+commandline.DidYouMean(rest, variablePrefix, known))
		}
	}
	slices.Sort(warnings)
	return warnings
}

// variables are the environment twins of all commands' flags, without their prefix.
func variables() (names []string) {
	for _, c := range commands() {
		fs, _ := c.flagSet()
		fs.VisitAll(func(f *flag.Flag) { names = append(names, variableOf(f.Name)) })
	}
	return names
}

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

const completionUsage = "cartd completion bash | zsh | fish"

func defineCompletion(*flag.FlagSet) func(*call) error { return runCompletion }

// runCompletion prints the script of a shell.
func runCompletion(c *call) error {
	shells := map[string]func(io.Writer){"bash": completeBash, "zsh": completeZsh, "fish": completeFish}
	if len(c.args) != 1 || shells[c.args[0]] == nil {
		return commandline.Usage("name the shell: %s", completionUsage)
	}
	shells[c.args[0]](c.stdout)
	return nil
}

// flagNames returns a command's flags with their dashes.
func (c *command) flagNames() (names []string) {
	fs, _ := c.flagSet()
	fs.VisitAll(func(f *flag.Flag) { names = append(names, "--"+f.Name) })
	return append(names, "--help")
}

// completeBash completes the command first, then its flags and files.
func completeBash(w io.Writer) {
	fmt.Fprint(w, "_cartd() {\n\tlocal word=${COMP_WORDS[COMP_CWORD]} flags=\n\tcase ${COMP_WORDS[1]} in\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "\t%s) flags='%s' ;;\n", c.name, strings.Join(c.flagNames(), " "))
	}
	fmt.Fprintf(w, `	esac
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W '%s' -- "$word"))
	elif [[ $word == -* ]]; then
		COMPREPLY=($(compgen -W "$flags" -- "$word"))
	else
		COMPREPLY=($(compgen -f -- "$word"))
	fi
}
complete -o filenames -F _cartd cartd
`, strings.Join(commandNames(), " "))
}

// completeZsh loads the script of bash into zsh.
func completeZsh(w io.Writer) {
	fmt.Fprint(w, "#compdef cartd\nautoload -U +X bashcompinit && bashcompinit\n")
	completeBash(w)
}

func completeFish(w io.Writer) {
	for _, c := range commands() {
		fmt.Fprintf(w, "complete -c cartd -n __fish_use_subcommand -f -a %s -d '%s'\n", c.name, strings.ReplaceAll(c.summary, "'", `\'`))
		for _, name := range c.flagNames() {
			fmt.Fprintf(w, "complete -c cartd -n '__fish_seen_subcommand_from %s' -l %s\n", c.name, strings.TrimPrefix(name, "--"))
		}
	}
}
