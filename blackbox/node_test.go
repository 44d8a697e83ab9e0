package blackbox_test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"cartd/bench/shopper"
	"cartd/blackbox"
	"cartd/internal/process"
)

// options are the options of a node's start. Only redis is required.
type options struct {
	redis  string
	stores []string // --store files
	flags  []string // further flags
	env    []string // further environment
}

// node is one running cartd process.
type node struct {
	*process.Process
	addr string
	base string // http://addr
	way  *shopper.Client
}

// start runs `cartd serve` and waits until it listens. At the end of the test it kills the node and
// searches the log for secrets. With envBalance it starts three nodes behind a router.
func start(t testing.TB, o options) *node {
	t.Helper()
	if balance := os.Getenv(envBalance); balance != "" {
		return startRouted(t, blackbox.Balance(balance), o)
	}
	return listens(t, o.command())
}

// command starts a node. Redis may be silent for a second on a busy machine. Tests of outages set a
// shorter time-out by flag.
func (o options) command() *exec.Cmd {
	cmd := exec.Command(binary, o.args()...)
	cmd.Env = append([]string{"CARTD_REDIS_TIMEOUT=8s"}, o.env...)
	return cmd
}

// listens starts a command that serves, as start does.
func listens(t testing.TB, cmd *exec.Cmd) *node {
	t.Helper()
	p, err := process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Kill()
		wantNoSecretsIn(t, p.Log.String())
	})
	addr, err := p.Address()
	if err != nil {
		t.Fatal(err)
	}
	return at(t, p, addr)
}

// at is the node of a process that listens at an address.
func at(t testing.TB, p *process.Process, addr string) *node {
	t.Helper()
	way, err := shopper.NewClient("http://"+addr, connections, requestTimeout)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(way.Close)
	return &node{Process: p, addr: addr, base: way.Base, way: way}
}

func (o options) args() []string {
	args := []string{"serve", "--listen", "127.0.0.1:0", "--redis", o.redis}
	for _, file := range o.stores {
		args = append(args, "--store", file)
	}
	return append(args, o.flags...)
}

// send sends a signal and does not wait for its effect.
func (n *node) send(t testing.TB, s syscall.Signal) {
	t.Helper()
	if err := n.Cmd.Process.Signal(s); err != nil {
		t.Fatalf("%v: %v", s, err)
	}
}
