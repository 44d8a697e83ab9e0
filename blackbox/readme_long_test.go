//go:build long

package blackbox_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The blocks of the README and of the task documents can be pasted: run in order on a fresh demo,
// they print the output that the document shows. Only the address differs. The references
// (errors.md, contract.md) have no block; every other page has one.
func TestLongTheBlocksOfTheDocuments(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../docs/api/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("docs/api: %v, %v", files, err)
	}
	for _, file := range append(files, "../README.md", "../docs/recipes/payment.md") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if page := filepath.Base(file); page == "errors.md" || page == "contract.md" {
				return
			}
			found := pasteBlock.FindAllStringSubmatch(string(text), -1)
			if len(found) == 0 || strings.Count(string(text), "```sh\n") != len(found) {
				t.Fatalf("%s: want blocks of commands, and what each prints after it", file)
			}
			var commands, shown string
			for _, block := range found { // later blocks use the variables of earlier ones
				commands, shown = commands+block[1], shown+block[2]
			}
			n := start(t, options{redis: "embedded", flags: []string{"--demo"}})
			if got := paste(t, n, commands); got != shown {
				t.Errorf("the blocks of %s printed\n%s\nthe document shows\n%s", file, got, shown)
			}
		})
	}
}

// The recipes can be pasted in the folder of the sources, each on a fresh demo.
func TestLongTheBlocksOfTheRecipes(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../docs/recipes/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("docs/recipes: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found := pasteBlock.FindStringSubmatch(string(text))
			if found == nil {
				t.Fatalf("%s: want a block of commands, and what it prints after it", file)
			}
			n := start(t, options{redis: "embedded", flags: []string{"--demo"}})
			if got := paste(t, n, "cd ..\n"+found[1]); got != found[2] {
				t.Errorf("the block of %s printed\n%s\nthe document shows\n%s", file, got, found[2])
			}
		})
	}
}
