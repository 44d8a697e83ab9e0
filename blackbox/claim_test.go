package blackbox_test

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"cartd/internal/redistest"
)

// bound makes a cart of the token's account with an e-mail and lines of hammers and nails.
func (c client) bound(email, hammers, nailCount string) string {
	c.t.Helper()
	path := c.newCart()
	c.patch(path, `{"email":`+quoted(email)+`}`).wantStatus(200)
	if hammers != "" {
		c.add(path, hammer, hammers)
	}
	if nailCount != "" {
		c.add(path, nails, nailCount)
	}
	return path
}

// idOf is the cart's id in its path.
func idOf(path string) string { return strings.TrimPrefix(path, "commerce/carts/") }

// merged is an entry of a merge report.
type merged struct {
	Cart    string `json:"cart_id"`
	Moved   int
	Summed  int
	Clamped []struct {
		Line            string `json:"line_id"`
		Requested, Kept float64
	}
	Dropped []struct {
		Product  string  `json:"product_id"`
		Variant  *string `json:"variant_id"`
		Quantity float64
	}
}

// claim claims a cart and returns the answer's report.
func (c client) claim(path string) (cart, []merged) {
	c.t.Helper()
	a := c.post(path+"/claim?include=merge_report", "")
	got := a.cart(200)
	var report struct {
		Merged *[]merged `json:"merge_report"`
	}
	if err := json.Unmarshal(a.body, &report); err != nil || report.Merged == nil {
		c.t.Fatalf("%v\nwant a merge report: %v", a, err)
	}
	return got, *report.Merged
}

// indexOf is the index of an account's active carts.
func indexOf(r *redistest.Server, customer string) []string {
	return r.Client().ZRange(context.Background(), "{"+storeBase+"}:carts:"+customer, 0, -1).Val()
}

// awaitMillisecond waits until Redis's clock is a millisecond later. Carts keep whole milliseconds,
// so a node's next write of a cart then has a later time than its last one.
func awaitMillisecond(r *redistest.Server) {
	client := r.Client()
	for began := client.Time(context.Background()).Val(); client.Time(context.Background()).Val().Sub(began) < time.Millisecond; {
	}
}
