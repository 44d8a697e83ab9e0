package main

import (
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
	_, err := fmt.Fprintln(c.stdout, versionLine(debug.ReadBuildInfo()))
	return err
}

// release is the version of this program; CHANGELOG.md says what each one changed.
const release = "0.1.0"

// revisionDigits is how much of a revision is shown.
const revisionDigits = 12

// versionLine names the release, and where the build knows them the revision that it was made from
// and Go's version. A + behind the revision says that files were changed since.
func versionLine(info *debug.BuildInfo, known bool) string {
	line := "cartd " + release
	if !known {
		return line
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if revision := settings["vcs.revision"]; revision != "" {
		line += " (" + revision[:min(len(revision), revisionDigits)]
		if settings["vcs.modified"] == "true" {
			line += "+"
		}
		line += ")"
	}
	return line + " " + info.GoVersion
}
