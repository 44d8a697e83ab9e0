//go:build long

package hostile

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/bench"
	"cartd/bench/shopper"
	"cartd/internal/process"
)

// maxVisitorCPU is the processor time of a node for one request of a visitor. Passwords cost more on
// purpose.
const maxVisitorCPU = 15 * time.Millisecond

// costly is a request with the processor time that it has cost.
type costly struct {
	name, method, path, body string
	merchants                bool // its key stands behind no visitor
	passwords                bool
	cpu                      time.Duration
	sent, received           int
}

var aLineID = regexp.MustCompile(`"lines":\[\{"id":"([0-9a-f-]{36})"`)

// In a merchant's large store no request of a visitor costs a node more than 15 ms. The table of the
// costliest is logged.
func TestLongNoVisitorsRequestCostsMuch(t *testing.T) {
	g, node := largeMerchant(t)
	cart := g.newCart(attacker, 100)
	texts := g.newCart(attacker, 0)
	g.want(201, shopper.Request{Method: "POST", Path: texts + "/lines/batch", Body: batchOf(15, func(i int) string {
		return fmt.Sprintf(`{"product_id":%q,"quantity":1,"properties":{"a":%q}}`, productID(i), strings.Repeat("x", 500))
	})})
	line := aLineID.FindStringSubmatch(string(g.want(200, shopper.Request{Method: "GET", Path: cart}).Body))[1]
	many := func(n int, of string) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(of, i))
		}
		return strings.Join(all, ",")
	}
	unknown := func(n int) string { return "{" + many(n, `"unknown-%d":"x"`) + "}" }
	lines := func(n int, more string) string {
		return batchOf(n, func(i int) string { return fmt.Sprintf(`{"product_id":%q,"quantity":2%s}`, productID(i), more) })
	}
	basket := func(lines, more string) string { return strings.TrimSuffix(lines, "}") + more + "}" }
	list := "/v1/api/catalog/products"
	all := []costly{
		{name: "cart of 100 lines", method: "GET", path: cart + "?include=details,stock,checks"},
		{name: "its explanation", method: "GET", path: cart + "/explain"},
		{name: "its deliveries", method: "GET", path: cart + "/shipping-methods?country=NL"},
		{name: "its kept checkout", method: "GET", path: cart + "/checkout"},
		{name: "kept checkout, changed", method: "PATCH", path: cart + "/checkout", body: `{"reference":"r"}`},
		{name: "its copy", method: "POST", path: cart + "/copy"},
		{name: "copy of a cart of texts", method: "POST", path: texts + "/copy"},
		{name: "line change among 100", method: "PATCH", path: cart + "/lines/" + line, body: `{"quantity":3}`},
		{name: "patch of metadata", method: "PATCH", path: cart, body: `{"metadata":{"a":1}}`},
		{name: "6,000 wrong metadata", method: "PATCH", path: cart, body: `{"metadata":{` + many(6000, `"m%d":[]`) + `}}`},
		{name: "10,000 metadata", method: "PATCH", path: cart, body: `{"metadata":{` + many(4800, `"m%d":1`) + `}}`},
		{name: "an unknown code", method: "POST", path: cart + "/discount", body: `{"code":"nothing"}`},
		{name: "add, 4,000 unknown texts", method: "POST", path: cart + "/lines",
			body: fmt.Sprintf(`{"product_id":%q,"quantity":1,"properties":%s}`, productID(1), unknown(3000))},
		{name: "batch of 100 lines", method: "POST", path: g.newCart(attacker, 0) + "/lines/batch", body: lines(100, "")},
		{name: "batch, 100 lines × 200 unknown texts", method: "POST", path: cart + "/lines/batch", body: lines(100, `,"properties":`+unknown(200))},
		{name: "price of 100 lines", method: "POST", path: "/v1/api/commerce/price?include=details", body: lines(100, "")},
		{name: "price, ten unknown codes, country", method: "POST", path: "/v1/api/commerce/price",
			body: basket(lines(100, ""), `,"country":"NL","discount_codes":[`+many(10, `"nothing-%d"`)+`]`)},
		{name: "price, 100 lines × 200 unknown texts", method: "POST", path: "/v1/api/commerce/price?include=error_codes",
			body: lines(100, `,"properties":`+unknown(200))},
		{name: "price, 100 lines × 500 letters", method: "POST", path: "/v1/api/commerce/price",
			body: lines(100, `,"properties":{"a":"`+strings.Repeat("x", 500)+`"}`)},
		{name: "quote request", method: "POST", path: cart + "/quote-request", body: `{"email":"not an address"}`},
		{name: "100 products with facets", method: "GET", path: list + "?per_page=100&include=facets"},
		{name: "the same by price", method: "GET", path: list + "?per_page=100&include=facets&sort=price&price_min=1&page=100"},
		{name: "search", method: "GET", path: list + "?q=product&sort=-name&per_page=100"},
		{name: "search, 40 words", method: "GET", path: list + "?q=" + strings.ReplaceAll(many(40, "w%dx"), ",", "+")},
		{name: "search, misspelt", method: "GET", path: list + "?q=prodduct+variannt+nothingg"},
		{name: "50 attributes", method: "GET", path: list + "?" + strings.ReplaceAll(many(50, "attributes[Colour][]=c%d"), ",", "&")},
		{name: "one product", method: "GET", path: list + "/p1"},
		{name: "sitemap", method: "GET", path: "/v1/api/catalog/sitemap?per_page=1000&page=10"},
		{name: "stock of 100", method: "GET", path: "/v1/api/stock/availability?per_page=100"},
		{name: "description", method: "GET", path: "/openapi.json"},
		{name: "deep JSON", method: "POST", path: cart + "/lines", body: strings.Repeat("[", 60_000)},
		{name: "10,000 members", method: "PATCH", path: cart, body: `{` + many(5000, `"x%d":1`) + `}`},
		{name: "login, wrong", method: "POST", path: "/v1/api/contacts/login", body: `{"email":"x@y.co","password":"wrong pass"}`, passwords: true},
		{name: "a product's price", method: "PATCH", path: list + "/" + productID(7), body: `{"price_amount":1234}`, merchants: true},
	}
	for i := range all {
		g.measure(node, &all[i])
	}
	slices.SortFunc(all, func(a, b costly) int { return int(b.cpu - a.cpu) })
	for _, c := range all {
		t.Logf("%-40s sent %7d B, answer %8d B, processor %8v", c.name, c.sent, c.received, c.cpu.Round(time.Microsecond))
		if c.cpu > maxVisitorCPU && !c.merchants && !c.passwords {
			t.Errorf("%s: a request costs %v of processor time, want at most %v", c.name, c.cpu.Round(10*time.Microsecond), maxVisitorCPU)
		}
	}
}

// measure sends a request some times and takes the mean of the cheapest series of three: other work of the machine
// makes a series dearer, none cheaper.
func (g *target) measure(node *process.Process, c *costly) {
	g.t.Helper()
	key, times := attacker, 12
	if c.merchants {
		key, times = backend, 1
	}
	request := shopper.Request{Method: c.method, Path: c.path, Body: c.body, Key: key}
	first := g.send(request)
	c.sent, c.received, c.cpu = len(c.path)+len(c.body), len(first.Body), time.Hour
	if first.Status >= 500 || first.Status == 401 || first.Status == 403 || first.Status == 404 || first.Status == 405 || first.Status == 429 {
		g.t.Errorf("%s: %d %.200s", c.name, first.Status, first.Body)
	}
	for range 3 {
		before := bench.CPUTime(node.ID())
		for range times {
			g.send(request)
		}
		c.cpu = min(c.cpu, (bench.CPUTime(node.ID())-before)/time.Duration(times))
	}
}

// batchOf is the body of a batch.
func batchOf(n int, line func(i int) string) string {
	var all []string
	for i := range n {
		all = append(all, line(i))
	}
	return `{"lines":[` + strings.Join(all, ",") + `]}`
}

// largeMerchant is a node with a store of 20,000 products, 500 automatic discounts, ten of them exclusive, and 100
// ways of delivery.
func largeMerchant(t *testing.T) (*target, *process.Process) {
	t.Helper()
	products := productsOf(20_000, 0)
	for i, p := range products {
		p["attributes"] = object{"Colour": fmt.Sprint("c", i%50), "Size": fmt.Sprint(i % 40), "Maker": fmt.Sprint("m", i%700)}
		p["text_fields"] = []object{{"key": "a", "label": "A", "max_length": 500}}
		p["tiers"] = []object{{"min_quantity": "10", "price_amount": 900}, {"min_quantity": "50", "price_amount": 800}}
		delete(p, "stock")
		p["track_stock"], p["requires_shipping"] = false, true
	}
	var discounts []object
	for i := range 500 {
		d := object{"id": fmt.Sprintf("d0000000-0000-4000-8000-%012d", i), "name": "D", "kind": "products", "value": object{"type": "percent", "percent": "1"},
			"product_ids": []string{productID(i), productID(i + 1), productID(i + 2)}}
		if i < 10 {
			d["exclusive"] = true
		}
		discounts = append(discounts, d)
	}
	store := document(1, products, discounts,
		object{"name": "a", "key": attacker, "scopes": []string{"commerce:read", "commerce:write", "catalog:read", "sales:write", "sales:read", "contacts:write"}},
		object{"name": "b", "key": backend, "scopes": []string{"catalog:manage"}})
	var methods []object
	for i := range 100 {
		methods = append(methods, object{"id": fmt.Sprintf("70000000-0000-4000-8000-%012d", i), "name": "M", "price_amount": 500 + i, "tax": "s"})
	}
	store["shipping_methods"] = methods
	store["store"].(object)["policy"] = object{"max_lines": 1000, "max_discount_codes": 10}
	text, err := json.Marshal(store)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "store.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	r := process.NewRedis(t.TempDir())
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Kill)
	n, addr := run(t, exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--redis", r.URL(), "--store", file))
	return reached(t, n, addr), n
}
