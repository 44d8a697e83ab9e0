package blackbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// The block of docs/migrating.md makes a document from the template. The document can be imported,
// and its products are sold.
func TestAConvertedTableIsSold(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/migrating.md")
	if err != nil {
		t.Fatal(err)
	}
	found := pasteBlock.FindStringSubmatch(string(page))
	if found == nil {
		t.Fatal("docs/migrating.md has no block")
	}
	dir := t.TempDir()
	shell := exec.Command("bash", "-euo", "pipefail", "-c", strings.ReplaceAll(found[1], "bin/cartd", binary))
	shell.Dir = dir
	out, err := shell.CombinedOutput()
	if err != nil || string(out) != found[2] {
		t.Fatalf("%v\n got %s\nwant %s", err, out, found[2])
	}
	r := redistest.Mini(t)
	imports(t, r, filepath.Join(dir, "store.json")).wantStores(t, "imported, 2 products")
}

// A table with faults makes no file; arguments that are none exit with 2.
func TestTablesThatCannotBeConverted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "store.json")
	table := fileOf(t, []byte("product,unit\na,dozen\n"))
	if f := runs(t, "convert", "csv", table, "--out", out); f.code != 1 || !strings.Contains(f.stderr, "products[0].unit: must be one of") {
		t.Errorf("%+v", f)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a document with faults was written")
	}
	for _, args := range [][]string{{}, {"excel", table}, {"csv"}, {"csv", table}, {"csv", table, "--out", out, "--store", "x"}, {"csv", table, "--out", out, "--tax", "x"}} {
		if f := runs(t, append([]string{"convert"}, args...)...); f.code != 2 {
			t.Errorf("cartd convert %v: exit %d, want 2", args, f.code)
		}
	}
}
