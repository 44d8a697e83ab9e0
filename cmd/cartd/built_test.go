package main

import (
	"runtime/debug"
	"testing"
)

func TestTheVersionIsWhatWasBuilt(t *testing.T) {
	t.Parallel()
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "aa845ae0123456789abcdef0123456789abcdef0"}
	modified := func(value string) debug.BuildSetting { return debug.BuildSetting{Key: "vcs.modified", Value: value} }
	for _, c := range []struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{"v1.2.3", nil, "v1.2.3"},
		{"(devel)", nil, "(devel)"},
		{"v0.0.0-20261121051431-aa845ae01234", []debug.BuildSetting{revision, modified("false")}, "aa845ae01234"},
		{"(devel)", []debug.BuildSetting{revision, modified("true")}, "aa845ae01234+"},
	} {
		info := debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings}
		if got := builtFrom(&info); got != c.want {
			t.Errorf("built from %s %v: %q, want %q", c.version, c.settings, got, c.want)
		}
	}
}
