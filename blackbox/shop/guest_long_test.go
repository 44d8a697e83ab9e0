//go:build long

package shop

import "testing"

// A guest finds a product, puts it into the cart, uses a code, orders, and finds the order again by
// the link of its page.
func TestLongGuestOrders(t *testing.T) {
	p := visit(t, serve(t)).open("")
	p.sees("Light, the way you like it.", "Made to measure", "Roller blind")
	p.fill("Search", "tube")
	p.press("Search")
	p.sees("Found for “tube”", "Roller tube, aluminium 32 mm")
	p.press("Roller tube, aluminium 32 mm")
	p.sees("Price by quantity", "from 10 m", "In stock")
	p.fill("Quantity in m", "12.5")
	p.press("Put into the cart")
	p.sees("It is in your cart.", "€6.20", "12.5 m cost €77.50")
	p.press("See the cart")
	p.sees("Your cart", "Total", "€77.50")

	p.press("Have a code?")
	p.fill("Code", "summer25")
	p.press("Use the code")
	p.sees("This code is over.")
	p.await("the focus in an empty field", `document.activeElement.name === "code" && document.activeElement.value === ""`)
	p.fill("Code", "friends15")
	p.press("Use the code")
	p.sees("takes €11.63 off", "€65.87")
	p.fill("Code", "ship3")
	p.press("Use the code")
	p.sees("summer25 This code is over.", "friends15 takes €11.63 off.", "ship3 is kept for the delivery.", "Have another code?")
	p.press("Take it off: summer25")
	p.seesNot("This code is over.")
	p.fill("Code", "paintday")
	p.press("Use the code")
	p.sees("This code needs 5 of: Wall paint, matt white, Window frame lacquer.", "It takes the place of paintday.")
	p.press("Take it off: paintday")
	p.seesNot("paintday")
	p.press("Take it off: ship3")
	p.sees("friends15 takes €11.63 off.", "€65.87")
	p.await("the focus on the code that is left", `document.activeElement.ariaLabel === "Take it off: friends15"`)
	p.press("How is this worked out?")
	p.sees("12.5 × €6.20 = €77.50", "the price for this quantity", "€54.44 + €11.43")
	p.code("SOLO20") // exclusive, and more
	p.sees("takes €15.50 off", "€62.00", "Offers that do not go together", "All others: €0.00 off",
		"A fifth off, in place of other offers: €15.50 off, taken")
	p.code("friends15")

	p.press("Check out")
	p.sees("You order as a guest")
	p.press("Continue")
	p.sees("E-mail is required.", "Postal code is required.")
	p.fill("E-mail", "grace@example.com")
	p.fill("Name", "Grace Hopper")
	p.fill("Street and number", "Havenkade 3")
	p.fill("Postal code", "1011 AB")
	p.fill("City", "Amsterdam")
	p.order()
	p.sees("Thank you", "order 1", "Grace Hopper")
	p.reload()
	p.sees("Thank you", "order 1", "Grace Hopper")
	p.wantNoFaults()
}
