package main

import (
	"cmp"
	"flag"
	"fmt"
	"runtime/debug"
	"strings"
)

const versionUsage = "cartd version (there are no flags)"

func defineVersion(*flag.FlagSet) func(*call) error { return runVersion }

// runVersion prints the version in one line.
func runVersion(c *call) error {
	if err := c.noArguments(versionUsage); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.stdout, versionLine(debug.ReadBuildInfo()))
	return err
}

// release is the version of this program. CHANGELOG.md lists the changes of each release.
const release = "0.1.0"

// revision is set by make build and scripts/release.sh, because Go finds none in a linked worktree of Git,
// or with -buildvcs=false. A + at its end means that files were changed.
var revision string

// revisionDigits is the number of digits of a revision that are shown.
const revisionDigits = 12

// versionLine returns the release and, if the build knows them, its revision and Go's version. A +
// after the revision means that files were changed.
func versionLine(info *debug.BuildInfo, known bool) string {
	line := "cartd " + release
	if !known {
		return line
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	linked, changed := strings.CutSuffix(revision, "+")
	if revision := cmp.Or(settings["vcs.revision"], linked); revision != "" {
		line += " (" + revision[:min(len(revision), revisionDigits)]
		if settings["vcs.modified"] == "true" || settings["vcs.revision"] == "" && changed {
			line += "+"
		}
		line += ")"
	}
	return line + " " + info.GoVersion
}
