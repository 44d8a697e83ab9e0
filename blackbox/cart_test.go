package blackbox_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

const defaultPolicy = `{"identity_mode":"guest_allowed","audience":"both","min_order_value_amount":null,
	"max_lines":100,"max_quantity_per_line":100,"pricing":{"guest_price_visibility":"visible","vat_display":"inc",
	"show_original_price":true,"show_tier_table":true}}`

// euros is a money object.
func euros(amount int) string { return fmt.Sprintf(`{"amount":%d,"currency":"EUR"}`, amount) }

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
