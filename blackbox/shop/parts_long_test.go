//go:build long

package shop

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// The page of an order lists what happened to it after the sale: parcels, pieces that never leave, returns and
// refunds. The list of orders says that a part is on its way.
func TestLongOrderInParts(t *testing.T) {
	base := serve(t)
	p := visit(t, base).open("")
	p.logIn("ada@example.com", "northwind-ada")
	p.sees("Hello, Ada")
	p.goTo("#/product/book-well-dressed-window")
	p.fill("Quantity", "3")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.goTo("#/checkout")
	p.order()
	p.sees("Thank you")
	p.goTo("#/orders")
	p.press("Order 1")
	p.await("the order", `location.hash.startsWith("#/orders/")`)
	id := strings.TrimPrefix(eval[string](p, "location.hash"), "#/orders/")
	of := func(member string) string {
		return eval[string](p, `fetch("/v1/api/orders/`+id+`", { headers: { Authorization: "Bearer demo-merchant-key" } }).then((a) => a.json()).then((o) => String(o.`+member+`))`)
	}
	line := of("lines[0].id")
	say := func(route, fields string, pieces int) {
		t.Helper()
		if pieces > 0 {
			fields += fmt.Sprintf(`, "lines": [{"line_id": %q, "quantity": %d}]`, line, pieces)
		}
		merchant(t, http.MethodPost, base, "demo-merchant-key", "orders/"+id+"/"+route, "{"+fields+"}")
		p.reload()
		p.sees("Order 1")
	}
	say("payment", `"reference": "pi_1", "amount": `+of("totals.total.amount"), 0)
	p.sees("It is placed.")
	p.seesNot("What happened to it")

	say("shipments", `"carrier": "PostNL", "tracking_number": "3SABC", "tracking_url": "https://example.com/3SABC"`, 1)
	p.sees("A part of it is on its way; the rest follows.", "What happened to it", "Parcel of", "1 × Book: The Well-Dressed Window with PostNL, number 3SABC.")
	if got := eval[string](p, `document.querySelector(".parts a").href`); got != "https://example.com/3SABC" {
		t.Errorf("the parcel is followed at %s", got)
	}
	p.goTo("#/orders")
	p.sees("partly on its way")
	p.press("Order 1")
	p.sees("What happened to it")

	say("shipments", `"carrier": "DHL"`, 1)
	p.sees("1 × Book: The Well-Dressed Window with DHL.")
	say("cancel", `"reason": "Out of print"`, 1)
	p.sees("It is on its way.", "Cancelled on")
	say("refunds", `"reference": "re_1", "shipping": true`, 1)
	p.sees("€31.45 back on", "1 × Book: The Well-Dressed Window, Delivery", "You paid €80.45, and got €31.45 back.")
	say("returns", `"reason": "Pages missing"`, 1)
	p.sees("Came back on")
	say("refunds", `"reference": "re_2", "amount": 100`, 0)
	p.sees("€1.00 back on", "You paid €80.45, and got €32.45 back.")
	if kinds := eval[[]string](p, `[...document.querySelectorAll(".parts li b")].map((e) => e.innerText.split(" ").slice(0, 2).join(" "))`); fmt.Sprint(kinds) !=
		"[Parcel of Parcel of Cancelled on €31.45 back Came back €1.00 back]" {
		t.Errorf("the parts are %q", kinds)
	}
	p.looksWell("order-parts", axeCore(t))
	p.wantNoFaults()
}
