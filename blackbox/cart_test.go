package blackbox_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

const defaultPolicy = `{"identity_mode":"guest_allowed","audience":"both","min_order_value_amount":null,
	"max_lines":100,"max_quantity_per_line":100,"pricing":{"guest_price_visibility":"visible","vat_display":"inc",
	"show_original_price":true,"show_tier_table":true}}`

// euros is a money object.
func euros(amount int) string { return fmt.Sprintf(`{"amount":%d,"currency":"EUR"}`, amount) }

// emptyCart is the whole envelope of a cart without lines.
func emptyCart(id, email, metadata, policy string) string {
	return `{"data":{"id":` + quoted(id) + `,"currency":"EUR","status":"active","email":` + email + `,"metadata":` + metadata + `,
		"discount_code":null,"discount_code_error":null,"discounts":[],"policy":` + policy + `,
		"requires_quote":false,"quote_reasons":[],"lines":[],
		"totals":{"subtotal":` + euros(0) + `,"tax_total":` + euros(0) + `,"total":` + euros(0) + `,"discount_total":` + euros(0) + `,"tax_breakdown":[]}}}`
}

var uuidV4 = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// Spec: Cart; Carts, POST: empty cart.
func TestAnEmptyCartHasEveryField(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	created := shop.post("commerce/carts", "")
	id := created.cart(http.StatusCreated).ID
	if !uuidV4.MatchString(id) {
		t.Errorf("the cart id %q is no random UUID", id)
	}
	created.want(http.StatusCreated, emptyCart(id, "null", "null", defaultPolicy))
	path := "commerce/carts/" + id
	shop.get(path).want(http.StatusOK, emptyCart(id, "null", "null", defaultPolicy))
	shop.patch(path, `{"email":"A@B","metadata":{"a":"x","b":1.50}}`).
		want(http.StatusOK, emptyCart(id, `"a@b"`, `{"a":"x","b":1.50}`, defaultPolicy))
}

// Spec: lines[], totals. Worked by hand: 3 × 1999 = 5997 at 21 %, 2.5 × 333 =
// 832.5, so 833; 6830 × 21 / 121 = 1185.37…; 1200 × 21 / 121 is part of the same
// rate: 8030 × 21 / 121 = 1393.63…, so 1394.
func TestACartWithLinesHasEveryField(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	shop.add(path, hammer, "3")
	shop.add(path, cable, `"2.500"`)
	last := shop.post(path+"/lines", addBody(gloves, "1", variant(glovesS)))
	c := last.cart(http.StatusCreated)
	if len(c.Lines) != 3 {
		t.Fatalf("%v\nwant: 3 lines", last)
	}
	want := `{"data":{"id":` + quoted(c.ID) + `,"currency":"EUR","status":"active","email":null,"metadata":null,
		"discount_code":null,"discount_code_error":null,"discounts":[],"policy":` + defaultPolicy + `,
		"requires_quote":false,"quote_reasons":[],"lines":[
		{"id":` + quoted(c.Lines[0].ID) + `,"product_id":"` + hammer + `","variant_id":null,"name":"Hammer","sku":"H-1","quantity":3,
			"unit_price_amount":1999,"unit_price":` + euros(1999) + `,"line_total":` + euros(5997) + `,"attributes":null},
		{"id":` + quoted(c.Lines[1].ID) + `,"product_id":"` + cable + `","variant_id":null,"name":"Cable","sku":null,"quantity":2.5,
			"unit_price_amount":333,"unit_price":` + euros(333) + `,"line_total":` + euros(833) + `,"attributes":null},
		{"id":` + quoted(c.Lines[2].ID) + `,"product_id":"` + gloves + `","variant_id":"` + glovesS + `","name":"Gloves","sku":"G-S","quantity":1,
			"unit_price_amount":1200,"unit_price":` + euros(1200) + `,"line_total":` + euros(1200) + `,"attributes":null}],
		"totals":{"subtotal":` + euros(6636) + `,"tax_total":` + euros(1394) + `,"total":` + euros(8030) + `,"discount_total":` + euros(0) + `,
			"tax_breakdown":[{"rate":21,"base":6636,"tax":1394}]}}}`
	last.want(http.StatusCreated, want)
	shop.get(path).want(http.StatusOK, want)
}

// wantLines compares the lines' names, quantities, unit prices and totals.
func (a answer) wantLines(status int, want ...string) cart {
	a.t.Helper()
	c := a.cart(status)
	if got := c.plain(); got != strings.Join(want, "; ") {
		a.t.Errorf("%v\n got lines: %s\nwant lines: %s", a, got, strings.Join(want, "; "))
	}
	return c
}

// A product that comes back after its line was removed gets a new line, at the end.
func TestARemovedLineComesBackAtTheEnd(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop)
	path := shop.newCart()
	old := shop.add(path, hammer, "1").Lines[0].ID
	shop.add(path, paper, "1")
	shop.remove(path+"/lines/"+old).wantLines(200, "Paper 1 × 1090 = 1090")
	for _, sent := range []string{old, strings.ToUpper(old)} {
		shop.remove(path+"/lines/"+sent).want(404, `{"message":"No query results for model [CartLine] `+old+`"}`)
	}
	again := shop.post(path+"/lines", addBody(hammer, "1")).wantLines(201, "Paper 1 × 1090 = 1090", "Hammer 1 × 1999 = 1999")
	if again.Lines[1].ID == old {
		t.Errorf("the new line has the removed one's id %s", old)
	}
	for _, id := range again.lineIDs() {
		shop.remove(path + "/lines/" + id).wantStatus(200)
	}
	shop.get(path).want(200, emptyCart(again.ID, "null", "null", defaultPolicy))
}
