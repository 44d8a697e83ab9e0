package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cartd/bench"
	"cartd/commerce/storefile"
	"cartd/internal/unitcosts"
)

// TestMain runs this program as cartbench if the suite starts it as the floor.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test.") {
		main()
	}
	os.Exit(m.Run())
}

// cartd accepts the store documents that scenarios need.
func TestStoreDocumentsHaveNoFault(t *testing.T) {
	for name, flags := range map[string][]string{"bench-store": nil, "bench-sale": {"--sale"}} {
		dir := t.TempDir()
		var out, errs bytes.Buffer
		if status := run(t.Context(), append([]string{"store", "--stores", "2", "--out", dir}, flags...), &out, &errs); status != 0 {
			t.Fatalf("status %d: %s", status, errs.String())
		}
		for i := range 2 {
			text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%s-%04d.json", name, i)))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := storefile.Parse(text); err != nil {
				t.Errorf("%s %d: %v", name, i, err)
			}
		}
	}
	if _, err := storefile.Parse(bench.FlashDocument(0, 500, 200)); err != nil {
		t.Error(err)
	}
}

// Every command prints its help. A wrong flag is an error of one line, and the command does not run.
func TestEveryCommandHelps(t *testing.T) {
	for _, c := range commands {
		var out, errs bytes.Buffer
		if status := run(t.Context(), []string{c.name, "--help"}, &out, &errs); status != 0 || errs.Len() > 0 ||
			!strings.HasPrefix(out.String(), "cartbench "+c.name+" ") {
			t.Errorf("cartbench %s --help\n got: exit %d\n%s%s\nwant: its usage", c.name, status, out.String(), errs.String())
		}
		out.Reset()
		if status := run(t.Context(), []string{c.name, "--colour"}, &out, &errs); status != 1 || out.Len() > 0 ||
			!strings.Contains(errs.String(), "--colour: see cartbench "+c.name+" --help\n") {
			t.Errorf("cartbench %s --colour\n got: exit %d\n%s%s\nwant: a line on standard error", c.name, status, out.String(), errs.String())
		}
	}
}

// The figures are written into a file of JSON, and into a page between its two lines.
func TestUnitCostsAreWritten(t *testing.T) {
	dir := t.TempDir()
	page, table := filepath.Join(dir, "page.md"), filepath.Join(dir, "table.json")
	if err := os.WriteFile(page, []byte("# Page\n"+unitcosts.Begin+unitcosts.End), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(writePage(unitcosts.Table(), page), writeTable(unitcosts.Table(), table)); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{page: "| cart read | ", table: `{"Kind":"read","About":"cart read",`} {
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %q: %v\n%s", file, want, err, text)
		}
	}
	if err := writePage(unitcosts.Table(), table); err == nil {
		t.Error("a page without a place for the figures is written")
	}
}

func TestErrorsOfCommandLinesNameTheRemedy(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"dance", "there is no command"}, {"run --scenario nothing", "cartbench scenarios lists"}, {"run --adapter nothing", "adapter"},
		{"run --server-pids x", "no process id"}, {"suite --cases nothing", `no case "nothing"`}, {"compare a", "two files"},
		{"run --threshold p99=5", "is no threshold"}, {"flash --threshold p98<5ms", "no figure"}, {"suite --threshold p99<5", "write a number and ms"},
		{"compare --threshold p99<5 a b", "write a number"}, {"run --duration x", "cartbench run --help"}, {"run --rate -5",
			"at least zero"}, {"run --rate NaN", "at least zero"},
		{"run --requests -1", "at least zero"}, {"run --target ftp://127.0.0.1", "https://HOST:PORT"}, {"floor --answers nothing", "nothing"},
		{"flash --shoppers 0", "at least one shopper"}, {"flash --longest 0s", "flash --help"}, {"flash --within 0s", "flash --help"},
		{"flash --nodes 0", "one node"},
		{"unit-costs --stores 3", "unit-costs --help"}, {"unit-costs --rounds 0", "unit-costs --help"},
		{"flash --target http://127.0.0.1:1 --adapter plain", "no flash sale"},
	} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), strings.Fields(c.args), &out, &errs); status != 1 || !strings.Contains(errs.String(), c.want) {
			t.Errorf("cartbench %s: status %d, %q; want 1 and %q", c.args, status, errs.String(), c.want)
		}
	}
}
