package main

import (
	"errors"
	"flag"
	"fmt"
	"runtime/debug"
)

const versionUsage = "cartd version (there are no flags)"

func defineVersion(*flag.FlagSet) func(*call) error { return runVersion }

// runVersion says in one line what runs.
func runVersion(c *call) error {
	if err := c.noArguments(versionUsage); err != nil {
		return err
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this program was built without Go modules, which know the version")
	}
	_, err := fmt.Fprintf(c.stdout, "cartd %s %s\n", builtFrom(info), info.GoVersion)
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
