//go:build long

package shop

import (
	"testing"
)

// Without a network the shop says so, and goes on when it is back.
func TestLongOffline(t *testing.T) {
	p := visit(t, serve(t)).open("")
	p.sees("Made to measure", "Roller blind")
	p.offline(true)
	p.sees("You are offline.")
	p.goTo("#/products")
	p.sees("The shop cannot be reached.")
	p.offline(false)
	p.seesNot("You are offline.")
	p.sees("Roller blind") // the page has repeated its request by itself
	p.wantNoFaults()
}
