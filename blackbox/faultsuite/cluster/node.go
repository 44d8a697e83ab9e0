package cluster

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const (
	startWithin = 15 * time.Second // until a node says that it listens
	startTries  = 3
	stopWithin  = 15 * time.Second // promised after SIGTERM
)

// Node is one cartd process behind its proxy to Redis. It may be ended and started again;
// each start listens on another port.
type Node struct {
	Index int
	Proxy *Proxy

	t       testing.TB
	binary  string
	args    []string
	running *process
	addr    atomic.Pointer[string]
}

// process is one start of a node.
type process struct {
	cmd    *exec.Cmd
	out    *output
	exited chan struct{}
	code   int // once exited is closed
}

// Addr is where the node listened last, for any goroutine.
func (n *Node) Addr() string { return *n.addr.Load() }

// Start starts the process and waits until it listens. One that ends before, for a
// busy machine kept Redis from answering it in time, is started again, as whoever
// supervises a node would.
func (n *Node) Start() {
	n.t.Helper()
	for range startTries {
		if n.running = n.launch(); n.running.listens(n) {
			return
		}
	}
	n.t.Fatalf("cartd %v does not listen after %d starts of %v:\n%s", n.args, startTries, startWithin, n.running.out.text())
}

func (n *Node) launch() *process {
	n.t.Helper()
	p := &process{cmd: exec.Command(n.binary, n.args...), out: &output{listening: make(chan string, 1)}, exited: make(chan struct{})}
	p.cmd.Env = []string{"GOTRACEBACK=all"} // not the caller's: CARTD_* would count
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	if err := p.cmd.Start(); err != nil {
		n.t.Fatalf("starting cartd: %v", err)
	}
	go p.wait()
	return p
}

// listens waits until the process says where it listens; false: it never will.
func (p *process) listens(n *Node) bool {
	select {
	case addr := <-p.out.listening:
		n.addr.Store(&addr)
		return true
	case <-p.exited:
	case <-time.After(startWithin):
		n.Kill()
	}
	return false
}

func (p *process) wait() {
	_ = p.cmd.Wait()
	p.code = p.cmd.ProcessState.ExitCode()
	close(p.exited)
}

// Kill ends the process the hard way (SIGKILL) and waits until it is gone.
func (n *Node) Kill() {
	_ = n.running.cmd.Process.Kill() // gone already: nothing to do
	<-n.running.exited
}

// end is Kill for a node that may never have started.
func (n *Node) end() {
	if n.running != nil {
		n.Kill()
	}
}

// Pause stops the process in its tracks (SIGSTOP) until Resume.
func (n *Node) Pause() { n.signal(syscall.SIGSTOP) }

// Resume lets a paused process go on (SIGCONT).
func (n *Node) Resume() { n.signal(syscall.SIGCONT) }

// Terminate asks the process to stop (SIGTERM) and returns its exit status and how
// long it took; after stopWithin it is killed, and the status is -1.
func (n *Node) Terminate() (code int, took time.Duration) {
	began := time.Now()
	n.signal(syscall.SIGTERM)
	select {
	case <-n.running.exited:
		code = n.running.code
	case <-time.After(stopWithin):
		n.Kill()
		code = -1
	}
	return code, time.Since(began)
}

func (n *Node) signal(s syscall.Signal) {
	n.t.Helper()
	if err := n.running.cmd.Process.Signal(s); err != nil {
		n.t.Fatalf("node %d: %v: %v\n%s", n.Index, s, err, n.running.out.text())
	}
}

// output keeps what a process prints and reports the address it listens on.
type output struct {
	listening chan string
	mu        sync.Mutex
	all       bytes.Buffer
	looked    int // where the first line begins that has not been looked at
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all.Write(p)
	for {
		line, _, whole := bytes.Cut(o.all.Bytes()[o.looked:], []byte("\n"))
		if !whole {
			return len(p), nil
		}
		o.looked += len(line) + 1
		o.report(line)
	}
}

func (o *output) report(line []byte) {
	var entry struct{ Msg, Addr string }
	if json.Unmarshal(line, &entry) != nil || entry.Msg != "listening" {
		return
	}
	select {
	case o.listening <- entry.Addr:
	default: // said before
	}
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.String()
}
