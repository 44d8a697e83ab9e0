package blackbox_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// statuses writes the stock statuses of the product and its variants as "in_stock S:untracked".
func (p productSeen) statuses() string {
	all := p.StockStatus
	for _, v := range p.Variants {
		all += " " + v.Name + ":" + v.StockStatus
	}
	return all
}

// tracked is a tracked product with a stock on hand, or with variants that each have one. A "!"
// after a variant's stock marks an inactive variant.
func tracked(n int, stocks ...string) object {
	more := object{"track_stock": true, "price_amount": 100}
	if len(stocks) == 1 {
		more["stock"] = stocks[0]
		return product(itemID(n), fmt.Sprint("Item ", n), fmt.Sprint("item-", n), more)
	}
	var variants list
	for i, stock := range stocks {
		onHand, inactive := strings.CutPrefix(stock, "!")
		variants = append(variants, object{"id": variantID(100*n + i), "name": string(rune('a' + i)), "stock": onHand, "active": !inactive})
	}
	more["variants"] = variants
	return product(itemID(n), fmt.Sprint("Item ", n), fmt.Sprint("item-", n), more)
}

// with sets one member of an object.
func with(o object, name string, value any) object { o[name] = value; return o }

// docs/api/catalogue.md#products, stock_status.
func TestStockStatuses(t *testing.T) {
	t.Parallel()
	rows := []struct {
		product object
		want    string
	}{
		{tracked(0, "5"), "in_stock"},
		{with(tracked(1, "0.001"), "unit", "m"), "in_stock"},
		{with(tracked(2, "5", "0"), "track_stock", false), "untracked a:untracked b:untracked"},
		{tracked(3, "0", "4"), "in_stock a:out_of_stock b:in_stock"},
		{with(tracked(4, "0", "!4"), "stock", "9"), "out_of_stock a:out_of_stock"},
		{tracked(5, "!4", "!4"), "out_of_stock"},
		{with(with(tracked(6, "5"), "capability", "made_to_measure"), "configurator", blindConfigurator()), "untracked"},
	}
	var goods list
	for _, row := range rows {
		goods = append(goods, row.product)
	}
	shop := serveFiles(t, storeFile(t, base(), selling(goods...)), storeFile(t, another(storeNoStock, keyNoStock, changes(selling(goods...), without("stock")))))
	listed := decoded[struct{ Data []productSeen }](shop.get(productsPath)).Data
	for i, row := range rows {
		if got := listed[i].statuses(); got != row.want {
			t.Errorf("product %d of the list: %s, want %s", i, got, row.want)
		}
		status, _, _ := strings.Cut(row.want, " ")
		if a := shop.get("stock/availability?product_ids[]=" + itemID(i)); !strings.Contains(string(a.body), `"stock_status":`+quoted(status)+`,`) {
			t.Errorf("%v\nwant: %s, as the catalogue", a, status)
		}
	}
	shop.withKey(keyNoStock).wantStatuses(itemID(3), "untracked a:untracked b:untracked")
}

// wantStatuses compares the stock statuses of a product.
func (c client) wantStatuses(id, want string) {
	c.t.Helper()
	a := c.get(productsPath + "/" + id)
	if got := decoded[productSeen](a).statuses(); got != want {
		c.t.Errorf("%v\nwant: %s", a, want)
	}
}

// Stock is live: holds, adjustments and expiries show at once, on every node, and change the ETag.
func TestStockStatusesAreLive(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	now := time.Now()
	r.Mini.SetTime(now)
	const carts = 60 // more than one call of the script expires
	file := storeFile(t, base(), selling(tracked(0, "2"), tracked(1, "1", "1"), product(itemID(2), "Untracked", "untracked", nil), tracked(3, fmt.Sprint(carts))))
	shop := start(t, options{redis: r.URL(), stores: []string{file}}).client(t)
	far := start(t, options{redis: r.URL()}).client(t)
	merchant, cart := shop.withKey(keyAll), shop.newCart()
	adjust := func(id, quantity string, more ...string) func() {
		return func() {
			merchant.post("catalog/stock-adjustments", adjustBody(id, quantity, more...)).wantStatus(http.StatusCreated)
		}
	}
	lineID, second := "", shop.newCart()
	for range carts {
		shop.add(shop.newCart(), itemID(3), "1")
	}
	shop.wantStatuses(itemID(3), "out_of_stock")
	pages := []string{productsPath, productsPath + "/item-0", productsPath + "/item-1", productsPath + "/untracked"}
	for _, step := range []struct {
		name       string
		do         func()
		want, many string // of the product and of the one with variants
		changes    string // the pages with a new ETag: list, item-0, item-1, untracked
	}{
		{"at first", func() {}, "in_stock", "in_stock a:in_stock b:in_stock", "0000"},
		{"a hold of a part", func() { lineID = shop.add(cart, itemID(0), "1").Lines[0].ID }, "in_stock", "in_stock a:in_stock b:in_stock", "0000"},
		{"a hold of the rest", func() { shop.add(second, itemID(0), "1") }, "out_of_stock", "in_stock a:in_stock b:in_stock", "1100"},
		{"a release", func() { shop.remove(cart + "/lines/" + lineID).wantStatus(200) }, "in_stock", "in_stock a:in_stock b:in_stock", "1100"},
		{"an adjustment", adjust(itemID(0), "-1"), "out_of_stock", "in_stock a:in_stock b:in_stock", "1100"},
		{"another", adjust(itemID(0), "0.5"), "in_stock", "in_stock a:in_stock b:in_stock", "1100"},
		{"a hold of a variant", func() { shop.add(cart, itemID(1), "1", variant(variantID(100))) }, "in_stock", "in_stock a:out_of_stock b:in_stock", "1010"},
		{"of the other", func() { shop.add(cart, itemID(1), "3", variant(variantID(101))) }, "in_stock", "out_of_stock a:out_of_stock b:out_of_stock", "1010"},
		{"out of stock", adjust(itemID(0), "-0.5"), "out_of_stock", "out_of_stock a:out_of_stock b:out_of_stock", "1100"},
		{"a variant that owes", adjust(itemID(1), "-1", variant(variantID(100))), "out_of_stock", "out_of_stock a:out_of_stock b:out_of_stock", "0000"},
		{"beside one in stock", adjust(itemID(1), "0.5", variant(variantID(101))), "out_of_stock", "in_stock a:out_of_stock b:in_stock", "1010"},
		{"holds expire", func() { r.Mini.SetTime(now.Add(time.Hour + time.Second)) }, "in_stock", "in_stock a:out_of_stock b:in_stock", "1100"},
	} {
		before := shop.tagsOf(pages)
		step.do()
		for _, c := range []client{far, shop} {
			c.wantStatuses(itemID(0), step.want)
			c.wantStatuses(itemID(1), step.many)
			listed := decoded[struct{ Data []productSeen }](c.get(productsPath)).Data
			if listed[0].statuses() != step.want || listed[1].statuses() != step.many {
				t.Errorf("%s: the list has %s, %s; want %s, %s", step.name, listed[0].statuses(), listed[1].statuses(), step.want, step.many)
			}
		}
		for i, tag := range shop.tagsOf(pages) {
			if changed := tag != before[i]; changed != (step.changes[i] == '1') {
				t.Errorf("%s: a new ETag of %s: %v", step.name, pages[i], changed)
			}
		}
	}
	shop.wantStatuses(itemID(3), "in_stock")
}

// tagsOf reads the ETags of pages.
func (c client) tagsOf(pages []string) []string {
	c.t.Helper()
	tags := make([]string, len(pages))
	for i, page := range pages {
		tags[i] = c.get(page).wantStatus(http.StatusOK).header.Get("ETag")
	}
	return tags
}
