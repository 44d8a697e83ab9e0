package cluster

import (
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"cartd/internal/process"
)

// startTries is the maximum number of starts until a node listens.
const startTries = 3

// Node is one cartd process with its proxy to Redis. It can be ended and started again; each start
// listens on another port.
type Node struct {
	Index int
	Proxy *Proxy
	*process.Process

	t      testing.TB
	binary string
	args   []string
	addr   atomic.Pointer[string]
}

// Addr is the last address at which the node listened. Every goroutine may call it.
func (n *Node) Addr() string { return *n.addr.Load() }

// Start starts the process and waits until it listens. On a busy machine a node may end because
// Redis did not answer in time; Start then starts it again, as a supervisor does.
func (n *Node) Start() {
	n.t.Helper()
	var err error
	for range startTries {
		command := exec.Command(n.binary, n.args...)
		command.Env = []string{"GOTRACEBACK=all"}
		if n.Process, err = process.Start(command); err != nil {
			n.t.Fatal(err)
		}
		var addr string
		if addr, err = n.Address(); err == nil {
			n.addr.Store(&addr)
			return
		}
	}
	n.t.Fatalf("after %d starts: %v", startTries, err)
}

// StartAs starts the node as another program.
func (n *Node) StartAs(binary string) {
	n.t.Helper()
	n.binary = binary
	n.Start()
}

// end kills the node if it runs.
func (n *Node) end() {
	if n.Process != nil {
		n.Kill()
	}
}

// Pause stops the process (SIGSTOP) until Resume.
func (n *Node) Pause() { n.signal(syscall.SIGSTOP) }

// Resume continues a paused process (SIGCONT).
func (n *Node) Resume() { n.signal(syscall.SIGCONT) }

// Terminate asks the process to stop (SIGTERM). It returns the exit status and the time taken. The
// status is -1 after process.StopWithin.
func (n *Node) Terminate() (code int, took time.Duration) {
	began := time.Now()
	return n.Stop(), time.Since(began)
}

func (n *Node) signal(s os.Signal) {
	n.t.Helper()
	if err := n.Cmd.Process.Signal(s); err != nil {
		n.t.Fatalf("node %d: %v: %v\n%s", n.Index, s, err, n.Log)
	}
}
