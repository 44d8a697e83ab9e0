//go:build long

package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"cartd/bench"
	"cartd/blackbox"
)

// A flash sale on two nodes of the real program: exactly the units are sold, in both loops.
func TestLongFlashSaleOfTwoNodesIsExact(t *testing.T) {
	dir := t.TempDir()
	cartd, err := blackbox.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "out.json")
	var output bytes.Buffer
	status := run(t.Context(), []string{
		"flash", "--cartd", cartd, "--shoppers", "150", "--units", "20", "--uses", "8", "--connections", "16",
		"--within", "500ms", "--roam", "--max-errors", "1000", "--json", file,
	}, &output, &output)
	if status != 0 {
		t.Fatalf("status %d\n%s", status, output.String())
	}
	d, err := bench.ReadDocument(file)
	if err != nil || len(d.Results) != 2 {
		t.Fatalf("%d results, %v; want 2", len(d.Results), err)
	}
	for _, r := range d.Results {
		f := r.Flash
		if f.Sold != 20 || f.SoldOut != 130 || f.Orders != 20 || f.UnitsSold != 20 || f.UnitsGone != 20 || f.UsesCounted != 8 {
			t.Errorf("%s: %+v", r.Case, f)
		}
		if r.CPU.Server <= 0 || r.CPU.Redis <= 0 || r.ByOp["add"].Count != 150 {
			t.Errorf("%s is not measured: %+v, %+v", r.Case, r.CPU, r.ByOp)
		}
	}
	for _, want := range []string{"Sold out after ", " orders a second", "no unit was sold twice", "A shopper's visit: p50"} {
		if strings.Count(output.String(), want) != 2 {
			t.Errorf("the report lacks %q:\n%s", want, output.String())
		}
	}
}
