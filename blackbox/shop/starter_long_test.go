//go:build long

package shop

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cartd/blackbox"
)

// TestLongStarter takes clients/starter into a folder of its own with the packed client, as its README says, builds it without a
// warning, and runs its own checks, tests and journeys (clients/starter/tests) against the built program.
func TestLongStarter(t *testing.T) {
	root, err := blackbox.Root()
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	folder := filepath.Join(work, "starter")
	copyProject(t, filepath.Join(root, "clients/typescript"), filepath.Join(work, "typescript"))
	copyProject(t, filepath.Join(root, "clients/starter"), folder)
	cartd, err := filepath.Abs(program)
	if err != nil {
		t.Fatal(err)
	}
	environment := append(os.Environ(), "NEXT_TELEMETRY_DISABLED=1", "CARTD="+cartd,
		"DEMO_STORE="+filepath.Join(root, "cmd/cartd/demo/store.json"))
	run := func(folder string, command ...string) string {
		t.Helper()
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir, cmd.Env = filepath.Join(work, folder), environment
		output, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", command, err, output)
		}
		return string(output)
	}
	run("typescript", "npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
	run("typescript", "npm", "pack", "--loglevel=error", "--pack-destination", "../starter")
	run("starter", "npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
	lock, err := os.ReadFile(filepath.Join(root, "clients/starter/package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	if copied, err := os.ReadFile(filepath.Join(folder, "package-lock.json")); err != nil || string(copied) != string(lock) {
		t.Errorf("the installation has changed package-lock.json (%v)", err)
	}
	if output := run("starter", "npm", "run", "build"); regexp.MustCompile(`(?i)warn|⚠|deprecat|error`).MatchString(output) {
		t.Errorf("npm run build warns:\n%s", output)
	}
	wantNoSecrets(t, folder)
	run("starter", "npm", "run", "--silent", "typecheck")
	run("starter", "npm", "run", "--silent", "lint")
	t.Log(run("starter", "npm", "test", "--silent"))
}

// copyProject copies a project's folder without what is installed and built in it.
func copyProject(t *testing.T, from, to string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", `mkdir "$2" && cd "$1" && tar -c --exclude=./node_modules --exclude=./.next --exclude=./dist --exclude='./*.tgz' . | tar -x -C "$2"`, "-", from, to)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

// wantNoSecrets fails the test if a script for browsers has a key.
func wantNoSecrets(t *testing.T, folder string) {
	t.Helper()
	scripts := 0
	err := filepath.WalkDir(filepath.Join(folder, ".next/static"), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		source, err := os.ReadFile(path)
		scripts++
		for _, secret := range []string{"demo-storefront-key", "demo-read-only-key", "demo-merchant-key", "X-Customer-Token"} {
			if strings.Contains(string(source), secret) {
				t.Errorf("%s has %s, which only the server may know", path, secret)
			}
		}
		return err
	})
	if err != nil || scripts == 0 {
		t.Fatalf("%d scripts, %v", scripts, err)
	}
}
