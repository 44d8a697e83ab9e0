//go:build long

package shop

import "testing"

// A blind made to measure has a live price, and each refusal at its field.
func TestLongMadeToMeasure(t *testing.T) {
	p := visit(t, serve(t)).open("#/product/roller-blind")
	p.sees("Your window", "400 to 3000 mm", "€81.00")
	p.press("Blackout")
	p.press("Night blue, lightproof")
	p.fill("Height", "1500")
	p.sees("€112.35", "Night blue, lightproof")
	p.fill("Width", "9000")
	p.sees("Width can be at most 3000 mm.", "This cannot be made yet")
	p.await("the refusal at its field", `document.querySelector(".measure input[aria-invalid=true]").getAttribute("aria-describedby").split(" ").some((id) => document.getElementById(id)?.innerText.includes("at most 3000"))`)
	p.fill("Width", "1200.5")
	p.sees("Width must be a whole number of millimetres.")
	p.fill("Width", "1200")
	p.sees("€112.35")
	p.press("Battery motor with charger")
	p.press("Clamped to the frame, no drilling")
	p.sees("Clamped to the frame, no drilling needs Ball chain.")
	p.press("Ball chain")
	p.seesNot("needs Ball chain.")
	p.press("On the wall")
	p.sees("€112.35")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.press("See the cart")
	p.sees("1200 × 1500 mm", "Night blue, lightproof", "€112.35")
	p.wantNoFaults()
}
