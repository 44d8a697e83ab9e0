package blackbox_test

import (
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

// cartd orders writes all orders from a number on, also those beyond a page of Redis's.
func TestCartdOrdersWritesAllOrders(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t)
	for range 105 {
		shop.sell(buyer)
	}
	for since, want := range map[string]int{"0": 105, "1": 104, "100": 5, "105": 0, "900": 0} {
		text := operates(t, r, "orders", "--store", storeBase, "--since", since).wants(t)
		if got := strings.Count(text, "\n"); got != want || want > 0 && !strings.Contains(text, `"number":105,`) {
			t.Errorf("since %s: %d orders, want %d up to the last", since, got, want)
		}
	}
}

// forMerchant is a new order's JSON as the merchant sees it.
func forMerchant(order []byte) string {
	return strings.NewReplacer(`"due_at":null}`, `"due_at":null,"reference":null}`, `"cancel_reason":null`,
		`"cancel_reason":null,"restocked":false`).Replace(string(order))
}
