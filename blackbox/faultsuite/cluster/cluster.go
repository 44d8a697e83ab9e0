package cluster

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

// Config is the plan of a cluster.
type Config struct {
	// Binary is the cartd to run. Build makes it.
	Binary string
	Nodes  int
	// Flags are further flags of cartd serve.
	Flags []string
	// Documents are the stores' documents.
	Documents [][]byte
	// Seed decides the random choices of the proxies.
	Seed uint64
}

// Cluster is a Redis and the nodes on it. It ends with the test.
type Cluster struct {
	Redis *Redis
	Nodes []*Node

	t       testing.TB
	config  Config
	proxies uint64 // the number of proxies started
}

// Start starts Redis, imports the stores and starts the nodes.
func Start(t testing.TB, config Config) *Cluster {
	t.Helper()
	c := &Cluster{Redis: newRedis(t), t: t, config: config}
	c.importStores()
	for i := range config.Nodes {
		c.Nodes = append(c.Nodes, c.newNode(i))
	}
	return c
}

func (c *Cluster) importStores() {
	c.t.Helper()
	args := []string{"import", "--redis", c.Redis.URL()}
	for i, document := range c.config.Documents {
		file := filepath.Join(c.t.TempDir(), fmt.Sprintf("store%d.json", i))
		writeText(c.t, file, document)
		args = append(args, file)
	}
	load := exec.Command(c.config.Binary, args...)
	load.Env = []string{} // without the caller's CARTD_* variables
	if output, err := load.CombinedOutput(); err != nil {
		c.t.Fatalf("cartd %v: %v\n%s", args, err, output)
	}
}

// Command runs a command of cartd on the cluster's Redis and returns what it prints.
func (c *Cluster) Command(name string, args ...string) ([]byte, error) {
	command := exec.Command(c.config.Binary, append([]string{name, "--redis", c.Redis.URL()}, args...)...)
	command.Env = []string{} // without the caller's CARTD_* variables
	var printed, faults bytes.Buffer
	command.Stdout, command.Stderr = &printed, &faults
	if err := command.Run(); err != nil {
		return printed.Bytes(), fmt.Errorf("cartd %s: %w: %s", name, err, faults.Bytes())
	}
	return printed.Bytes(), nil
}

// proxy starts a node's proxy to a Redis.
func (c *Cluster) proxy(to string) *Proxy {
	c.t.Helper()
	c.proxies++
	proxy, err := newProxy(to, c.config.Seed+c.proxies)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(proxy.close)
	return proxy
}

// newNode starts a node with a proxy of its own.
func (c *Cluster) newNode(i int) *Node {
	c.t.Helper()
	n := &Node{Index: i, Proxy: c.proxy(c.Redis.Addr()), t: c.t, binary: c.config.Binary}
	n.args = append([]string{"serve", "--listen", "127.0.0.1:0", "--redis", n.Proxy.url()}, c.config.Flags...)
	c.t.Cleanup(n.end)
	n.Start()
	return n
}

// Fresh starts one more node, which has served no request yet.
func (c *Cluster) Fresh() *Node {
	c.t.Helper()
	return c.newNode(len(c.Nodes))
}
