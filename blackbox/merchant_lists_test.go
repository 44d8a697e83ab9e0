package blackbox_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

const keyLists = "secret-key-lists"

// rowsOfEach is the number of rows of each of a merchant's lists in the test of their pages, actsOfEach that of the history.
const (
	rowsOfEach = 7
	actsOfEach = 230
)

// listed is a store with rows in each of a merchant's lists that come from its document.
func listed(document object) {
	withStock(document)
	collected(document)
	setting("quotes", object{"enabled": true, "mode": "reviewed"})(document)
	document["api_keys"] = append(document["api_keys"].(list),
		apiKey("office", keyLists, "store:read", "sales:manage", "orders:read", "catalog:manage"))
	products, customers := document["products"].(list), document["customers"].(list)
	for i := range rowsOfEach {
		products = append(products, object{
			"id": fmt.Sprintf("50000000-0000-4000-8000-%012d", i), "name": fmt.Sprint("Shelf ", i), "slug": fmt.Sprint("shelf-", i), "sku": fmt.Sprint("SH-", i),
			"track_stock": true, "tax": "standard", "price_amount": 1250, "requires_shipping": false, "stock": fmt.Sprint(3 + i),
		})
		customers = append(customers, object{
			"id": fmt.Sprintf("60000000-0000-4000-8000-%012d", i), "email": fmt.Sprintf("piet%d@example.com", i), "kind": "b2b", "approved": false,
			"company_name": fmt.Sprint("Van Dijk ", i), "first_name": "Piet", "last_name": fmt.Sprint("Van Dalen ", i),
		})
	}
	document["products"], document["customers"] = products, customers
}

// cursorPage is what a test reads of a page that says where the next one begins.
type cursorPage struct {
	Data []json.RawMessage
	Meta struct {
		NextAfter  any `json:"next_after"`
		NextBefore any `json:"next_before"`
	}
}

// page reads a page of a list from a cursor on, and the cursor of the next; empty at the end.
func (c client) page(path, cursor string) (rows []string, next string) {
	c.t.Helper()
	if cursor != "" {
		path += "&" + cursor
	}
	var p cursorPage
	c.get(path).wantStatus(200).decode(&p)
	for _, row := range p.Data {
		rows = append(rows, string(row))
	}
	for name, value := range map[string]any{"after": p.Meta.NextAfter, "before": p.Meta.NextBefore} {
		switch value := value.(type) {
		case string:
			next = name + "=" + value
		case float64:
			next = fmt.Sprintf("%s=%.0f", name, value)
		}
	}
	return rows, next
}

// walk reads a list to its end, and the same pages once more from the last to the first.
func (c client) walk(path string) (rows []string) {
	c.t.Helper()
	var pages [][]string
	cursors := []string{""}
	for {
		page, next := c.page(path, cursors[len(cursors)-1])
		pages, rows = append(pages, page), append(rows, page...)
		if next == "" {
			break
		}
		if slices.Contains(cursors, next) {
			c.t.Fatalf("%s: the page after %s ends where it began", path, next)
		}
		cursors = append(cursors, next)
	}
	for i, cursor := range slices.Backward(cursors) {
		again, _ := c.page(path, cursor)
		if n := min(len(again), len(pages[i])); n == 0 && len(rows) > 0 || !slices.Equal(again[:n], pages[i][:n]) { // a busy node may end a page early
			c.t.Errorf("%s: on the way back page %d has %s\nwant %s", path, i+1, again, pages[i])
		}
	}
	return rows
}

// docs/api/merchant.md, quotes.md, orders.md: each list is read forward and back, in pages of two rows and of one that has all, with the same rows.
func TestMerchantsListsPageInBothDirections(t *testing.T) {
	t.Parallel()
	shop := start(t, options{redis: redistest.Mini(t).URL(), stores: []string{storeFile(t, base(), listed)}}).client(t)
	office, shopper := shop.withKey(keyLists), shop.withToken(tokenAda)
	for i := range rowsOfEach {
		shopper.patch(shopper.newCart(), `{"email":"ada@example.com"}`).wantStatus(200)
		cart := shopper.newCart()
		shopper.add(cart, nails, "1")
		shopper.post(cart+"/checkout", `{}`).wantStatus(201)
		q := office.post(quoteDesk, fmt.Sprintf(`{"customer_id":%q,"lines":[{"product_id":%q,"quantity":%d}]}`, ada, nails, i+1)).storeQuote(201)
		q = office.post(q.path("/offer"), `{}`).storeQuote(200)
		shop.post(q.link()+"/change-request", `{"message":"Less?"}`).wantStatus(200)
	}
	for range actsOfEach / 2 {
		office.request("PUT", "store/closed", `{}`).wantStatus(200)
		office.request("DELETE", "store/closed", "").wantStatus(200)
	}
	today := "&placed_from=2020-01-01"
	for _, l := range []struct {
		path, all string // all is the parameter of a page with all rows; empty if the pages have one length
		rows      int
	}{
		{"contacts?q=van%20d", "&per_page=100", rowsOfEach},
		{"contacts?awaiting=true", "&per_page=100", rowsOfEach},
		{"carts?customer_id=" + ada, "&per_page=100", rowsOfEach},
		{"orders?sort=newest", "&per_page=100", rowsOfEach},
		{"orders?customer_id=" + ada, "&per_page=100", rowsOfEach},
		{"orders?customer_id=" + ada + "&sort=newest", "&per_page=100", rowsOfEach},
		{"orders?email=ada@example.com" + today, "&per_page=100", rowsOfEach},
		{"orders?sort=newest&status=placed" + today, "&per_page=100", rowsOfEach},
		{"quotes?state=all", "&per_page=100", rowsOfEach},
		{"quotes?state=offered", "&per_page=100", rowsOfEach},
		{"quotes?state=waiting", "&per_page=100", rowsOfEach},
		{"quotes?customer_id=" + ada, "&per_page=100", rowsOfEach},
		{"stock/levels?below=1000", "&per_page=100", -1},
		{"catalog/document/products?q=shelf", "&per_page=100", rowsOfEach},
		{"catalog/document/products?", "&per_page=100", -1},
		{"history?", "", actsOfEach + 2*rowsOfEach + 1}, // the offers, and the import,
	} {
		short := l.path
		if l.all != "" {
			short += "&per_page=2"
		}
		rows := office.walk(short)
		if len(rows) < 3 || l.rows >= 0 && len(rows) != l.rows {
			t.Errorf("%s has %d rows, want %d", l.path, len(rows), l.rows)
		}
		if l.all == "" {
			continue
		}
		if whole := office.walk(l.path + l.all); !slices.Equal(rows, whole) {
			t.Errorf("%s has in pages\n%s\nand as a whole\n%s", l.path, strings.Join(rows, "\n"), strings.Join(whole, "\n"))
		}
	}
	ascending, newest := office.walk("orders?per_page=2"), office.walk("orders?sort=newest&per_page=2")
	if slices.Reverse(newest); len(newest) != rowsOfEach || !slices.Equal(ascending, newest) {
		t.Errorf("the orders are\n%s\nand the other way round\n%s", strings.Join(ascending, "\n"), strings.Join(newest, "\n"))
	}
	approved := 0
	for rows, next := office.page("contacts?awaiting=true&per_page=2", ""); ; rows, next = office.page("contacts?awaiting=true&per_page=2", next) {
		for _, row := range rows {
			var contact struct{ ID string }
			if err := json.Unmarshal([]byte(row), &contact); err != nil {
				t.Fatal(err)
			}
			office.patch("contacts/"+contact.ID, `{"approved":true}`).wantStatus(200)
			approved++
		}
		if next == "" {
			break
		}
	}
	if approved != rowsOfEach {
		t.Errorf("%d of %d businesses were approved page by page", approved, rowsOfEach)
	}
}
