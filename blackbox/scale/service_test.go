//go:build long

package scale

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"cartd/bench/shopper"
	"cartd/blackbox"
	"cartd/internal/process"
)

const (
	product = "a0000000-0000-4000-8000-000000000001"
	// stores is the number of stores of a service: in a cluster one on each master.
	stores = 3
	// drain is the nodes' --drain-delay: more than two of the router's checks.
	drain = "3s"
)

// program is the built cartd.
var program string

func TestMain(m *testing.M) { os.Exit(blackbox.Main(m, &program)) }

// service is three nodes behind a router, with their Redis and their buyers.
type service struct {
	t      *testing.T
	url    string   // of Redis
	flags  []string // of the nodes started next
	nodes  []*node
	router *blackbox.Router
	buyers []*buyer
}

type node struct {
	*process.Process
	addr string
}

// serve imports the stores with these ids and starts three nodes and a router.
func serve(t *testing.T, url string, balance blackbox.Balance, ids [stores]string) *service {
	t.Helper()
	s := &service{t: t, url: url}
	args, dir := []string{"import", "--redis", url}, t.TempDir()
	for i, id := range ids {
		file := filepath.Join(dir, id)
		if err := os.WriteFile(file, document(i, id), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	if output, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		t.Fatalf("cartd %v: %v\n%s", args, err, output)
	}
	for range 3 {
		s.nodes = append(s.nodes, s.start())
	}
	s.router = blackbox.Route(t, balance, s.addresses()...)
	client, err := shopper.NewClient("http://"+s.router.Addr, 64, 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	for i := range stores * buyers {
		b := &buyer{t: t, shop: client, store: i % stores, path: "/v1/api/commerce/carts", tally: tally{failed: map[int]int{}}}
		s.await("new cart", func() bool {
			a, err := client.Send(&shopper.Request{Method: "POST", Path: "/v1/api/commerce/carts", Key: storeKey(b.store)})
			if err == nil && a.Status == http.StatusCreated {
				b.path = "/v1/api/commerce/carts/" + regexp.MustCompile(`"id":"([0-9a-f-]{36})"`).FindStringSubmatch(string(a.Body))[1]
			}
			return err == nil && a.Status == http.StatusCreated
		})
		s.buyers = append(s.buyers, b)
	}
	return s
}

// document is store number n, with one product.
func document(n int, id string) []byte {
	text, err := json.Marshal(map[string]any{
		"format": 1,
		"store": map[string]any{
			"id": id, "name": "S", "rate_limit_per_minute": 2_000_000, "modules": []string{"catalog", "commerce"},
			"policy": map[string]any{"max_quantity_per_line": 1_000_000},
		},
		"api_keys":  []any{map[string]any{"name": "shop", "key": storeKey(n), "scopes": []string{"commerce:read", "commerce:write"}}},
		"tax_rates": []any{map[string]any{"code": "s", "rate": "21"}},
		"products":  []any{map[string]any{"id": product, "name": "Bulb", "slug": "bulb", "tax": "s", "price_amount": 100}},
	})
	if err != nil {
		panic(err)
	}
	return text
}

func storeKey(n int) string { return fmt.Sprintf("a-key-of-store-number-%d", n) }

// start starts a node.
func (s *service) start() *node {
	s.t.Helper()
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--redis", s.url, "--drain-delay", drain, "--trusted-proxies", "127.0.0.0/8"}, s.flags...)
	p, err := process.Start(exec.Command(program, args...))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(p.Kill)
	addr, err := p.Address()
	if err != nil {
		s.t.Fatal(err)
	}
	client, err := shopper.NewClient("http://"+addr, 4, 5*time.Second)
	if err != nil {
		s.t.Fatal(err)
	}
	defer client.Close()
	s.await("ready node", func() bool {
		a, err := client.Send(&shopper.Request{Method: "GET", Path: "/readyz"})
		return err == nil && a.Status == http.StatusOK
	})
	return &node{p, addr}
}

func (s *service) addresses() (all []string) {
	for _, n := range s.nodes {
		all = append(all, n.addr)
	}
	return all
}

// add starts a node and reloads the router.
func (s *service) add() {
	s.t.Helper()
	s.nodes = append(s.nodes, s.start())
	s.router.Use(s.addresses()...)
}

// drain stops the oldest node as an operator does; then the router leaves it out.
func (s *service) drain() {
	s.t.Helper()
	if status := s.nodes[0].Stop(); status != 0 {
		s.t.Errorf("the exit status of a drained node is %d:\n%s", status, s.nodes[0].Log)
	}
	s.leaveOut()
}

// kill ends the oldest node. The router finds out by itself; then it leaves the node out.
func (s *service) kill() {
	s.t.Helper()
	s.nodes[0].Kill()
	s.awaitAdds()
	s.leaveOut()
}

func (s *service) leaveOut() {
	s.t.Helper()
	s.nodes = s.nodes[1:]
	s.router.Use(s.addresses()...)
}

// upgrade replaces all nodes, one after another. The new ones have the flags.
func (s *service) upgrade(flags ...string) {
	s.t.Helper()
	s.flags = flags
	for range s.nodes {
		s.add()
		s.drain()
	}
}

func (s *service) await(what string, is func() bool) {
	s.t.Helper()
	await(s.t, what, is)
}

// await waits for a condition.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s within %v", what, patience)
		}
	}
}
