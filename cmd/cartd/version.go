package main

import (
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
	_, err := fmt.Fprintln(stdout, versionLine(debug.ReadBuildInfo()))
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
