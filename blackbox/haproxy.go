package blackbox

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cartd/bench/shopper"
	"cartd/internal/process"
)

// Router is a running HAProxy with deploy/haproxy.cfg.
type Router struct {
	*process.Process
	Addr string

	t       testing.TB
	file    string
	text    string // of the file in deploy, with the router's balance
	figures *shopper.Client
	used    []string // the names of the nodes in the file
}

// Balance is the way in which a router chooses the node of a request.
type Balance string

// A sticky router sends all requests of a cart to one node. The other one takes the nodes in turn.
const (
	Sticky Balance = "sticky"
	InTurn Balance = "in turn"
)

// HAProxy is the path of the program; not every user's PATH has /usr/sbin.
func HAProxy() string {
	if program, err := exec.LookPath("haproxy"); err == nil {
		return program
	}
	return "/usr/sbin/haproxy"
}

// Route starts a router in front of two or more nodes. The first two reach the file by the
// environment, as with compose. It ends with the test.
func Route(t testing.TB, balance Balance, nodes ...string) *Router {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "deploy", "haproxy.cfg"))
	listen, err2 := process.FreeAddress()
	figures, err3 := process.FreeAddress()
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	r := &Router{Addr: listen, t: t, file: filepath.Join(t.TempDir(), "haproxy.cfg"), text: string(text)}
	if balance == InTurn {
		const sticky = "    balance hash var(txn.record)\n    hash-type consistent\n"
		if strings.Count(r.text, sticky) != 1 {
			t.Fatalf("deploy/haproxy.cfg does not have:\n%s", sticky)
		}
		r.text = strings.Replace(r.text, sticky, "    balance roundrobin\n", 1)
	}
	const second = `    server node2 "${CARTD_NODE2-node2:8080}"` + "\n"
	names, lines := []string{"node1", "node2"}, second
	for _, node := range nodes[2:] {
		names, lines = append(names, name(node)), lines+line(node)
	}
	r.write(names, second, lines)
	cmd := exec.Command(HAProxy(), "-W", "-f", r.file)
	cmd.Env = []string{
		"HAPROXY_LISTEN=" + listen, "HAPROXY_FIGURES=" + figures, "CARTD_NODE1=" + nodes[0], "CARTD_NODE2=" + nodes[1],
		"HAPROXY_NO_VISITORS=127.0.0.0/8", // one test is all visitors of a shop
	}
	for _, set := range os.Environ() {
		if strings.HasPrefix(set, "HAPROXY_DESK_") {
			cmd.Env = append(cmd.Env, set)
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if r.Process, err = process.Start(cmd); err != nil {
		t.Fatalf("%v: apt-get install haproxy", err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-r.ID(), syscall.SIGKILL) }) // with its workers
	if r.figures, err = shopper.NewClient("http://"+figures, 4, 5*time.Second); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.figures.Close)
	r.await()
	return r
}

// Use reloads the router with these nodes. It returns when the router uses them and no others.
func (r *Router) Use(nodes ...string) {
	r.t.Helper()
	const both = `    server node1 "${CARTD_NODE1-node1:8080}"` + "\n" + `    server node2 "${CARTD_NODE2-node2:8080}"` + "\n"
	var names []string
	lines := ""
	for _, node := range nodes {
		names, lines = append(names, name(node)), lines+line(node)
	}
	r.write(names, both, lines)
	if err := r.Cmd.Process.Signal(syscall.SIGUSR2); err != nil {
		r.t.Fatal(err)
	}
	r.await()
}

// write writes the file with other lines for the nodes, in both backends.
func (r *Router) write(names []string, from, to string) {
	r.t.Helper()
	if strings.Count(r.text, from) != 2 {
		r.t.Fatalf("deploy/haproxy.cfg does not have twice:\n%s", from)
	}
	if err := os.WriteFile(r.file, []byte(strings.ReplaceAll(r.text, from, to)), 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.used = names
}

// name is a node's name in the file. It has the node's port, so that figures show which file a
// worker has read.
func name(node string) string {
	_, port, _ := net.SplitHostPort(node)
	return "node" + port
}

func line(node string) string { return fmt.Sprintf("    server %s %s\n", name(node), node) }

// await waits until the router's figures show the nodes of its file.
func (r *Router) await() {
	r.t.Helper()
	const within = 20 * time.Second
	for end := time.Now().Add(within); !r.has(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("HAProxy does not use %v within %v:\n%s", r.used, within, r.Log)
		}
	}
}

func (r *Router) has() bool {
	a, err := r.figures.Send(&shopper.Request{Method: "GET", Path: "/metrics?scope=server"})
	if err != nil {
		return false
	}
	const weight = `haproxy_server_weight{proxy="nodes",server=`
	for _, name := range r.used {
		if !bytes.Contains(a.Body, fmt.Appendf(nil, "%s%q", weight, name)) {
			return false
		}
	}
	return bytes.Count(a.Body, []byte(weight)) == len(r.used)
}
