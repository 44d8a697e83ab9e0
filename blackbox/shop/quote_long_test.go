//go:build long

package shop

import "testing"

// A product sold by quote: the quote is requested, read by its link in another browser, signed and
// accepted there.
func TestLongQuote(t *testing.T) {
	base := serve(t)
	p := visit(t, base).open("#/product/pergola-roof-4x3")
	p.sees("sold by quote")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.press("See the cart")
	p.sees("something in it is sold by quote only")
	p.press("Ask for a quote")
	p.sees("under a link of its own")
	p.press("Ask for the quote")
	p.sees("E-mail is required.")
	p.fill("E-mail", "grace@example.com")
	p.fill("Name", "Grace Hopper")
	p.fill("Message", "For the terrace.")
	p.press("Ask for the quote")
	p.sees("Quote 1", "These prices hold until", "Pergola roof, 4 by 3 m", "For the terrace.")
	p.wantNoFaults()

	link := eval[string](p, "location.hash")
	other := visit(t, base).open(link)
	other.sees("Quote 1", "Accept and order for")
	other.address("Where to")
	other.press("Accept and order for")
	other.sees("Your signature is missing.")
	other.draw("Sign here")
	other.sees("Signed.")
	other.press("Accept and order for")
	other.sees("Thank you", "order 1", "Pergola roof, 4 by 3 m")
	other.wantNoFaults()

	p.reload()
	p.sees("Accepted by Grace Hopper", "The order is placed.")
}

// A quote that is declined says so, and why. The same can be put into a cart.
func TestLongQuoteDeclined(t *testing.T) {
	p := visit(t, serve(t)).open("#/product/pergola-roof-4x3")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.goTo("#/request")
	p.fill("E-mail", "grace@example.com")
	p.press("Ask for the quote")
	p.sees("Quote 1")
	p.press("Decline it")
	p.fill("Why", "Too large")
	p.press("Decline")
	p.sees("Declined", "Too large")
	p.press("Put the same into the cart")
	p.sees("Your cart", "Pergola roof, 4 by 3 m", "something in it is sold by quote only")
	p.wantNoFaults()
}
