package blackbox_test

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"cartd/internal/process"
)

// pipe is the standard error of a node. Nothing reads it unless a test does.
type pipe struct{ r, w *os.File }

func newPipe(t *testing.T) pipe {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return pipe{r, w}
}

// launch runs cartd with the pipe as its standard error, and kills it at the end of the test.
func (p pipe) launch(t *testing.T, args ...string) *process.Process {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-c", `exec "$0" "$@" 2>&3`, binary}, args...)...)
	cmd.ExtraFiles = []*os.File{p.w}
	started, err := process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(started.Kill)
	return started
}

// fill fills the pipe: the node's next write blocks.
func (p pipe) fill(t *testing.T) {
	t.Helper()
	fd := int(p.w.Fd())
	err := syscall.SetNonblock(fd, true)
	for _, size := range []int{4096, 1} {
		for err == nil {
			_, err = syscall.Write(fd, make([]byte, size))
		}
		if errors.Is(err, syscall.EAGAIN) {
			err = nil
		}
	}
	if err := errors.Join(err, syscall.SetNonblock(fd, false)); err != nil { // the node has the same open file
		t.Fatal(err)
	}
}
