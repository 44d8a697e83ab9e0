package blackbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
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
	if rows, total := tokens.orders(""); len(rows) != 0 || total != 0 {
		t.Errorf("at first there are %d of %d", len(rows), total)
	}
	var own []order
	for range 5 {
		own = append(own, tokens.sell("{}"))
	}
	guests := shop.sell(`{"email":"` + adaEmail + `"}`)
	others := shop.withToken(tokenTess).sell("{}")
	slices.Reverse(own)

	rows, total := tokens.orders("?per_page=100")
	if total != 5 || len(rows) != 5 {
		t.Fatalf("%d of %d orders, want 5", len(rows), total)
	}
	for i, row := range rows {
		if row.PlacedAt < rows[len(rows)-1].PlacedAt || row.LinesCount != 1 || row.Lines != nil || row.Totals != own[0].Totals {
			t.Errorf("row %d is %+v", i, row)
		}
		if !slices.ContainsFunc(own, func(o order) bool { return o.ID == row.ID && o.Number == row.Number }) {
			t.Errorf("row %d is order %d of another customer", i, row.Number)
		}
	}
	second, _ := tokens.orders("?per_page=2&page=2")
	if len(second) != 2 || second[0].ID != rows[2].ID || second[1].ID != rows[3].ID {
		t.Errorf("the second page has %+v", second)
	}
	if beyond, total := tokens.orders("?per_page=2&page=9"); len(beyond) != 0 || total != 5 {
		t.Errorf("beyond the last page there are %d of %d", len(beyond), total)
	}
	day := rows[0].PlacedAt[:10]
	for query, want := range map[string]int{
		"?status=placed": 5, "?placed_from=" + day + "&placed_to=" + day: 5, "?placed_to=" + rows[0].PlacedAt: 5, "?placed_from=" + rows[4].PlacedAt: 5,
		"?placed_from=2040-01-01": 0, "?placed_to=2020-01-01": 0,
		"?placed_from=2020-01-01T00:00:00Z&placed_to=2040-01-01T00:00:00%2B02:00": 5, "?placed_from=&status=": 5,
		"?placed_from=2040-01-01&placed_to=2020-01-01": 0,
	} {
		if rows, total := tokens.orders(query); len(rows) != want || total != want {
			t.Errorf("%s: %d of %d, want %d", query, len(rows), total, want)
		}
	}

	got := tokens.get("commerce/orders/" + strings.ToUpper(own[0].ID)).wantStatus(200)
	if !strings.HasPrefix(string(got.body), `{"id":`+quoted(own[0].ID)) || got.header.Get("ETag") == "" {
		t.Errorf("%v %v", got, got.header)
	}
	tokens.withHeader("If-None-Match", got.header.Get("ETag")).get("commerce/orders/" + own[0].ID).wantStatus(304)
	for _, id := range []string{guests.ID, others.ID, unknownID, "x"} {
		tokens.get("commerce/orders/"+id).want(404, `{"message":"No query results for model [Order] `+id+`"}`)
	}
	shop.get("commerce/orders/"+own[0].ID).want(401, `{"message":"Invalid customer token."}`)
	shop.withToken(tokenExpired).get("commerce/orders").want(401, `{"message":"Invalid customer token."}`)
}

// Orders outlive imports, and an export does not include them. cartd orders writes all of them from
// a number on, those of guests too.
func TestCartdOrdersWritesAllOrders(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)})
	shop := n.client(t)
	var want []string
	for i := range 205 {
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
	cartd := func(args ...string) string {
		t.Helper()
		var errs bytes.Buffer
		command := exec.Command(binary, args...)
		command.Stderr = &errs
		out, err := command.Output()
		if err != nil {
			t.Fatalf("cartd %v: %v\n%s", args, err, &errs)
		}
		return string(out)
	}
	cartd("import", "--redis", r.URL(), storeFile(t, base(), setting("name", "Another name")))
	taken := func(since int) (ids []string) {
		t.Helper()
		for line := range strings.Lines(cartd("orders", "--redis", r.URL(), "--store", storeBase, "--since", fmt.Sprint(since))) {
			var o order
			if err := json.Unmarshal([]byte(line), &o); err != nil || o.Number != since+len(ids)+1 || len(o.Lines) != 1 {
				t.Fatalf("line %d is %.200s", len(ids), line)
			}
			ids = append(ids, o.ID)
		}
		return ids
	}
	for _, since := range []int{0, 1, 100, 204, 205, 900} {
		if got := taken(since); !slices.Equal(got, want[min(since, len(want)):]) {
			t.Errorf("since %d: %d orders, want %d", since, len(got), len(want)-min(since, len(want)))
		}
	}
	if document := cartd("export", "--redis", r.URL(), "--store", storeBase); strings.Contains(document, want[0]) || strings.Contains(document, "buyer@example.com") {
		t.Error("the export holds orders")
	}
	for args, message := range map[string]string{
		"--store x": `--store "x" is no id of a store`, "--store " + storeOther: "there is no such store", "--store " + storeBase + " --since -1": "--since must be",
	} {
		out, err := exec.Command(binary, append([]string{"orders", "--redis", r.URL()}, strings.Fields(args)...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), message) {
			t.Errorf("cartd orders %s: %v\n%s", args, err, out)
		}
	}
}

// forMerchant is a new order's JSON as the merchant sees it.
func forMerchant(order []byte) string {
	return strings.NewReplacer(`"due_at":null}`, `"due_at":null,"reference":null}`, `"cancel_reason":null`, `"cancel_reason":null,"restocked":false`).Replace(string(order))
}

// The store's webhooks get one event each for an order, its cart and its stock.
func TestTheEventsOfAnOrder(t *testing.T) {
	t.Parallel()
	v := newReceiver(t, takes)
	hook := func(document object) {
		setting("webhooks", list{object{"url": v.URL, "secret": hookSecret, "events": list{"order.placed", "cart.converted", "stock.adjusted"}}})(document)
	}
	n := start(t, options{redis: redistest.Real(t).URL(), stores: []string{storeFile(t, base(), withStock, collected, hook)}, flags: []string{"--webhook-allow-private"}})
	shop := n.client(t)
	path := shop.newCart()
	shop.add(path, cable, "1.125")
	shop.add(path, hammer, "2")
	sold := shop.checkOut(path, buyer).wantStatus(201)
	o := sold.order(201)
	var envelope struct{ Data json.RawMessage }
	if err := json.Unmarshal(sold.body, &envelope); err != nil {
		t.Fatal(err)
	}
	head := func(event string) string { return `{"event":` + quoted(event) + `,"store_id":` + quoted(storeBase) }
	want := []string{
		head("stock.adjusted") + `,"product_id":` + quoted(hammer) + `,"variant_id":null,"quantity":-2,"on_hand":8,"reason":"order","occurred_at":` + quoted(o.PlacedAt) + "}",
		head("stock.adjusted") + `,"product_id":` + quoted(cable) + `,"variant_id":null,"quantity":-1.125,"on_hand":1.375,"reason":"order","occurred_at":` + quoted(o.PlacedAt) + "}",
		head("order.placed") + `,"order":` + forMerchant(envelope.Data) + `,"token":` + quoted(sold.header.Get("X-Order-Token")) + `,"occurred_at":` + quoted(o.PlacedAt) + "}",
		head("cart.converted") + `,"cart_id":` + quoted(strings.TrimPrefix(path, "commerce/carts/")) + `,"order_id":` + quoted(o.ID) +
			`,"quote_id":null,"occurred_at":` + quoted(o.PlacedAt) + "}",
	}
	poll(t, "all events", func() bool { return len(v.events()) >= len(want) })
	got := v.events()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
