//go:build long

package shop

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// priceOf is the price of a product as the shop's visitors see it.
func priceOf(t *testing.T, base, product string) any {
	t.Helper()
	price, ok := ask(t, "GET", base, "demo-storefront-key", "catalog/products/"+product, nil)["price"].(map[string]any)
	if !ok {
		return nil
	}
	return price["amount"]
}

// A product is found by a part of its name; its price, a dated price and whether it is active change at
// once, and only from the version that was seen.
func TestLongDeskProduct(t *testing.T) {
	base := serve(t)
	p, other := visit(t, base).enter(deskKey), visit(t, base).enter(deskKey)
	p.goTo("#/products")
	p.fill("Search products", "dressed win")
	p.sees("BK-1")
	p.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	p.sees("Prices")
	other.goTo("#/products/" + book)
	other.sees("Prices")

	const name = "Book: The Well-Dressed Window"
	p.fill("Price of "+name, "twenty")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.sees("Write an amount such as 12,50 or 12.50.")
	p.fill("Price of "+name, "19,95")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.await("the price in the shop", `fetch("/v1/api/catalog/products/`+book+`", { headers: { Authorization: "Bearer demo-storefront-key" } })
		.then((answer) => answer.json()).then(({ price }) => price.amount === 1995)`)

	other.fill("Price of "+name, "30")
	other.do(chromedp.KeyEvent(kb.Enter))
	other.sees("Somebody else has changed this.", "€24.50", "€19.95")
	if got := priceOf(t, base, book); got != float64(1995) {
		t.Errorf("the price is %v after a change of an old version, want 1995", got)
	}
	other.press("I have seen it")

	p.press("Add a dated price of " + name)
	p.script(`(() => { for (const [name, value] of [["amount", "9.95"], ["from", "2026-01-01T00:00"], ["until", "2035-01-01T00:00"]])
		document.querySelector(".period [name=" + name + "]").value = value; })()`)
	p.press("Add it")
	p.sees("€9.95")
	if got := priceOf(t, base, book); got != float64(995) {
		t.Errorf("the price is %v in the period of the dated price, want 995", got)
	}
	p.press("Take the dated price €9.95 out")
	p.seesNot("€9.95")
	p.press("Active")
	p.sees("inactive")
	p.press("Active")
	p.seesNot("inactive")
	p.wantOwnOnly()
	p.wantNoFaults()
}

// A discount is turned off and on, and gives codes that were never given before.
func TestLongDeskDiscount(t *testing.T) {
	base := serve(t)
	p := visit(t, base).enter(deskKey)
	p.goTo("#/discounts")
	p.sees("READER-…")
	p.fill("Search discounts", "readers")
	p.press("Five euros for our readers")
	p.sees("Codes READER")
	p.press("Turn it off")
	p.sees("Turn it on")
	other := visit(t, base).enter(deskKey)
	other.goTo("#/discounts/60000000-0000-4000-8000-000000000020")
	other.sees("Turn it on")
	p.press("Turn it on")
	p.sees("Turn it off")
	other.press("Turn it on")
	other.sees("Somebody else has changed this.")
	other.press("I have seen it")
	other.sees("Turn it off")
	other.wantNoFaults()
	p.fill("How many codes READER", "many")
	p.press("Give codes")
	p.sees("How many? Write a whole number.")
	p.fill("How many codes READER", "2")
	p.press("Give codes")
	p.press("Leave it as it is")
	p.press("Give codes")
	p.press("Yes, give 2 codes")
	p.sees("These were never given before.")
	p.await("two codes", `document.querySelector("textarea").value.split("\n").filter((one) => one.startsWith("READER")).length === 2`)
	p.wantNoFaults()
}

// The store is closed for orders, and opened again.
func TestLongDeskStore(t *testing.T) {
	base := serve(t)
	p := visit(t, base).enter(deskKey)
	p.goTo("#/store")
	p.sees("The store is open")
	p.fill("What shoppers read meanwhile", "Stocktaking until noon.")
	p.press("Close it for orders")
	p.sees("The store is closed", "Stocktaking until noon.")
	p.press("Open it")
	p.sees("The store is open")
	p.wantNoFaults()
}
