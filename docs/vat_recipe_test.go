package docs_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The sums of docs/recipes/vat.md are what its function makes of its orders. Its first block is run by the
// long tests, as those of the other recipes.
func TestRecipeOfTheQuartersTax(t *testing.T) {
	page, err := os.ReadFile("recipes/vat.md")
	if err != nil {
		t.Fatal(err)
	}
	between := func(begin, end string) string {
		_, rest, found := strings.Cut(string(page), begin)
		text, _, ended := strings.Cut(rest, end)
		if !found || !ended {
			t.Fatalf("the recipe has no %q with %q behind it", begin, end)
		}
		return text
	}
	block := func(name string) string { return between("\n```"+name+"\n", "```\n") }
	function := "vat() {\n" + between("\nvat() {\n", "\n}\n") + "\n}\n"
	sum := exec.Command("bash", "-euo", "pipefail", "-c", function+"vat 2026-10-01 2027-01-01")
	sum.Stdin = strings.NewReader(block("orders"))
	got, err := sum.CombinedOutput()
	if want := block("result"); err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}
