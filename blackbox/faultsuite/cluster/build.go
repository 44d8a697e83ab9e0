package cluster

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Patch is a change to one source text. It is made in a copy that only the
// compiler sees, so that the product carries no hook.
type Patch struct {
	File string // below the module's root
	Old  string // stands exactly once in the file
	New  string
}

// Build compiles cartd with the patches and returns the program's path.
func Build(t testing.TB, patches ...Patch) string {
	t.Helper()
	dir, root := t.TempDir(), moduleRoot(t)
	consult(root)
	binary := filepath.Join(dir, "cartd")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", overlay(t, root, dir, patches), "-o", binary, "./cmd/cartd")
	build.Dir = root
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building cartd with %d patches: %v\n%s", len(patches), err, output)
	}
	return binary
}

// Applies fails the test unless the patches find their texts, without compiling them.
func Applies(t testing.TB, patches ...Patch) {
	t.Helper()
	overlay(t, moduleRoot(t), t.TempDir(), patches)
}

// consult looks at every file that a build may depend on: `go test` reports an
// earlier result again as long as nothing has changed that the test looked at, and
// what the compiler looks at it does not see.
func consult(root string) {
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil: // gone meanwhile: the compiler will say so where it matters
			return nil
		case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		}
		_, _ = os.Stat(path)
		return nil
	})
}

// overlay writes the patched texts into dir, and the file that names them.
func overlay(t testing.TB, root, dir string, patches []Patch) string {
	t.Helper()
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

// apply makes the change. Errors: the old text is not there, or not once.
func (p Patch) apply(text string) (string, error) {
	if n := strings.Count(text, p.Old); n != 1 {
		return "", fmt.Errorf("%s holds the text to replace %d times, want once; adapt the patch to what stands there now:\n%s", p.File, n, p.Old)
	}
	return strings.Replace(text, p.Old, p.New, 1), nil
}

func moduleRoot(t testing.TB) string {
	t.Helper()
	file, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatalf("go env GOMOD: %v", err)
	}
	return filepath.Dir(strings.TrimSpace(string(file)))
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
