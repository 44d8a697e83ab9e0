//go:build long

package shop

import (
	"fmt"
	"testing"
	"time"
)

// Going back to an earlier page of a list that is shown keeps the place, whatever the page that is left
// looks like: the list that is still there while the other one is loaded is not taken for it.
func TestLongBackWithinAList(t *testing.T) {
	n := connect(t, serve(t))
	p := visit(t, n.base).open("#/products")
	p.resize(360, 740, false)
	p.sees("46 products")
	place := fmt.Sprintf(`Math.abs(%s.getBoundingClientRect().top - 300) < 3`, `document.querySelectorAll(".card")[7]`)
	p.script(`scrollBy({ top: document.querySelectorAll(".card")[7].getBoundingClientRect().top - 300, behavior: "instant" })`)
	p.await("the place", place)
	at := eval[float64](p, "scrollY")
	p.await("that it is kept", fmt.Sprintf("Math.abs(history.state?.y - %f) < 2", at))
	p.goTo("#/products?page=2")
	p.sees("page 2 of 4")
	p.await("the top of the list", `Math.abs(document.querySelector(".list-bar").getBoundingClientRect().top) < 50`)
	n.slow(300 * time.Millisecond)
	p.script("history.back()")
	p.await("the first page", `document.querySelector(".fresh .pager [aria-current]")?.innerText === "1"`)
	p.await("the place", place)
	p.await("the same height", fmt.Sprintf("Math.abs(scrollY - %f) < 2", at))
	p.wantNoFaults()
}

// The cart says in the visitor's language why it cannot be ordered, also where the language is chosen
// while it says so. A long name of a store fits on a phone, and the page of payments has none of the demo's.
func TestLongReasonsInDutch(t *testing.T) {
	base := serveChanged(t, func(store map[string]any) {
		store["name"] = "The Very Long Name of a Store & Sons, Amsterdam"
		store["policy"].(map[string]any)["min_order_value_amount"] = 100_000
	})
	p := visit(t, base).open("")
	for _, width := range []int64{360, 1440} {
		p.resize(width, 900, false)
		p.sees("The Very Long Name of a Store", "Products")
		p.fits(t, "own catalogue", width)
	}
	p.add("book-well-dressed-window")
	p.goTo("#/cart")
	p.sees("This cart cannot be ordered yet.", "The cart's total is too small for an order.")
	p.choose("Language", "Nederlands")
	p.sees("Het totaal is te klein voor een bestelling.")
	payment := p.visitor.open("payment#by-token/none")
	payment.sees("Deze bestelling is er niet")
	payment.wantNoNorthwind()
	p.wantNoFaults()
}
