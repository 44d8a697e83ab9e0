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
