//go:build long

package shop

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// many is how many rows each list of the desk has in a large store.
const many = 10_000

// documentWith writes the demo's document with a change.
func documentWith(t *testing.T, change func(document map[string]any)) string {
	t.Helper()
	text, err := os.ReadFile("../../cmd/cartd/demo/store.json")
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	change(document)
	file := filepath.Join(t.TempDir(), "store.json")
	if err := os.WriteFile(file, []byte(quotedJSON(t, document)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// entryID is the id of an entry that a test adds to the document.
func entryID(i int) string { return fmt.Sprintf("99999999-0000-4000-8000-%012d", i) }

// grow adds many products, companies to approve, and discounts with a code.
func grow(document map[string]any) {
	products, customers, discounts := document["products"].([]any), document["customers"].([]any), document["discounts"].([]any)
	for i := range many {
		products = append(products, object{
			"id": entryID(i), "name": fmt.Sprint("Hook number ", i), "slug": fmt.Sprint("hook-", i), "sku": fmt.Sprint("HK-", i), "tax": "standard",
			"price_amount": 100 + i, "track_stock": true, "stock": "3",
		})
		customers = append(customers, object{
			"id": entryID(i), "email": fmt.Sprintf("buyer%d@example.com", i), "first_name": "Eva", "last_name": fmt.Sprint("van Dalen ", i),
			"kind": "b2b", "approved": false, "company_name": fmt.Sprint("Interieur ", i),
		})
		discounts = append(discounts, object{
			"id": entryID(i), "name": fmt.Sprint("Campaign ", i), "kind": "order", "code": fmt.Sprint("CAMPAIGN", i),
			"value": object{"type": "percent", "percent": "5"},
		})
	}
	document["products"], document["customers"], document["discounts"] = products, customers, discounts
}

// together does something many times, some at a time.
func together(t *testing.T, times int, do func(i int)) {
	t.Helper()
	next := make(chan int)
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range times {
		next <- i
	}
	close(next)
	done.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// quoteOf writes a quote of one book for an address, and returns its id.
func quoteOf(t *testing.T, base, text string) string {
	t.Helper()
	return ask(t, "POST", base, deskKey, "quotes", object{
		"email": "guest@example.com", "name": text[:min(150, len(text))], "company_name": text[:min(255, len(text))], "acceptance_mode": "click",
		"lines": []object{{"product_id": book, "quantity": 2}},
	})["id"].(string)
}

// longList is a list of the desk in a large store.
type longList struct {
	name, at string
	// search is what is typed into the search, if there is nothing to see without.
	search, label string
	// asks is how many requests the first rows take at most.
	asks int
}

// Every list of a store with many entries shows its first rows with few requests, goes on at a button that keeps the
// keyboard's place, and fits each window.
func TestLongDeskWithManyRows(t *testing.T) {
	base := serve(t, "--store", documentWith(t, grow))
	adjust(t, base, book, many)
	began := time.Now()
	together(t, many, func(i int) {
		if order := sell(t, base, book, 1, fmt.Sprint("Buyer ", i)); i%2 == 0 {
			order.pay(t, base)
		}
	})
	together(t, many, func(i int) {
		if id := quoteOf(t, base, fmt.Sprint("Studio ", i)); i%2 == 0 {
			ask(t, "POST", base, deskKey, "quotes/"+id+"/offer", object{"expected_total_amount": 4900})
		}
	})
	t.Logf("%d orders and quotes in %s", many, time.Since(began).Round(time.Second))
	p := visit(t, base).open("desk").enter(deskKey)
	for _, list := range []longList{
		{name: "to ship", at: "#/orders?show=ship", asks: 2},
		{name: "unpaid", at: "#/orders?show=unpaid", asks: 1},
		{name: "all orders", at: "#/orders?show=all", asks: 1},
		{name: "inbox", at: "#/quotes?show=waiting", asks: 1},
		{name: "offered", at: "#/quotes?show=offered", asks: 1},
		{name: "all quotes", at: "#/quotes?show=all", asks: 1},
		{name: "customers", at: "#/customers", label: "Search customers", search: "interieur", asks: 1},
		{name: "to approve", at: "#/customers?show=awaiting", asks: 1},
		{name: "products", at: "#/products", label: "Search products", search: "hook", asks: 2},
		{name: "few left", at: "#/products?show=few", asks: 2},
		{name: "codes", at: "#/discounts", label: "Search discounts", search: "campaign", asks: 2},
	} {
		p.looksAtLongList(t, list)
	}
	p.goTo("#/orders?show=ship")
	p.sees("All back to ") // the list leaves orders out
	p.goTo("#/start")
	p.sees("Orders today")
	p.quiet()
	p.looksWell("desk start with many")
	p.wantNoFaults()
}

func (p *tab) looksAtLongList(t *testing.T, list longList) {
	t.Helper()
	p.goTo("#/store")
	p.sees("Who did what")
	p.quiet()
	p.script("performance.clearResourceTimings()")
	began := time.Now()
	p.goTo(list.at)
	if list.search != "" {
		p.fill(list.label, list.search)
		p.await("what is found", fmt.Sprintf(`((all) => all.length > 0 && all.every((row) => row.innerText.toLowerCase().includes(%q)))
			([...document.querySelectorAll("main .row")])`, list.search))
	}
	p.await("the first rows of "+list.name, "document.querySelector('main .row')")
	t.Logf("%s: the first rows after %s", list.name, time.Since(began).Round(time.Millisecond))
	p.quiet()
	asked := eval[string](p, `performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.includes("/v1/")).join("\n")`)
	if n := len(strings.Split(asked, "\n")); n > list.asks {
		t.Errorf("%s asks %d times for its first rows, want at most %d:\n%s", list.name, n, list.asks, asked)
	}
	rows := eval[int](p, "document.querySelectorAll('main .row').length")
	if rows < 20 || rows > 100 {
		t.Errorf("%s has %d rows at first, want 20 to 100", list.name, rows)
	}
	p.looksWell("desk " + list.name + " of many")

	p.script(`[...document.querySelectorAll("main .row")].at(-1).focus()`)
	p.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	p.await("more rows", fmt.Sprintf("document.querySelectorAll('main .row').length > %d", rows))
	p.quiet()
	if at := eval[int](p, "[...document.querySelectorAll('main .row')].indexOf(document.activeElement)"); at != rows {
		t.Errorf("%s: after more rows the focus is on row %d, want the first new one, %d", list.name, at, rows)
	}
}
