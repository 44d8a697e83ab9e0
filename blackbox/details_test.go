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
func TestMergedInto(t *testing.T) {
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

// Every line's full total without its discount is its total.
func TestDetailsOfADiscountedCart(t *testing.T) {
	t.Parallel()
	c := start(t, options{redis: redistest.Real(t).URL(), stores: []string{storeFile(t, base(), withDiscounts)}}).client(t).withKey(keyAll)
	path := c.newCart()
	c.add(path, hammer, "3")
	c.post(path+"/lines", addBody(gloves, "1", variant(glovesM))).wantStatus(201)
	c.attach(path, "Ten10").wantStatus(200)
	got, details := c.details(path)
	discount := int64(0)
	for _, l := range got.Lines {
		d := details.Lines[l.ID]
		if d.Full.Amount-d.Discount.Amount != l.LineTotal.Amount || d.Slug == nil || d.Unit == nil || *d.Unit != "piece" || (d.VariantName == nil) != (l.VariantID == nil) {
			t.Errorf("line %+v has the details %+v", l, d)
		}
		discount += d.Discount.Amount
	}
	if len(details.Lines) != 2 || discount == 0 || discount != got.Totals.DiscountTotal.Amount || !details.RequiresShipping {
		t.Errorf("details %+v of %+v", details, got.Totals)
	}
}
