//go:build long

package shop

import (
	"testing"
	"time"
)

// maxShift is the largest layout shift of a view, as browsers count it.
const maxShift = 0.05

// shifts is a script that counts the layout shifts of the page from now on, in window.shift.
const shifts = `(window.shift = 0, new PerformanceObserver((list) => {
	for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value;
}).observe({ type: "layout-shift", buffered: true }))`

// On a phone the price of what is made to measure, or why it cannot be made, stays on the screen with
// its button, wherever the visitor types. Nothing jumps when the answers come late.
func TestLongPriceStaysOnThePhone(t *testing.T) {
	n := connect(t, serve(t))
	p := visit(t, n.base).open("")
	p.resize(360, 740, false)
	p.script(shifts)
	n.slow(700 * time.Millisecond) // later than what a browser takes for the visitor's own doing
	p.goTo("#/product/roller-blind")
	p.sees("€81.00")
	bar := func(what string) {
		t.Helper()
		p.quiet()
		p.await("the bar on the screen: "+what,
			`[".price-now", ".configure-bar .button-buy"].every((one) => ((box) => box.top > innerHeight / 2 && box.bottom <= innerHeight)(document.querySelector(one).getBoundingClientRect()))`)
	}
	bar("first")
	p.fill("Width", "9000")
	p.sees("This cannot be made yet", "Width can be at most 3000 mm.")
	bar("a refusal")
	p.fill("Width", "1200")
	p.press("Blackout")
	p.sees("€98.00")
	p.press("Night blue, lightproof")
	p.sees("€102.90")
	bar("a price")
	p.press("Battery motor with charger")
	p.press("Clamped to the frame, no drilling")
	p.sees("Clamped to the frame, no drilling needs Ball chain.")
	bar("choices that do not go together")
	p.press("Ball chain")
	p.sees("€111.90")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	bar("added")
	if shift := eval[float64](p, "window.shift"); shift > maxShift {
		t.Errorf("the layout shifts by %.3f, want at most %.2f", shift, maxShift)
	}
	p.wantNoFaults()
}

// The drawing of a blind has the chosen colour, whatever the choices are called.
func TestLongDrawingHasTheChosenColour(t *testing.T) {
	p := visit(t, serve(t)).open("#/product/roller-blind")
	p.sees("€81.00")
	colour := func(want string) {
		t.Helper()
		p.await("the colour "+want, `document.querySelector(".blind-cover")?.getAttribute("fill") === "`+want+`"`)
	}
	colour("#fbfaf5")
	p.press("Sand")
	colour("#e3d3b4")
	p.press("Blackout")
	colour("#f3f1e8") // chalk white, although it is lightproof
	p.press("Night blue, lightproof")
	colour("#27405a")
	p.goTo("#/product/venetian-blind-wood")
	p.sees("Natural oil")
	p.press("Walnut stain")
	colour("#6d4a31")
	p.wantNoFaults()
}
