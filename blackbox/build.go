package blackbox

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build compiles cartd into a folder and returns the program's path. The flags are further
// ones of `go build`.
func Build(dir string, flags ...string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	consult(root)
	binary := filepath.Join(dir, "cartd")
	build := exec.Command("go", append(append([]string{"build", "-ldflags=-s -w"}, flags...), "-o", binary, "./cmd/cartd")...)
	build.Dir = root
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %w\n%s", build.Args, err, output)
	}
	return binary, nil
}

// Root is the module's folder.
func Root() (string, error) {
	file, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	return filepath.Dir(strings.TrimSpace(string(file))), nil
}

// consult looks at every file that a build may depend on: `go test` reports an earlier
// result again while nothing has changed that the test looked at, and it does not see what
// the compiler looks at.
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
