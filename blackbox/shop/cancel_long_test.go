//go:build long

package shop

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A guest cancels an order that is not paid yet, and tries again: a copy of the order takes the place of the
// cart, with the order's code, and without what the shop no longer has.
func TestLongCancelThisOrder(t *testing.T) {
	base := serve(t)
	p := visit(t, base).open("")
	p.add("smart-home-bridge")
	p.add("book-well-dressed-window")
	p.goTo("#/cart")
	p.code("friends15")
	p.goTo("#/checkout")
	p.address("Where to")
	p.order()
	p.sees("Thank you", "It is placed, and not paid yet.")
	p.press("Cancel this order")
	p.sees("This order has ended", "You have cancelled it, and nothing was charged.", "What was in it is back on our shelf.")
	p.seesNot("makes way")
	p.wantNone("Pay €")
	p.wantNone("Cancel this order")
	p.goTo("#/product/book-well-dressed-window")
	p.sees("In stock: 48 left")

	merchant(t, http.MethodPatch, base, "demo-merchandising-key", "catalog/products/"+book, `{"active": false}`)
	p.add("tubular-motor-battery")
	p.script("history.go(-2)")
	p.sees("This order has ended", "What is in your cart now makes way for it.")
	p.press("Put the same into the cart")
	p.sees("Book: The Well-Dressed Window, 1: Product is not available.")
	p.wantNone("Put the same into the cart")
	p.press("Go to the cart")
	p.sees("Your cart", "Smart home bridge", "FRIENDS15 takes €13.49 off.")
	p.seesNot("Tubular motor")
	p.wantNoFaults()
}

// A customer cancels an order. The lines of the account's cart are merged into the copy.
func TestLongCancelAnOrderOfTheAccount(t *testing.T) {
	base := serve(t)
	p := visit(t, base).open("")
	p.filled()
	p.goTo("#/orders")
	p.press("Order 1")
	p.sees("Order 1", "It is placed, and not paid yet.")
	p.press("Cancel this order")
	p.sees("This order has ended", "You have cancelled it, and nothing was charged.")
	here := eval[string](p, "location.hash")
	p.add("smart-home-bridge")
	p.goTo(here)
	p.sees("This order has ended")
	p.seesNot("makes way")
	p.press("Put the same into the cart")
	p.sees("Your cart", "Your other cart was merged into this one.", "Book: The Well-Dressed Window", "Smart home bridge")
	p.wantNoFaults()
}

// The merchant was faster: an order that is paid meanwhile is not cancelled, and the page says so.
func TestLongCancelOfAPaidOrder(t *testing.T) {
	base := serve(t)
	p := visit(t, base).open("")
	p.add("smart-home-bridge")
	p.orderAsGuest()
	_, token, _ := strings.Cut(eval[string](p, "location.hash"), "/thanks/")
	type paid struct {
		ID     string `json:"id"`
		Totals struct {
			Total struct {
				Amount int `json:"amount"`
			} `json:"total"`
		} `json:"totals"`
	}
	order := eval[paid](p, `fetch("/v1/api/commerce/orders/by-token/`+token+
		`", { headers: { Authorization: "Bearer demo-storefront-key" } }).then((answer) => answer.json())`)
	merchant(t, http.MethodPost, base, "demo-merchant-key", "orders/"+order.ID+"/payment",
		fmt.Sprintf(`{"reference": "test", "amount": %d}`, order.Totals.Total.Amount))
	p.press("Cancel this order")
	p.sees("This order is paid.")
	p.reload()
	p.sees("You paid €")
	p.wantNone("Cancel this order")
	p.wantNoFaults()
}
