package blackbox_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// sell makes an order of one booklet.
func (c client) sell(body string) order {
	c.t.Helper()
	path := c.newCart()
	c.add(path, booklet, "1")
	return c.checkOut(path, body).order(201)
}

// orders reads a list of orders.
func (c client) orders(query string) (rows []order, total int) {
	c.t.Helper()
	var page struct {
		Data []order
		Meta struct{ Total int }
	}
	a := c.get("commerce/orders" + query).wantStatus(200)
	if err := json.Unmarshal(a.body, &page); err != nil {
		c.t.Fatalf("%v\n%v", a, err)
	}
	return page.Data, page.Meta.Total
}

// An account sees its own orders, newest first, in pages, by time and by status.
func TestOrdersOfAnAccount(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)})
	shop := n.client(t).withKey(keyAll)
	tokens := shop.withToken(tokenAda)
	var own []order
	for range 3 {
		own = append(own, tokens.sell("{}"))
	}
	guests := shop.sell(`{"email":"` + adaEmail + `"}`)
	others := shop.withToken(tokenTess).sell("{}")

	rows, total := tokens.orders("?per_page=100")
	if total != 3 || len(rows) != 3 {
		t.Fatalf("%d of %d orders, want 3", len(rows), total)
	}
	for i, row := range rows {
		if row.PlacedAt < rows[2].PlacedAt || row.LinesCount != 1 || row.Lines != nil || row.Totals != own[0].Totals {
			t.Errorf("row %d is %+v", i, row)
		}
		if !slices.ContainsFunc(own, func(o order) bool { return o.ID == row.ID && o.Number == row.Number }) {
			t.Errorf("row %d is order %d of another customer", i, row.Number)
		}
	}
	if second, _ := tokens.orders("?per_page=2&page=2"); len(second) != 1 || second[0].ID != rows[2].ID {
		t.Errorf("the second page has %+v", second)
	}
	day := rows[0].PlacedAt[:10]
	for query, want := range map[string]int{
		"?status=placed": 3, "?placed_from=" + day + "&placed_to=" + day: 3, "?placed_to=" + rows[0].PlacedAt: 3, "?placed_from=" + rows[2].PlacedAt: 3,
		"?placed_from=2040-01-01": 0, "?placed_to=2020-01-01": 0, "?placed_from=&status=": 3,
	} {
		if rows, total := tokens.orders(query); len(rows) != want || total != want {
			t.Errorf("%s: %d of %d, want %d", query, len(rows), total, want)
		}
	}

	got := tokens.get("commerce/orders/" + strings.ToUpper(own[0].ID)).wantStatus(200)
	tokens.ifNoneMatch(got.header.Get("ETag")).get("commerce/orders/" + own[0].ID).wantStatus(304)
	for _, id := range []string{guests.ID, others.ID, "x"} {
		tokens.get("commerce/orders/"+id).want(404, `{"message":"No query results for model [Order] `+id+`"}`)
	}
	shop.get("commerce/orders/"+own[0].ID).want(401, `{"message":"Invalid customer token."}`)
}

// Orders outlive imports, and an export does not include them. cartd orders writes all of them from
// a number on, those of guests too.
func TestCartdOrdersWritesAllOrders(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)})
	shop := n.client(t)
	var want []string
	for i := range 105 { // more than a page
		c := shop
		if i%2 == 1 {
			c = shop.withToken(tokenAda)
		}
		want = append(want, c.sell(buyer).ID)
	}
	client := r.Client()
	for _, key := range client.Keys(t.Context(), "*order*").Val() {
		if ttl := client.TTL(t.Context(), key).Val(); ttl != -1 {
			t.Errorf("%s leaves in %v", key, ttl)
		}
	}
	imports(t, r, storeFile(t, base(), setting("name", "Another name"))).wantStores(t, "imported")
	listed := func(since int) (ids []string) {
		t.Helper()
		for line := range strings.Lines(operates(t, r, "orders", "--store", storeBase, "--since", fmt.Sprint(since)).wants(t)) {
			var o order
			if err := json.Unmarshal([]byte(line), &o); err != nil || o.Number != since+len(ids)+1 || len(o.Lines) != 1 {
				t.Fatalf("line %d is %.200s", len(ids), line)
			}
			ids = append(ids, o.ID)
		}
		return ids
	}
	for _, since := range []int{0, 1, 100, 105, 900} {
		if got := listed(since); !slices.Equal(got, want[min(since, len(want)):]) {
			t.Errorf("since %d: %d orders, want %d", since, len(got), len(want)-min(since, len(want)))
		}
	}
	if document := exports(t, r, storeBase); strings.Contains(document, want[0]) || strings.Contains(document, "buyer@example.com") {
		t.Error("the export holds orders")
	}
	operates(t, r, "orders", "--store", "x").wantUsage(t, `--store "x" is no id of a store`)
	operates(t, r, "orders", "--store", storeOther).wantOneLine(t, "there is no such store")
	operates(t, r, "orders", "--store", storeBase, "--since", "-1").wantUsage(t, "--since must be")
}

// forMerchant is a new order's JSON as the merchant sees it.
func forMerchant(order []byte) string {
	return strings.NewReplacer(`"due_at":null}`, `"due_at":null,"reference":null}`, `"cancel_reason":null`, `"cancel_reason":null,"restocked":false`).Replace(string(order))
}
