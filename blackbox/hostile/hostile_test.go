package hostile

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"cartd/bench/shopper"
	"cartd/blackbox"
	"cartd/internal/process"
)

// program is the built cartd.
var program string

func TestMain(m *testing.M) { os.Exit(blackbox.Main(m, &program)) }

// The keys of the attacked store's storefront and back office, and of the other store.
const (
	attacker = "key-of-the-attacked-store"
	backend  = "key-of-its-back-office"
	victim   = "key-of-the-other-store"
	token    = "token-of-a-customer"
)

type object = map[string]any

// target is a running node with two stores.
type target struct {
	t    *testing.T
	node *process.Process
	addr string
	*shopper.Client
}

// attack starts a node. products and discounts belong to the attacked store; the other store has one
// product, the first.
func attack(t *testing.T, products, discounts []object, flags ...string) *target {
	t.Helper()
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--redis", "embedded"}, flags...)
	n, addr := run(t, exec.Command(program, append(args, twoStores(t, products, discounts)...)...))
	return reached(t, n, addr)
}

// twoStores writes the documents of both stores, and returns the flags for them.
func twoStores(t *testing.T, products, discounts []object) (flags []string) {
	t.Helper()
	dir := t.TempDir()
	for i, store := range []object{
		document(1, products, discounts, object{"name": "a", "key": attacker,
			"scopes": []string{"commerce:read", "commerce:write", "catalog:read", "sales:write", "sales:read"}},
			object{"name": "b", "key": backend, "scopes": []string{"catalog:write"}}),
		document(2, products[:1], nil, object{"name": "v", "key": victim, "scopes": []string{"commerce:read", "commerce:write"}}),
	} {
		text, err := json.Marshal(store)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		flags = append(flags, "--store", file)
	}
	return flags
}

// run starts a command that serves, and ends it with the test.
func run(t *testing.T, cmd *exec.Cmd) (n *process.Process, addr string) {
	t.Helper()
	n, err := process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Kill)
	if addr, err = n.Address(); err != nil {
		t.Fatal(err)
	}
	return n, addr
}

// reached is a node with the address at which it is reached.
func reached(t *testing.T, n *process.Process, addr string) *target {
	t.Helper()
	client, err := shopper.NewClient("http://"+addr, 64, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &target{t: t, node: n, addr: addr, Client: client}
}

func document(n int, products, discounts []object, keys ...object) object {
	return object{
		"format": 1,
		"store": object{
			"id": fmt.Sprintf("%d0000000-0000-4000-8000-000000000000", n), "name": "S", "rate_limit_per_minute": 1_000_000,
			"modules": []string{"catalog", "commerce", "sales", "stock", "customers"}, "policy": object{"max_lines": 1000},
			"quotes": object{"enabled": true, "acceptance_mode": "signature"},
		},
		"api_keys": keys, "tax_rates": []object{{"code": "s", "rate": "21"}}, "products": products, "discounts": discounts,
		"customers": []object{{"id": fmt.Sprintf("c%d000000-0000-4000-8000-000000000000", n), "email": "a@b.co",
			"tokens": []object{{"token": fmt.Sprint(token, n), "expires_at": "2100-01-01T00:00:00Z"}}}},
	}
}

// product is number n, with variants.
func product(n, variants int) object {
	p := object{"id": productID(n), "name": fmt.Sprint("Product ", n), "slug": fmt.Sprint("p", n), "tax": "s", "price_amount": 1000, "requires_shipping": false,
		"track_stock": variants > 0}
	var all []object
	for v := range variants {
		all = append(all, object{"id": fmt.Sprintf("b%07d-0000-4000-8000-%012d", n, v), "name": fmt.Sprint("Variant ", v), "stock": "5"})
	}
	if all != nil {
		p["variants"] = all
	}
	return p
}

func productID(n int) string { return fmt.Sprintf("a0000000-0000-4000-8000-%012d", n) }

func productsOf(n, variants int) (all []object) {
	for i := range n {
		all = append(all, product(i, variants))
	}
	return all
}

func (g *target) send(r shopper.Request) shopper.Answer {
	g.t.Helper()
	if r.Key == "" {
		r.Key = attacker
	}
	a, err := g.Send(&r)
	if err != nil {
		g.t.Fatalf("%s %s: %v", r.Method, r.Path, err)
	}
	return a
}

// want sends a request and wants its status.
func (g *target) want(status int, r shopper.Request) shopper.Answer {
	g.t.Helper()
	a := g.send(r)
	if a.Status != status {
		g.t.Fatalf("%s %s: got %d %.200s, want %d", r.Method, r.Path, a.Status, a.Body, status)
	}
	return a
}
