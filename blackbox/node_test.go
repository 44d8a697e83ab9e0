package blackbox_test

import (
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	startWithin = 15 * time.Second // until a node says that it listens
	stopWithin  = 15 * time.Second // promised after a signal
)

// options say how a node is started; only redis has to be given.
type options struct {
	redis  string
	stores []string // --store files
	flags  []string // further flags
	env    []string // further environment
}

// node is one running cartd process.
type node struct {
	addr string
	base string // http://addr
	cmd  *exec.Cmd
	log  *logBook
	// exited is closed when the process is gone; code is its exit status then.
	exited chan struct{}
	code   int
}

// start runs `cartd serve` and waits until it listens. The node is killed, and
// its log searched for secrets, when the test ends.
func start(t testing.TB, o options) *node {
	t.Helper()
	n := &node{log: newLogBook(), exited: make(chan struct{})}
	n.cmd = exec.Command(binary, o.args()...)
	// Not the caller's environment: CARTD_* would count. And a patient node, for a
	// busy machine may be silent for a second; tests of outages set the flag.
	n.cmd.Env = append([]string{"CARTD_REDIS_TIMEOUT=8s"}, o.env...)
	return n.await(t)
}

// await starts the node's command and waits until it listens.
func (n *node) await(t testing.TB) *node {
	t.Helper()
	n.launch(t)
	select {
	case n.addr = <-n.log.listening:
	case <-n.exited:
		t.Fatalf("cartd %v exited with %d before it listened:\n%s", n.cmd.Args[1:], n.code, n.log)
	case <-time.After(startWithin):
		t.Fatalf("cartd %v does not listen after %v:\n%s", n.cmd.Args[1:], startWithin, n.log)
	}
	n.base = "http://" + n.addr
	return n
}

func (n *node) launch(t testing.TB) {
	t.Helper()
	n.cmd.Stdout, n.cmd.Stderr = n.log, n.log
	if err := n.cmd.Start(); err != nil {
		t.Fatalf("starting cartd: %v", err)
	}
	go n.wait()
	t.Cleanup(func() {
		n.kill()
		n.log.wantNoSecrets(t)
	})
}

func (o options) args() []string {
	args := []string{"serve", "--listen", "127.0.0.1:0", "--redis", o.redis}
	for _, file := range o.stores {
		args = append(args, "--store", file)
	}
	return append(args, o.flags...)
}

func (n *node) wait() {
	var exit *exec.ExitError
	if err := n.cmd.Wait(); errors.As(err, &exit) {
		n.code = exit.ExitCode()
	}
	close(n.exited)
}

// kill ends the process the hard way (SIGKILL) and waits until it is gone.
func (n *node) kill() {
	_ = n.cmd.Process.Kill() // gone already: nothing to do
	<-n.exited
}

// terminate asks the process to stop, waits and returns its exit status.
func (n *node) terminate(t testing.TB) int {
	t.Helper()
	n.askToStop(t)
	return n.exitCode(t)
}

// askToStop sends SIGTERM and does not wait.
func (n *node) askToStop(t testing.TB) {
	t.Helper()
	n.send(t, syscall.SIGTERM)
}

func (n *node) exitCode(t testing.TB) int {
	t.Helper()
	select {
	case <-n.exited:
		return n.code
	case <-time.After(stopWithin):
		t.Fatalf("cartd %v still runs after %v:\n%s", n.cmd.Args[1:], stopWithin, n.log)
		return -1
	}
}

// logBook keeps everything a node prints and reports the address it listens on.
type logBook struct {
	listening chan string
	mu        sync.Mutex
	text      strings.Builder
	partial   string // the last line, until it is complete
}

func newLogBook() *logBook { return &logBook{listening: make(chan string, 1)} }

func (b *logBook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text.Write(p)
	lines := strings.Split(b.partial+string(p), "\n")
	b.partial = lines[len(lines)-1]
	for _, line := range lines[:len(lines)-1] {
		b.report(line)
	}
	return len(p), nil
}

func (b *logBook) report(line string) {
	var entry struct{ Msg, Addr string }
	if json.Unmarshal([]byte(line), &entry) != nil || entry.Msg != "listening" || entry.Addr == "" {
		return
	}
	select {
	case b.listening <- entry.Addr:
	default: // a second listener, such as --ops-listen
	}
}

// String returns everything printed so far.
func (b *logBook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// lines returns the printed lines that are not blank.
func (b *logBook) lines() []string {
	var lines []string
	for _, line := range strings.Split(b.String(), "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// wantNoSecrets searches the log for every secret of the test stores.
func (b *logBook) wantNoSecrets(t testing.TB) {
	t.Helper()
	wantNoSecretsIn(t, b.String())
}
