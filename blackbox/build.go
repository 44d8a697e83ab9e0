package blackbox

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// envProgram names a cartd that is built already. `make test` builds one for all packages.
const envProgram = "BLACKBOX_PROGRAM"

// Main builds cartd once for all tests of a package, writes the program's path to program and runs
// the tests. It returns their exit status.
func Main(m *testing.M, program *string) (status int) {
	dir, err := os.MkdirTemp("", "cartd-test-")
	if err == nil {
		defer os.RemoveAll(dir)
		*program, err = Build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// Build compiles cartd into a folder and returns the program's path, or that of the program that is
// built already. flags are further flags of `go build`; a program with flags is always compiled.
func Build(dir string, flags ...string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	consult(root)
	if built := os.Getenv(envProgram); built != "" && len(flags) == 0 {
		_, err := os.Stat(built)
		return built, err
	}
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

// consult stats every file that a build may depend on. `go test` reuses a result until a file
// changes that the test read, and it does not see the files that the compiler reads.
func consult(root string) {
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil: // removed meanwhile; if it matters, the compiler reports it
			return nil
		case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		}
		_, _ = os.Stat(path)
		return nil
	})
}
