//go:build long

package shop

import (
	"net/http"
	"strings"
	"testing"
)

// The page of an order says until when it must be paid, what it is after that, and where a guest finds
// it again. An order that has ended can be put into the cart again.
func TestLongOrderStatus(t *testing.T) {
	base := serve(t)
	p := visit(t, base).open("#/product/cordless-drill-18v")
	p.press("Two batteries and case")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.goTo("#/checkout")
	p.sees("With two batteries and case", "No. CD-18-C")
	p.address("Where to")
	p.order()
	p.sees("Thank you", "It is placed, and not paid yet.", "Pay until", "in 60 minutes. Then the order ends by itself.", "Keep the address of this page",
		"With two batteries and case", "No. CD-18-C")
	thanks := eval[string](p, "location.href")

	p.press("Pay €")
	p.sees("Stand-in Bank")
	p.press("Let the payment fail")
	p.sees("The bank has refused this payment.")
	p.press("Leave without paying")
	p.sees("It is placed, and not paid yet.")
	p.press("Pay €")
	p.sees("Stand-in Bank")
	p.press("Pay €")
	p.sees("Thank you", "You paid €")
	p.wantNone("Pay €")

	second := visit(t, base).open("#/product/cordless-drill-18v")
	second.press("Body only")
	second.press("Put into the cart")
	second.sees("It is in your cart.")
	second.goTo("#/checkout")
	second.address("Where to")
	second.order()
	second.sees("It is placed, and not paid yet.")
	_, token, _ := strings.Cut(eval[string](second, "location.hash"), "/thanks/")
	id := eval[string](second, `fetch("/v1/api/commerce/orders/by-token/`+token+
		`", { headers: { Authorization: "Bearer demo-storefront-key" } }).then((r) => r.json()).then(({ id }) => id)`)
	merchant(t, http.MethodPost, base, "demo-merchant-key", "orders/"+id+"/cancel", `{"reason": "test"}`)
	second.reload()
	second.sees("This order has ended")
	second.wantNone("Pay €")
	second.press("Put the same into the cart")
	second.sees("Your cart", "Body only", "Check out")
	second.wantNoFaults()

	again := visit(t, base).open(strings.TrimPrefix(thanks, base+"/"))
	again.sees("Thank you", "You paid €")
	again.wantNoFaults()
	p.wantNoFaults()
}
