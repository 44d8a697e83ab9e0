//go:build long

package shop

import (
	"flag"
	"os"
	"os/exec"
	"testing"

	"cartd/blackbox"
	"cartd/internal/process"
)

// program is the built cartd.
var program string

// update writes the pictures of docs/images.
var update = flag.Bool("update", false, "write docs/images")

func TestMain(m *testing.M) { os.Exit(blackbox.Main(m, &program)) }

// serve starts the demo and returns its address, http://….
func serve(t *testing.T, flags ...string) string {
	t.Helper()
	p, err := process.Start(exec.Command(program, append([]string{"serve", "--listen", "127.0.0.1:0", "--redis", "embedded", "--demo"}, flags...)...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	addr, err := p.Address()
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + addr
}
