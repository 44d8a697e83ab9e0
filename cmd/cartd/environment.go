package main

import (
	"flag"
	"io"
	"os"
	"slices"
	"strings"

	"cartd/internal/commandline"
)

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
