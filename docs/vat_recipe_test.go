package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The sums of docs/recipes/vat.md are what its commands print for its orders.
func TestRecipeOfTheQuartersTax(t *testing.T) {
	page, err := os.ReadFile("recipes/vat.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(name string) string {
		_, rest, found := strings.Cut(string(page), "\n```"+name+"\n")
		text, _, ended := strings.Cut(rest, "```\n")
		if !found || !ended {
			t.Fatalf("the recipe has no block %s", name)
		}
		return text
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "orders.txt"), []byte(block("orders")), 0o600); err != nil {
		t.Fatal(err)
	}
	sum := exec.Command("sh", "-c", block("sum"))
	sum.Dir, sum.Env = dir, append(os.Environ(), "LC_ALL=C")
	got, err := sum.CombinedOutput()
	if want := block("result"); err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}
