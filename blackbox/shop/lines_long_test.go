//go:build long

package shop

import (
	"net/http"
	"testing"
)

// A product with text fields takes the visitor's own words, refuses what is missing at its field, and
// shows the words on the line, the order and its page.
func TestLongTextsOfALine(t *testing.T) {
	p := visit(t, serve(t)).open("#/product/enamel-mug-engraved")
	p.sees("Engraving", "Gift note optional")
	p.press("Put into the cart")
	p.sees("Engraving is required.")
	p.await("the focus in the field", `document.activeElement.getAttribute("aria-invalid") === "true"`)
	p.fill("Engraving", "Grace <3")
	p.fill("Gift note", "For the\nharbour")
	p.reload()
	p.await("the texts after a reload", `document.querySelector(".texts input")?.value === "Grace <3" && document.querySelector(".texts textarea").value === "For the\nharbour"`)
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.fill("Engraving", "Ada")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.goTo("#/cart")
	p.sees("Engraving: Grace <3", "Gift note: For the harbour", "Engraving: Ada")
	p.press("Remove Enamel mug, engraved")
	p.sees("was removed")
	p.press("Undo")
	p.sees("Engraving: Grace <3")
	p.goTo("#/checkout")
	p.sees("Engraving: Grace <3")
	p.address("Where to")
	p.order()
	p.sees("Thank you", "Engraving: Grace <3", "Gift note: For the harbour", "Engraving: Ada")
	p.wantSums("the order")
	p.wantNoFaults()
}

// The cart says that a price has changed since the line was put in.
func TestLongPriceThatMoved(t *testing.T) {
	base := serve(t)
	p := visit(t, base).open("#/product/book-well-dressed-window")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.goTo("#/cart")
	p.sees("€24.50")
	p.seesNot("The price has changed")
	merchant(t, http.MethodPatch, base, "demo-merchandising-key", "catalog/products/"+book, `{"price_amount": 2600}`)
	p.reload()
	p.sees("The price has changed: it was €24.50 when you put it in.", "€26.00 each")
	p.wantSums("the cart")
	p.wantNoFaults()
}
