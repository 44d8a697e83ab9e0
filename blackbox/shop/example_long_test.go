//go:build long

package shop

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"

	"cartd/blackbox"
)

// The client's example page, freshly built, is walked through as the shop is. It comes from another server than the API, which allows its
// origin.
func TestLongExample(t *testing.T) {
	root, err := blackbox.Root()
	if err != nil {
		t.Fatal(err)
	}
	client := filepath.Join(root, "clients", "typescript")
	for _, command := range [][]string{
		{"npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"},
		{"npm", "run", "--silent", "build"},
	} {
		run := exec.Command(command[0], command[1:]...)
		run.Dir = client
		if output, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, output)
		}
	}
	files := httptest.NewServer(http.FileServer(http.Dir(client)))
	t.Cleanup(files.Close)
	runScripts(t, "testdata/example/*.txt", func(t *testing.T, _ string) (string, *way) {
		return serve(t, "--cors-origins", files.URL), &way{base: files.URL}
	})
}
