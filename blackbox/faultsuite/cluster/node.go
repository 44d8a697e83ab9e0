package cluster

import (
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"cartd/bench/process"
)

// startTries is how often a node is started until it listens.
const startTries = 3

// Node is one cartd process behind its proxy to Redis. It may be ended and started again;
// each start listens on another port.
type Node struct {
	Index int
	Proxy *Proxy
	*process.Process

	t      testing.TB
	binary string
	args   []string
	addr   atomic.Pointer[string]
}

// Addr is where the node listened last, for any goroutine.
func (n *Node) Addr() string { return *n.addr.Load() }

// Start starts the process and waits until it listens. A node that ends at its start, for
// a busy machine kept Redis from answering it in time, is started again, as a supervisor
// would do.
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

// end is Kill for a node that may never have started.
func (n *Node) end() {
	if n.Process != nil {
		n.Kill()
	}
}

// Pause stops the process in its tracks (SIGSTOP) until Resume.
func (n *Node) Pause() { n.signal(syscall.SIGSTOP) }

// Resume lets a paused process go on (SIGCONT).
func (n *Node) Resume() { n.signal(syscall.SIGCONT) }

// Terminate asks the process to stop (SIGTERM) and returns its exit status, -1 after
// process.StopWithin, and how long it took.
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
