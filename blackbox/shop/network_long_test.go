//go:build long

package shop

import (
	"testing"
)

// A write whose answer is lost is repeated with its key: by the client, and by the visitor when the
// client has given up. It is done once.
func TestLongLostAnswers(t *testing.T) {
	n := connect(t, serve(t))
	p := visit(t, n.base).open("#/product/tubular-motor-battery")
	p.sees("Tubular motor, battery")
	n.breaks(fault{method: "POST", path: "/lines", times: 1, lose: true})
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	if times := n.repeated(); times != 2 {
		t.Errorf("a key was sent %d times, want 2", times)
	}
	p.press("What happened")
	p.sees("commerce/carts/{id}/lines", "504", "201", "replayed")
	p.press("What happened")

	n.breaks(fault{method: "POST", path: "/lines", times: 1000, lose: true})
	p.press("Put into the cart")
	p.sees("The answer got lost on its way")
	n.heals()
	p.sees("It is in your cart.")
	p.goTo("#/cart")
	p.sees("€198.00") // two clicks, two motors

	p.goTo("#/checkout")
	p.sees("Where to")
	p.address("Where to")
	n.breaks(fault{method: "POST", path: "/checkout", times: 1000, lose: true})
	p.order()
	p.sees("The answer got lost on its way")
	n.heals()
	p.sees("Thank you", "order 1")
	p.wantNoFaults()
}

// A checkout whose answer was lost is found again after a reload, with the address of its invoice and the VAT
// number. It is placed once.
func TestLongLostCheckoutIsFound(t *testing.T) {
	n := connect(t, serve(t))
	p := visit(t, n.base).open("")
	p.add("book-well-dressed-window")
	p.goTo("#/checkout")
	p.address("Where to")
	p.press("Invoice to another address")
	p.fill("VAT number", "NL001234567B01")
	p.reload()
	p.sees("Where to")
	p.await("what was typed", `document.querySelector("[name='shipping_address.city']").value === "Amsterdam" && document.querySelector("[name=vat_number]").value === "NL001234567B01"`)
	for name, value := range map[string]string{"name": "Hopper BV", "street": "Herengracht 1", "postal_code": "1015 BA", "city": "Amsterdam"} {
		p.script(`document.querySelector("[name='billing_address.` + name + `']").value = ` + quoted(value))
	}
	n.breaks(fault{method: "POST", path: "/checkout", times: 1000, lose: true})
	p.order()
	p.sees("The answer got lost on its way")
	p.reload()
	n.heals()
	p.sees("Thank you", "order 1", "Your order had been sent before this page was loaded", "NL001234567B01", "Hopper BV")
	if times := n.repeated(); times < 5 {
		t.Errorf("the order's key was sent %d times, want 5 or more", times)
	}
	p.goTo("#/cart")
	p.sees("Nothing in it yet")
	p.reload()
	p.sees("Nothing in it yet")
	p.wantNoFaults()
}

// Without a network the shop says so, and goes on when it is back.
func TestLongOffline(t *testing.T) {
	p := visit(t, serve(t)).open("")
	p.sees("Made to measure", "Roller blind")
	p.offline(true)
	p.sees("You are offline.")
	p.goTo("#/products")
	p.sees("The shop cannot be reached.")
	p.offline(false)
	p.seesNot("You are offline.")
	p.sees("Roller blind") // the page has repeated its request by itself
	p.wantNoFaults()
}
