package blackbox_test

import (
	"net/http"
	"testing"
)

// Spec: policy (evaluated live from store settings).
func TestPolicyIsTheStores(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyExcludingTax)
	created := shop.post("commerce/carts", "")
	created.want(http.StatusCreated, emptyCart(created.cart(http.StatusCreated).ID, "null", "null",
		`{"identity_mode":"login_required","audience":"b2b_only","min_order_value_amount":2500,
		"max_lines":7,"max_quantity_per_line":50,"pricing":{"guest_price_visibility":"hidden","vat_display":"ex",
		"show_original_price":false,"show_tier_table":false}}`))
}

// The conventions: hidden prices hide the catalogue's prices only.
func TestHiddenPricesAreShownInCarts(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyExcludingTax)
	shop.post(shop.newCart()+"/lines", addBody(hammer, "1")).wantLines(201, "Hammer 1 × 1999 = 1999")
}
