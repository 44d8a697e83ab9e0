//go:build long

package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// lints runs a script of the repository over files and reports whether it has no complaint.
func lints(script string, files ...string) (out string, ok bool) {
	text, err := exec.Command("sh", append([]string{filepath.Join("..", "..", "scripts", script)}, files...)...).CombinedOutput()
	return string(text), err == nil
}

// altered writes a copy of a file with one text in the place of another.
func altered(t *testing.T, file, old, new string) string {
	t.Helper()
	text := read(t, file)
	if !strings.Contains(text, old) {
		t.Fatalf("%s has no %q", file, old)
	}
	copied := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(copied, []byte(strings.Replace(text, old, new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	return copied
}

// Kubernetes and Docker Compose know every field of the files, and their linters find a
// fault where there is one.
func TestLongLintersAcceptTheFiles(t *testing.T) {
	manifests, err := filepath.Glob("../../deploy/kubernetes/*.yaml")
	if err != nil || len(manifests) != 4 {
		t.Fatalf("../../deploy/kubernetes/ has %q, %v", manifests, err)
	}
	if out, ok := lints("lint-kubernetes.sh", manifests...); !ok || !strings.Contains(out, "Skipped: 0") {
		t.Error(out)
	}
	if out, ok := lints("lint-compose.sh", "../../deploy/compose.yaml"); !ok {
		t.Error(out)
	}
	for _, bad := range []struct{ script, file, old, new string }{
		{"lint-kubernetes.sh", "../../deploy/kubernetes/deployment.yaml", "enableServiceLinks", "enableServiceLink"},
		{"lint-kubernetes.sh", "../../deploy/kubernetes/deployment.yaml", "replicas: 3", "replicas: three"},
		{"lint-compose.sh", "../../deploy/compose.yaml", "mem_limit", "mem_limits"},
	} {
		if out, ok := lints(bad.script, altered(t, bad.file, bad.old, bad.new)); ok {
			t.Errorf("%s accepts %q in %s\n%s", bad.script, bad.new, bad.file, out)
		}
	}
}
