package main

import (
	"os"
	"os/exec"
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

// make build names the revision itself, so that it is known also with -buildvcs=false. A + says that
// files were changed.
func TestMakeBuildNamesTheRevision(t *testing.T) {
	revision = strings.Repeat("ab", 20) + "+"
	t.Cleanup(func() { revision = "" })
	info := &debug.BuildInfo{GoVersion: "go1.25.0"}
	if got, want := versionLine(info, true), "cartd "+release+" (abababababab+) go1.25.0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	info.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: strings.Repeat("cd", 20)}}
	if got, want := versionLine(info, true), "cartd "+release+" (cdcdcdcdcdcd) go1.25.0"; got != want { // Go's own knowledge comes first
		t.Errorf("got %q, want %q", got, want)
	}
	command := exec.Command("make", "-n", "build")
	command.Dir = "../.."
	out, err := command.Output()
	if err != nil {
		t.Skipf("make: %v", err)
	}
	head, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		t.Skipf("no checkout: %v", err)
	}
	if want := "-X main.revision=" + strings.TrimSpace(string(head)); !strings.Contains(string(out), want) {
		t.Errorf("make build does not give %q:\n%s", want, out)
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
