package main

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

// cartd version names the release and the build, also without version control data and without Go
// modules.
func TestVersionOfABuild(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "aa845ae0123456789abcdef0123456789abcdef0"}
	modified := func(text string) debug.BuildSetting { return debug.BuildSetting{Key: "vcs.modified", Value: text} }
	for _, c := range []struct {
		settings []debug.BuildSetting
		known    bool
		want     string
	}{
		{[]debug.BuildSetting{revision, modified("false")}, true, "cartd " + release + " (aa845ae01234) go1.25.0"},
		{[]debug.BuildSetting{revision, modified("true")}, true, "cartd " + release + " (aa845ae01234+) go1.25.0"},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "7"}}, true, "cartd " + release + " (7) go1.25.0"},
		{nil, true, "cartd " + release + " go1.25.0"},
		{nil, false, "cartd " + release},
	} {
		if got := versionLine(&debug.BuildInfo{GoVersion: "go1.25.0", Settings: c.settings}, c.known); got != c.want {
			t.Errorf("%v: got %q, want %q", c.settings, got, c.want)
		}
	}
}

// The newest entry of the change log is for this release.
func TestChangeLogNamesTheRelease(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	_, newest, _ := strings.Cut(string(text), "\n## ")
	if !strings.HasPrefix(newest, release+" ") && !strings.HasPrefix(newest, release+"\n") {
		t.Errorf("CHANGELOG.md begins with %.40q, want release %s", newest, release)
	}
}
