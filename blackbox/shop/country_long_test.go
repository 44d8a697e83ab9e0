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

// The catalogue shows the country of the cart: the rate of that country, and for an export what is paid without the home tax.
func TestLongCountryInTheCatalogue(t *testing.T) {
	p := visit(t, serve(t)).open("#/product/roller-tube-32")
	p.sees("€6.90 per m", "The price includes 21 % tax.")
	p.fill("Quantity in m", "12.5")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.goTo("#/cart")
	p.choose("Deliver to", "Germany")
	p.sees("of which tax, 19 %")
	p.goTo("#/product/roller-tube-32")
	p.sees("€6.90 per m", "The price includes 19 % tax.")
	p.goTo("#/cart")
	p.choose("Deliver to", "Switzerland")
	p.sees("Export: no tax")
	p.seesNot("€77.50") // the listed price of the line
	p.looksWell("export-cart", axeCore(t))
	p.goTo("#/product/roller-tube-32")
	p.sees("€5.70 per m, without tax")
	p.looksWell("export-product", axeCore(t))
	p.goTo("#/products?category=parts")
	p.sees("without tax")
	p.goTo("#/product/roller-blind")
	p.sees("without tax")
	p.goTo("#/checkout/where")
	p.sees("Switzerland")
	p.wantNoFaults()
}
