//go:build long

package shop

import "testing"

// A view that fails, here with an answer that it cannot read, says so, and has ways out. The rest of the
// page goes on, and the cart stays.
func TestLongFailedView(t *testing.T) {
	p := visit(t, serve(t)).open("")
	p.add("book-well-dressed-window")
	p.script(`window.fetch = ((real) => async (request) => new URL(request.url).pathname.endsWith("/catalog/products")
		? new Response("{}", { headers: { "Content-Type": "application/json" } }) : real(request))(window.fetch)`)
	p.goTo("#/products?category=tools")
	p.sees("This page has failed", "Your cart is where it was.")
	p.wantAccessible("a failed view", axeCore(t))
	p.goTo("#/cart")
	p.sees("The Well-Dressed Window")
	p.seesNot("This page has failed")
	p.goTo("#/products?category=tools")
	p.sees("This page has failed")
	p.press("Load it again")
	p.sees("Cordless drill")
}
