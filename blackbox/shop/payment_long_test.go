//go:build long

package shop

import (
	"strings"
	"testing"
)

// A guest's order is refused by the bank, left, taken up again and paid. The merchant's system then
// knows it, and nothing is left to pay.
func TestLongPayment(t *testing.T) {
	p := visit(t, serve(t)).open("")
	axe := axeCore(t)
	p.orderAsGuest()
	order := eval[string](p, "location.hash")
	token := order[strings.LastIndex(order, "/")+1:]
	p.pays("by-token/" + token)
	for _, look := range looks {
		p.resize(look.width, look.height, look.dark)
		p.fits(t, "payment", look.width)
		p.wantAccessible("payment", axe)
		p.picture("payment", look.width, look.height, look.dark)
	}
	p.press("Let the payment fail")
	p.sees("The bank has refused this payment.")
	p.press("Leave without paying")
	p.returns()
	p.wantPayment(token, "due")
	p.pays("by-token/" + token)
	p.press("Pay €")
	p.returns()
	p.wantPayment(token, "paid")
	p.pays("by-token/" + token)
	p.sees("Nothing is due for order 1")
	p.press("Back to the shop")
	p.returns()
	p.open("payment#by-token/wrong").sees("There is no such order")
	p.wantNoFaults()
}

// An account pays an order of its list, which has no token; nobody else can.
func TestLongPaymentOfAnAccount(t *testing.T) {
	base := serve(t)
	p := visit(t, base).open("")
	p.logIn("ada@example.com", "northwind-ada")
	p.sees("Hello, Ada")
	p.add("book-well-dressed-window")
	p.goTo("#/checkout")
	p.order()
	p.sees("Thank you")
	p.goTo("#/orders")
	p.press("Order 1")
	p.await("the order", `location.hash.startsWith("#/orders/")`)
	id := strings.TrimPrefix(eval[string](p, "location.hash"), "#/orders/")
	visit(t, base).open("payment#" + id).sees("Log in to pay this order")
	p.pays(id)
	p.press("Pay €")
	p.returns()
	p.pays(id)
	p.sees("Nothing is due for order 1")
	p.wantNoFaults()
}

// pays goes to the payment page of an order.
func (p *tab) pays(order string) {
	p.t.Helper()
	p.script(`location.assign("/payment#` + order + `")`)
	p.await("the payment page", `location.pathname === "/payment" && document.querySelector("h1")`)
}

// returns waits for the order's page in the shop.
func (p *tab) returns() {
	p.t.Helper()
	p.await("the shop", `location.pathname === "/" && document.readyState === "complete" && /order 1/i.test(document.querySelector("h1")?.innerText)`)
}

// wantPayment fails the test unless the order of the token has this status of its payment.
func (p *tab) wantPayment(token, status string) {
	p.t.Helper()
	const read = `fetch("/v1/api/commerce/orders/by-token/%s", { headers: { Authorization: "Bearer demo-storefront-key" } }).then((a) => a.json()).then((o) => o.payment.status)`
	if got := eval[string](p, strings.Replace(read, "%s", token, 1)); got != status {
		p.t.Errorf("the payment is %q, want %q", got, status)
	}
}

// orderAsGuest places an order of a book.
func (p *tab) orderAsGuest() {
	p.t.Helper()
	p.add("book-well-dressed-window")
	p.goTo("#/checkout")
	p.address("Where to")
	p.order()
	p.sees("Thank you", "order 1")
}
