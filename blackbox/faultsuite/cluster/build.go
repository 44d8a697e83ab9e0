package cluster

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cartd/blackbox"
)

// Patch is a change to one source text. Only the compiler sees the changed copy, so the product has
// no hook for tests.
type Patch struct {
	File string // below the module's root
	Old  string // stands exactly once in the file
	New  string
}

// Build compiles cartd with the patches and returns the program's path.
func Build(t testing.TB, patches ...Patch) string {
	t.Helper()
	dir := t.TempDir()
	binary, err := blackbox.Build(dir, "-overlay", overlay(t, dir, patches))
	if err != nil {
		t.Fatalf("%d patches: %v", len(patches), err)
	}
	return binary
}

// Applies fails the test unless the patches find their texts, without compiling them.
func Applies(t testing.TB, patches ...Patch) {
	t.Helper()
	overlay(t, t.TempDir(), patches)
}

// overlay writes the patched texts into dir, and the file that names them.
func overlay(t testing.TB, dir string, patches []Patch) string {
	t.Helper()
	root, err := blackbox.Root()
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, p := range patches {
		if texts[p.File] == "" {
			texts[p.File] = readText(t, filepath.Join(root, p.File))
		}
		text, err := p.apply(texts[p.File])
		if err != nil {
			t.Fatal(err)
		}
		texts[p.File] = text
	}
	replace := map[string]string{}
	for file, text := range texts {
		copied := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		writeText(t, copied, []byte(text))
		replace[filepath.Join(root, file)] = copied
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	writeText(t, file, list)
	return file
}

// apply makes the change. It returns an error unless the old text stands in the file exactly once.
func (p Patch) apply(text string) (string, error) {
	if n := strings.Count(text, p.Old); n != 1 {
		return "", fmt.Errorf("%s holds the text to replace %d times, want once; adapt the patch to what stands there now:\n%s", p.File, n, p.Old)
	}
	return strings.Replace(text, p.Old, p.New, 1), nil
}

func readText(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeText(t testing.TB, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
