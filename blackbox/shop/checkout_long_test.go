//go:build long

package shop

import (
	"net/http"
	"testing"
	"time"
)

// order goes through the pages of the checkout, which has all that it needs, and orders.
func (p *tab) order() {
	p.t.Helper()
	p.press("Continue")
	p.sees("Anything else")
	p.press("Continue")
	p.sees("What you order")
	p.press("Order for")
}

// The checkout has three pages, which are kept with the cart: after a reload, on a second device of the
// account, and where the visitor goes back. A page that lacks something is not passed by its address.
func TestLongCheckoutIsKept(t *testing.T) {
	v := visit(t, serve(t))
	p := v.open("")
	axe := axeCore(t)
	p.logIn("ada@example.com", "northwind-ada")
	p.sees("Hello, Ada")
	p.add("book-well-dressed-window")
	p.goTo("#/checkout/order")
	p.sees("You order as Ada", "Another address")
	p.press("Another address")
	p.address("Where to")
	p.press("Invoice to another address")
	p.looksWell("checkout-where", axe)
	p.press("Invoice to another address")
	p.press("Continue")
	p.sees("Anything else")
	p.press("Long parcel")
	p.sees("Delivery €24.95")
	p.wantSums("the checkout's second page")
	p.fill("Note to us", "Ring twice.")
	p.looksWell("checkout-how", axe)
	p.press("Continue")
	p.sees("What you order", "Havenkade 3", "Long parcel", "Ring twice.", "of which tax, 21 %")
	p.wantSums("the checkout's last page")
	p.looksWell("checkout-order", axe)
	p.reload()
	p.sees("What you order", "Havenkade 3", "Long parcel", "Ring twice.")
	p.press("Change: Goes to")
	p.await("the kept address", `document.querySelector("[name='shipping_address.street']")?.value === "Havenkade 3"`)

	device := visit(t, v.base).open("")
	device.logIn("ada@example.com", "northwind-ada")
	device.sees("Hello, Ada")
	device.goTo("#/checkout/order")
	device.sees("What you order", "Havenkade 3", "Long parcel", "Ring twice.")
	device.press("Order for")
	device.sees("Thank you", "Havenkade 3", "Ring twice.")
	p.sees("What was in your cart has been ordered.")
	device.wantNoFaults()
	p.wantNoFaults()
}

// looksWell looks at a page of the checkout in every look, as long as it is.
func (p *tab) looksWell(name, axe string) {
	p.t.Helper()
	for _, look := range looks {
		p.resize(look.width, look.height, look.dark)
		p.fits(p.t, name, look.width)
		p.wantAccessible(name, axe)
		height := min(2400, eval[int64](p, "document.documentElement.scrollHeight"))
		p.resize(look.width, height, look.dark)
		p.picture(name, look.width, height, look.dark)
	}
	p.resize(1440, 900, false)
}

// The order is that of the version and the total that the page has shown. Where the cart has changed without
// the page's knowledge, nothing is ordered, and the page says what is different now.
func TestLongOrderOfWhatWasSeen(t *testing.T) {
	n := connect(t, serve(t))
	n.breaks(fault{method: "GET", path: "/events", times: 1000}) // the page does not hear of changes
	p := visit(t, n.base).open("")
	p.add("book-well-dressed-window")
	p.goTo("#/checkout")
	p.address("Where to")
	p.press("Continue")
	p.sees("Anything else")
	p.press("Continue")
	p.sees("What you order")
	const other = `fetch("/v1/api/commerce/carts/" + localStorage.getItem("cart") + "/lines", { method: "POST",
		headers: { Authorization: "Bearer demo-storefront-key", "Content-Type": "application/json" },
		body: JSON.stringify({ product_id: "` + book + `", quantity: 2 }) }).then((answer) => answer.status)`
	if status := eval[int](p, other); status != 201 {
		t.Fatalf("the add elsewhere is %d, want 201", status)
	}
	p.press("Order for €31.45")
	p.sees("This has changed since you looked. Nothing was done.", "The Well-Dressed Window: 3 instead of 1.",
		"In all it costs €80.45 instead of €31.45.")
	p.choose("Language", "Nederlands")
	p.sees("Dit is veranderd sinds u keek. Er is niets gedaan.", "Alles bij elkaar kost het € 80,45 in plaats van € 31,45.")
	p.press("Bestellen voor € 80,45")
	p.sees("Dank u wel")
	p.wantNoFaults()
}

// What changes outside the cart, and leaves its version as it was, is a 409 of the order: the page says what is
// different, and orders what it shows then.
func TestLongOrderIsRefused(t *testing.T) {
	base := serve(t)
	p := visit(t, base).open("")
	p.add("book-well-dressed-window")
	p.goTo("#/cart")
	p.code("friends15")
	p.goTo("#/checkout")
	p.address("Where to")
	p.press("Continue")
	p.sees("Anything else")
	p.press("Continue")
	p.sees("What you order", "€27.77")

	// CART_CHANGED: the price has risen.
	merchant(t, http.MethodPatch, base, "demo-merchandising-key", "catalog/products/"+book, `{"price_amount": 3000}`)
	p.awaitTotal(2550)
	p.press("Order for €27.77")
	p.sees("Prices have changed since you looked.", "Book: The Well-Dressed Window costs €30.00 instead of €24.50.",
		"In all it costs €32.45 instead of €27.77.")

	// CART_CHANGED: a code has stopped to apply.
	merchant(t, http.MethodPatch, base, "demo-merchandising-key", "catalog", `{"format": 1, "set": {"discounts": [{
		"id": "60000000-0000-4000-8000-000000000007", "name": "Friends and family", "kind": "order", "code": "FRIENDS15", "active": false,
		"value": {"type": "percent", "percent": "15"}}]}}`)
	p.awaitTotal(3000)
	p.press("Order for €32.45")
	p.sees("Prices have changed since you looked.", "friends15: This code is not known.", "In all it costs €36.95 instead of €32.45.")

	// OUT_OF_STOCK.
	adjust(t, base, book, -48)
	p.press("Order for €36.95")
	p.sees("This cart cannot be ordered yet.", "Book: The Well-Dressed Window: 0 of 1 are there.")
	adjust(t, base, book, 48)
	p.reload()
	p.sees("What you order")

	// CART_CHANGED, and something is short besides.
	adjust(t, base, book, -48)
	merchant(t, http.MethodPatch, base, "demo-merchandising-key", "catalog/products/"+book, `{"price_amount": 3100}`)
	p.awaitTotal(3100)
	p.press("Order for €36.95")
	p.sees("Book: The Well-Dressed Window costs €31.00 instead of €30.00.", "Book: The Well-Dressed Window: 0 of 1 are there.", "Change the cart")
	adjust(t, base, book, 48)
	p.reload()
	p.sees("What you order")
	p.press("Order for €37.95")
	p.sees("Thank you", "€37.95")
	p.wantNoFaults()
}

// awaitTotal waits until the node follows a change of the catalogue: until the total of the visitor's cart is another one.
func (p *tab) awaitTotal(amount int) {
	p.t.Helper()
	const total = `fetch("/v1/api/commerce/carts/" + localStorage.getItem("cart"), { headers: { Authorization: "Bearer demo-storefront-key" } })
		.then((answer) => answer.json()).then(({ data }) => data.totals.total.amount)`
	for began := time.Now(); eval[int](p, total) != amount; time.Sleep(40 * time.Millisecond) {
		if time.Since(began) > patience {
			p.t.Fatalf("the cart's total is %d, want %d", eval[int](p, total), amount)
		}
	}
}
