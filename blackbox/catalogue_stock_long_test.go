//go:build long

package blackbox_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// Stock is live: holds, adjustments and expiries show at once, on every node, and change the ETag.
func TestLongStockStatusesAreLive(t *testing.T) {
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
