//go:build long

package shop

import (
	"strings"
	"testing"
)

// quoteOf writes a quote of one book for an address, and returns its id.
func quoteOf(t *testing.T, base, text string) string {
	t.Helper()
	return ask(t, "POST", base, deskKey, "quotes", object{
		"email": "guest@example.com", "name": text[:min(150, len(text))], "company_name": text[:min(255, len(text))], "acceptance_mode": "click",
		"lines": []object{{"product_id": book, "quantity": 2}},
	})["id"].(string)
}

// quoteNow reads a quote as the merchant sees it.
func quoteNow(t *testing.T, base, id string) (now struct {
	Status, Token string
	Version       int
}) {
	t.Helper()
	read(t, base, "quotes/"+id, &now)
	return now
}

// A quote is written in an editor that saves by itself and shows the answer's sums, then offered, changed, offered
// again, and accepted by phone. Each step that cannot be undone is asked a second time.
func TestLongDeskQuote(t *testing.T) {
	base := serve(t)
	p := visit(t, base).enter(deskKey)
	p.goTo("#/quotes")
	p.sees("No request waits for you.")
	p.press("Write a quote")
	p.sees("It has no lines yet.", "An offer still needs: Lines, E-mail.")
	p.press("Add a product")
	p.fill("Search products", "dressed")
	p.press("Book: The Well-Dressed Window")
	p.sees("€24.50")
	p.press("Add a product")
	p.fill("Price of Book: The Well-Dressed Window", "20,00")
	p.sees("€20.00")
	p.fill("Quantity of Book: The Well-Dressed Window", "4")
	p.sees("€80.00", "Saved")
	p.fill("Taken off Book: The Well-Dressed Window", "5")
	p.sees("€75.00")
	p.press("Add another line")
	p.fill("What it is", "Measuring on site")
	p.fill("Price", "75")
	p.press("Add")
	p.sees("€150.00")
	p.fill("Per cent", "10")
	p.sees("€135.00")
	p.choose("How it is accepted", "By a click")
	p.fill("E-mail", "eva@example.com")
	p.seesNot("An offer still needs")
	p.press("Offer")
	p.press("Yes, offer €135.00")
	p.sees("Quote 1", "Offered", "version 1", "Link for the customer")
	p.press("Change it")
	p.fill("Per cent", "20")
	p.sees("€120.00")
	p.press("Offer version 2")
	p.sees("Version 2 takes the place of version 1")
	p.press("Yes, offer €120.00")
	p.sees("version 2 · €120.00")
	p.press("Accept by phone")
	p.fill("Name", "Eva van Dalen")
	p.fill("Street and number", "Dam 1")
	p.fill("Postal code", "1012 JS")
	p.fill("City", "Amsterdam")
	p.fill("Country", "NL")
	p.press("Yes, order for")
	p.sees("Accepted", "Order 1")
	p.wantOwnOnly()
	p.wantNoFaults()
}

// Of two desks on one quote the later one is shown what the other wrote; its own text is not lost.
func TestLongTwoDesksOnOneQuote(t *testing.T) {
	base := serve(t)
	id := quoteOf(t, base, hostile)
	one, two := visit(t, base).enter(deskKey), visit(t, base).enter(deskKey)
	for _, p := range []*tab{one, two} {
		p.goTo("#/quotes/" + id)
		p.sees("Saved", hostile)
	}
	one.fill("Message to the customer", "With our compliments")
	one.sees("Saved")
	one.await("the message at the server", `fetch("/v1/api/quotes/`+id+`", { headers: { Authorization: "Bearer `+deskKey+`" } })
		.then((answer) => answer.json()).then(({ draft }) => draft.offer_message === "With our compliments")`)
	two.fill("Quantity of Book: The Well-Dressed Window", "3")
	two.sees("Somebody else has changed this.", "With our compliments", "What you wrote last was not saved")
	two.press("Write mine over it")
	two.sees("€73.50")
	one.fill("Reference", "A7")
	one.sees("What you wrote last was not saved")
	one.press("Keep theirs")
	one.sees("€73.50")
	one.seesNot("What you wrote last was not saved")
	one.wantOwnOnly()
	one.wantNoFaults()
	two.wantNoFaults()
}

// If the customer accepts while a new version is being offered, the desk shows the refusal. The accepted version stays.
func TestLongOfferMeetsAccept(t *testing.T) {
	base := serve(t)
	id := quoteOf(t, base, "Eva van Dalen")
	p := visit(t, base).enter(deskKey)
	p.goTo("#/quotes/" + id)
	p.press("Offer")
	p.press("Yes, offer")
	p.sees("version 1")
	p.press("Change it")
	p.fill("Quantity of Book: The Well-Dressed Window", "3")
	p.sees("€73.50", "Saved")
	p.press("Offer version 2")
	ask(t, "POST", base, "demo-storefront-key", "sales/quotes/by-token/"+quoteNow(t, base, id).Token+"/accept", object{
		"version": 1, "shipping_method_id": parcel,
		"shipping_address": object{"name": "Eva", "street": "Dam 1", "postal_code": "1012 JS", "city": "Amsterdam", "country": "NL"},
	})
	p.press("Yes, offer")
	p.await("a refusal", `document.querySelector("dialog [role=alert]")`)
	p.press("Leave it as it is")
	if now := quoteNow(t, base, id); now.Status != "accepted" || now.Version != 1 {
		t.Errorf("got %+v, want version 1 accepted", now)
	}
	p.wantNoFaults()
}

// Every view of quotes fits each window, in light and dark, and axe-core finds nothing in it: without a quote, with a
// text of 255 W's, in the editor, offered, and asked to be changed.
func TestLongLooksOfQuotes(t *testing.T) {
	base := serve(t)
	axe := axeCore(t)
	p := visit(t, base).enter(deskKey)
	p.goTo("#/quotes")
	p.sees("No request waits for you.")
	p.looksAtDesk(t, "no quotes", axe)
	quoteOf(t, base, strings.Repeat("W", 255))
	id := quoteOf(t, base, "Studio Lichtblick")
	p.goTo("#/orders")
	p.goTo("#/quotes")
	p.sees("Studio Lichtblick")
	p.looksAtDesk(t, "quotes", axe)
	p.goTo("#/quotes/" + id)
	p.sees("Saved")
	p.looksAtDesk(t, "quote draft", axe)
	p.press("Offer")
	p.await("the question", `document.querySelector("dialog[open]")`)
	p.looksAtDesk(t, "quote offer", axe)
	p.press("Yes, offer")
	p.sees("version 1")
	token := quoteNow(t, base, id).Token
	ask(t, "POST", base, "demo-storefront-key", "sales/quotes/by-token/"+token+"/change-request", object{"message": "Could it be " + strings.Repeat("W", 255)})
	p.goTo("#/quotes")
	p.goTo("#/quotes/" + id)
	p.sees("Could it be")
	p.looksAtDesk(t, "quote offered", axe)
	p.wantOwnOnly()
	p.wantNoFaults()
}
