package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
)

// runVersion says in one line what runs.
func runVersion(args []string, stdout, _ io.Writer) error {
	const usage = "cartd version (there are no flags)"
	fs := flag.NewFlagSet("version", flag.ContinueOnError)
	if err := parseFlags(fs, args, stdout, usage); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: %s", fs.Arg(0), usage)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this program was built without Go modules, which know the version")
	}
	_, err := fmt.Fprintf(stdout, "cartd %s %s\n", builtFrom(info), info.GoVersion)
	return err
}

// revisionDigits is how much of a revision is shown.
const revisionDigits = 12

// builtFrom is the revision that a build was made from, with a + behind it where files
// were changed since; the module's version where no revision is known.
func builtFrom(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	if revision == "" {
		return info.Main.Version
	}
	if settings["vcs.modified"] == "true" {
		return revision[:revisionDigits] + "+"
	}
	return revision[:revisionDigits]
}
