//go:build long

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cartd/bench"
	"cartd/blackbox"
)

// The suite runs the real programs. Every answer of cartd is as the harness expects, no line is lost
// or doubled, and the floor is measured too.
func TestLongTheSuiteDrivesCartdAndTheFloor(t *testing.T) {
	dir := t.TempDir()
	cartd, err := blackbox.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	file, page := filepath.Join(dir, "out.json"), filepath.Join(dir, "out.html")
	var output bytes.Buffer
	status := run(t.Context(), []string{
		"suite", "--cartd", cartd, "--cases", "mixed,hot-add",
		"--pairs", "1", "--duration", "100ms", "--json", file, "--html", page,
	}, &output, &output)
	if status != 0 {
		t.Fatalf("status %d\n%s", status, output.String())
	}
	d, err := bench.ReadDocument(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Results) != 4 || len(d.Ratios) != 2 {
		t.Fatalf("%d results and %d ratios, want 4 and 2\n%s", len(d.Results), len(d.Ratios), output.String())
	}
	for _, r := range d.Results {
		if r.Requests == 0 || r.CPU.Server <= 0 || r.CPU.Redis <= 0 || r.CPU.Client <= 0 || r.Memory.Server == 0 || r.Check.Answers == 0 || r.Latency.P9999 <= 0 {
			t.Errorf("%s on %s was not measured: %+v", r.Case, r.System, r)
		}
		if strings.HasPrefix(r.System, "cartd") && (r.Check.Unjudged || r.Check.Records == 0 || !r.Check.OK()) {
			t.Errorf("%s on %s was not checked, or is wrong: %+v, %+v", r.Case, r.System, r.Check, r.Errors)
		}
	}
	if _, err := os.Stat(page); err != nil {
		t.Error(err)
	}
}
