package blackbox_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
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

// tagsOf reads the ETags of pages.
func (c client) tagsOf(pages []string) []string {
	c.t.Helper()
	tags := make([]string, len(pages))
	for i, page := range pages {
		tags[i] = c.get(page).wantStatus(http.StatusOK).header.Get("ETag")
	}
	return tags
}
