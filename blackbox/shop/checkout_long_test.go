//go:build long

package shop

import (
	"testing"
)

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
