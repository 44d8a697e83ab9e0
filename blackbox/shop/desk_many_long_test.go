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
	axe := axeCore(t)
	p := visit(t, base).enter(deskKey)
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
		p.looksAtLongList(t, list, axe)
	}
	p.goTo("#/orders?show=ship")
	p.sees("All back to ") // the list leaves orders out
	p.goTo("#/start")
	p.sees("Orders today")
	p.quiet()
	p.looksAtDesk(t, "start with many", axe)
	p.wantNoFaults()
}

func (p *tab) looksAtLongList(t *testing.T, list longList, axe string) {
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
	p.looksAtDesk(t, list.name+" of many", axe)

	p.script(`document.querySelector(".more button").focus()`)
	p.do(chromedp.KeyEvent(kb.Enter))
	p.await("more rows", fmt.Sprintf("document.querySelectorAll('main .row').length > %d", rows))
	p.quiet()
	if at := eval[int](p, "[...document.querySelectorAll('main .row')].indexOf(document.activeElement)"); at != rows {
		t.Errorf("%s: after more rows the focus is on row %d, want the first new one, %d", list.name, at, rows)
	}
}

// The views of a store without products, customers, orders and discounts say so, and fit each window.
func TestLongDeskWithoutRows(t *testing.T) {
	base := serve(t, "--store", documentWith(t, func(document map[string]any) {
		for _, list := range []string{"products", "customers", "discounts"} {
			document[list] = []any{}
		}
	}))
	p := visit(t, base).enter(deskKey)
	p.looksAtViews(t, "without rows, ", []view{
		{name: "start", at: "#/start", sees: "Nothing waits for you."},
		{name: "orders", at: "#/orders", sees: "Nothing is waiting to be shipped."},
		{name: "unpaid", at: "#/orders?show=unpaid", sees: "No order waits for its payment."},
		{name: "all orders", at: "#/orders?show=all", sees: "No order has come in yet."},
		{name: "inbox", at: "#/quotes", sees: "No request waits for you."},
		{name: "offered", at: "#/quotes?show=offered", sees: "Nothing is offered now."},
		{name: "all quotes", at: "#/quotes?show=all", sees: "No quote was made yet."},
		{name: "customers", at: "#/customers", sees: "Type the beginning of a company"},
		{name: "to approve", at: "#/customers?show=awaiting", sees: "No company waits for its approval."},
		{name: "products", at: "#/products", sees: "The store has no products."},
		{name: "few left", at: "#/products?show=few", sees: "There is enough of everything."},
		{name: "discounts", at: "#/discounts", sees: "The store has no discounts."},
		{name: "store", at: "#/store", sees: "Nobody follows the store's events."},
	})
}

// The longest texts that the store's document takes fit each window of every view.
func TestLongDeskWithLongTexts(t *testing.T) {
	wide := strings.Repeat("W", 255)
	base := serve(t, "--store", documentWith(t, func(document map[string]any) {
		document["store"].(map[string]any)["name"] = wide
		add := func(list string, entry object) { document[list] = append(document[list].([]any), entry) }
		add("customer_groups", object{"id": entryID(1), "name": wide})
		add("customers", object{
			"id": entryID(1), "email": strings.Repeat("w", 60) + "@" + strings.Repeat("w", 60) + ".example.com", "first_name": wide, "last_name": wide,
			"kind": "b2b", "approved": false, "company_name": wide, "group_id": entryID(1),
		})
		add("products", object{
			"id": entryID(1), "name": wide, "slug": "wide", "sku": wide, "tax": "standard", "price_amount": 100_000_000_000, "track_stock": true,
			"requires_shipping": false, "variants": []object{
				{"id": entryID(2), "name": wide, "sku": wide[1:], "stock": "3"}, {"id": entryID(3), "name": wide[1:], "sku": wide[2:], "stock": "2", "price_amount": 1},
			},
		})
		add("discounts", object{"id": entryID(1), "name": wide, "kind": "order", "code": wide[:64], "value": object{"type": "fixed", "amount": 100_000_000_000}})
	}))
	id := ask(t, "POST", base, deskKey, "quotes", object{
		"email": "guest@example.com", "name": wide[:150], "company_name": wide, "reference": wide[:100], "internal_note": wide, "offer_message": wide,
		"lines": []object{
			{"product_id": entryID(1), "variant_id": entryID(2), "quantity": 2},
			{"name": wide, "tax": "standard", "unit_price_amount": 1, "quantity": 1},
		},
	})["id"].(string)
	ask(t, "PUT", base, deskKey, "store/closed", object{"message": wide})
	p := visit(t, base).enter(deskKey)
	p.looksAtViews(t, "long texts, ", []view{
		{name: "start", at: "#/start", sees: "quote to write"},
		{name: "inbox", at: "#/quotes", sees: "To write"},
		{name: "quote", at: "#/quotes/" + id, sees: "Saved"},
		{name: "to approve", at: "#/customers?show=awaiting", sees: "WWW"},
		{name: "customer", at: "#/customers/" + entryID(1), sees: "Approve"},
		{name: "few left", at: "#/products?show=few", sees: "WWW"},
		{name: "product", at: "#/products/" + entryID(1), sees: "Prices"},
		{name: "discount", at: "#/discounts/" + entryID(1), sees: "Turn it off"},
		{name: "store", at: "#/store", sees: "The store is closed"},
	})
	for _, list := range []string{"products", "discounts"} {
		p.goTo("#/" + list)
		p.fill("Search "+list, "www")
		p.await("the only row", "document.querySelectorAll('main .row').length === 1")
		p.quiet()
		p.looksAtDesk(t, "long texts, "+list, axeCore(t))
	}
	p.wantNoFaults()
}

// looksAtViews looks at views in each size and colour.
func (p *tab) looksAtViews(t *testing.T, prefix string, views []view) {
	t.Helper()
	axe := axeCore(t)
	for _, one := range views {
		p.goTo(one.at)
		p.sees(one.sees)
		p.quiet()
		p.looksAtDesk(t, prefix+one.name, axe)
	}
	p.wantNoFaults()
}
