package blackbox_test

import (
	"fmt"
	"net/http"
	"strings"
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
