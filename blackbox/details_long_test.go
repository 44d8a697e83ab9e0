//go:build long

package blackbox_test

import (
	"encoding/json"
	"testing"

	"cartd/internal/redistest"
)

// cartDetails are the details beside a cart's envelope.
type cartDetails struct {
	RequiresShipping bool                   `json:"requires_shipping"`
	MergedInto       *string                `json:"merged_into"`
	Lines            map[string]lineDetails `json:"lines"`
}

type lineDetails struct {
	Slug             *string
	VariantName      *string `json:"variant_name"`
	Unit             *string
	RequiresShipping *bool  `json:"requires_shipping"`
	Original         *money `json:"original_unit_price"`
	Full             money  `json:"full_total"`
	Discount         money  `json:"discount_amount"`
}

// details reads a cart with its details.
func (c client) details(path string) (cart, cartDetails) {
	c.t.Helper()
	a := c.get(path + "?include=details")
	var body struct{ Details *cartDetails }
	if err := json.Unmarshal(a.body, &body); err != nil || body.Details == nil {
		c.t.Fatalf("%v\nwant details: %v", a, err)
	}
	return a.cart(200), *body.Details
}

// A merged cart names the cart that it was folded into, on every node, until that one is folded too.
func TestLongMergedInto(t *testing.T) {
	t.Parallel()
	nodes := pair(t, redistest.Real(t), keyShop)
	ada := nodes[0].withToken(tokenAda)
	phone := ada.bound("ada@example.com", "1", "")
	desk := nodes[0].newCart()
	ada.claim(desk)
	tablet := nodes[0].newCart()
	ada.claim(tablet)
	for _, node := range []client{ada, nodes[1].withToken(tokenAda)} {
		at, names := phone, []string(nil)
		for {
			got, details := node.details(at)
			names = append(names, got.Status)
			if details.MergedInto == nil {
				break
			}
			at = "commerce/carts/" + *details.MergedInto
		}
		if at != tablet || len(names) != 3 || names[0] != "merged" || names[1] != "merged" || names[2] != "active" {
			t.Errorf("from %s the way led to %s by %v; want %s", phone, at, names, tablet)
		}
	}
}
