package hostile

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cartd/bench/process"
	"cartd/bench/shopper"
	"cartd/blackbox"
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
	dir := t.TempDir()
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--redis", "embedded"}, flags...)
	for i, store := range []object{
		document(1, products, discounts, object{"name": "a", "key": attacker, "scopes": []string{"commerce:read", "commerce:write", "catalog:read", "sales:write", "sales:read"}},
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
		args = append(args, "--store", file)
	}
	n, err := process.Start(exec.Command(program, args...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Kill)
	addr, err := n.Address()
	if err != nil {
		t.Fatal(err)
	}
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
		"track_stock": variants > 0, "stock": "5"}
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

var anID = regexp.MustCompile(`"id":"([0-9a-f-]{36})"`)

// newCart makes a cart with one unit of each of so many products.
func (g *target) newCart(key string, lines int) (path string) {
	g.t.Helper()
	a := g.want(http.StatusCreated, shopper.Request{Method: "POST", Path: "/v1/api/commerce/carts", Key: key})
	path = "/v1/api/commerce/carts/" + anID.FindStringSubmatch(string(a.Body))[1]
	for from := 0; from < lines; from += 100 {
		var batch []string
		for i := from; i < min(from+100, lines); i++ {
			batch = append(batch, fmt.Sprintf(`{"product_id":%q,"quantity":1}`, productID(i)))
		}
		g.want(http.StatusCreated, shopper.Request{Method: "POST", Path: path + "/lines/batch", Key: key, Body: `{"lines":[` + strings.Join(batch, ",") + `]}`})
	}
	return path
}

// open sends the bytes of a request on a connection of its own, which the test neither reads nor closes
// before its end.
func (g *target) open(text string) net.Conn {
	g.t.Helper()
	c, err := net.Dial("tcp", g.addr)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { c.Close() })
	if _, err := c.Write([]byte(text)); err != nil {
		g.t.Fatal(err)
	}
	return c
}

// head is a request's head.
func head(method, path, key string, more ...string) string {
	return method + " " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key + "\r\n" + strings.Join(append(more, "\r\n"), "\r\n")
}

// maxMemory is the greatest memory that the node has had, in bytes.
func (g *target) maxMemory() int {
	g.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.node.ID()))
	if err != nil {
		g.t.Fatal(err)
	}
	kib, _ := strconv.Atoi(regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindStringSubmatch(string(status))[1])
	return kib << 10
}

// wantOthersServed wants that the other store's requests are served, none after more than a time.
func (g *target) wantOthersServed(path string, within time.Duration) {
	g.t.Helper()
	for range 20 {
		began := time.Now()
		g.want(http.StatusOK, shopper.Request{Method: "GET", Path: path, Key: victim})
		if took := time.Since(began); took > within {
			g.t.Errorf("another store's request took %v", took)
		}
	}
}

// keepReading reads a path of the attacked store again and again, several visitors at a time, until stop
// is called, which returns the number of answers 200.
func (g *target) keepReading(path string, visitors int) (stop func() (answers int)) {
	var ended atomic.Bool
	var read atomic.Int64
	var all sync.WaitGroup
	for range visitors {
		all.Go(func() {
			for !ended.Load() {
				if a, err := g.Send(&shopper.Request{Method: "GET", Path: path, Key: attacker}); err == nil && a.Status == http.StatusOK {
					read.Add(1)
				}
			}
		})
	}
	return func() int {
		ended.Store(true)
		all.Wait()
		return int(read.Load())
	}
}

// eventually wants a condition within ten seconds.
func (g *target) eventually(what string, is func() bool) {
	g.t.Helper()
	for end := time.Now().Add(10 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			g.t.Fatalf("not within 10 s: %s", what)
		}
	}
}
