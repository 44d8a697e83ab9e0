//go:build long

package shop

import "testing"

// The country that is chosen in the cart is kept with it: its rates count, and an export has no tax.
func TestLongCountryOfTheTax(t *testing.T) {
	p := visit(t, serve(t)).open("#/product/roller-tube-32")
	p.fill("Quantity in m", "12.5")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.goTo("#/cart")
	p.sees("Your cart", "Total", "€77.50", "of which tax, 21 %", "€13.45")
	p.choose("Deliver to", "Germany")
	p.sees("of which tax, 19 %", "€12.37")
	p.reload()
	p.sees("€77.50", "of which tax, 19 %")
	p.choose("Deliver to", "Switzerland")
	p.sees("Export: no tax", "€64.05")
	p.seesNot("of which tax")
	p.wantNoFaults()
}
