//go:build long

package shop

import "testing"

// A company sees prices without tax on every page, each marked so: of products, of one made to measure, in
// the cart, the checkout, the order and the quote. Only totals are with tax, and the sums add up to them.
func TestLongTradeSeesPricesWithoutTax(t *testing.T) {
	p := visit(t, serve(t)).open("#/product/roller-tube-32")
	axe := axeCore(t)
	p.sees("€6.90", "Price by quantity")
	p.seesNot("excl. tax")
	p.logIn("inkoop@vandijk.example.com", "northwind-trade")
	p.sees("Hello,")
	p.script(record)
	p.goTo("#/")
	p.sees("Made to measure", "from €43.80 excl. tax")
	p.wantWithoutTax("home", ".price")
	p.goTo("#/products?q=tube")
	p.sees("€4.88 per m, excl. tax", "Price, incl. tax")
	p.wantWithoutTax("list", ".price")

	p.goTo("#/product/roller-tube-32")
	p.sees("Price by quantity, excl. tax", "from 50 m", "€3.88")
	p.fill("Quantity in m", "12.5")
	p.press("Put into the cart")
	p.sees("It is in your cart.", "12.5 m cost €60.95")
	p.wantWithoutTax("product", ".buy-price, .tiers caption")
	p.looksWell("trade-product", axe)
	p.goTo("#/product/roller-blind")
	p.sees("All prices are without tax.")
	p.press("Blackout")
	p.press("Battery motor with charger")
	p.wantWithoutTax("made to measure", ".buy-price")
	p.looksWell("trade-measure", axe)
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.add("book-well-dressed-window") // at the lower rate of tax
	p.goTo("#/product/spirit-level")  // ten per cent off by itself
	p.press("60 cm")
	p.press("Put into the cart")
	p.sees("It is in your cart.")

	p.goTo("#/cart")
	p.sees("€4.88 per m", "€60.95", "Only the total includes it.")
	p.wantSumsWithoutTax("the cart")
	p.code("FRIENDS15")
	p.sees("FRIENDS15 applies.")
	p.wantSumsWithoutTax("the cart with a code")
	p.looksWell("trade-cart", axe)
	p.goTo("#/checkout")
	p.press("Another address") // than the company's saved one
	p.address("Where to")
	p.wantSumsWithoutTax("the checkout")
	p.press("Continue")
	p.sees("Long parcel")
	p.press("Long parcel")
	p.quiet()
	p.wantWithoutTax("the deliveries", ".choice-price")
	p.wantSumsWithoutTax("the checkout with a delivery")
	p.press("Continue")
	p.sees("What you order")
	total := p.wantSumsWithoutTax("the end of the checkout")
	p.press("Order for " + total)
	p.sees("Thank you")
	if charged := p.wantSumsWithoutTax("the order"); charged != total {
		t.Errorf("the order has the total %s, the checkout had %s", charged, total)
	}
	p.goTo("#/orders")
	p.sees("Order 1", total+" incl. tax")
	p.press("Order 1")
	p.sees("€4.88 per m")
	p.wantSumsWithoutTax("the order of the account")

	p.add("pergola-roof-4x3")
	p.add("book-well-dressed-window")
	p.goTo("#/request")
	p.sees("under a link of its own")
	p.wantSumsWithoutTax("the request")
	p.press("Ask for the quote")
	p.sees("Accept and order for")
	p.quiet()
	p.wantWithoutTax("the deliveries of the quote", ".choice-price")
	p.wantSumsWithoutTax("the quote")
	p.goTo("#/account")
	p.sees("Hello,")
	p.quiet()
	p.press("Log out")
	p.sees("Log in")
	p.goTo("#/product/roller-tube-32")
	p.sees("€6.90")
	p.seesNot("excl. tax")
	p.wantNoFaults()
}

// record keeps the prices with tax that the page is told from now on, which have a twin without tax, and
// those without tax.
const record = `(() => {
	window.told = { with: new Set(), without: new Set() };
	const amount = (one) => typeof one === "number" ? one : one?.amount;
	const read = (of) => {
		for (const [name, one] of Object.entries(of ?? {})) {
			const twin = amount(of[name + "_without_tax"]);
			if (twin !== undefined) {
				told.with.add(amount(one));
				told.without.add(twin);
			}
			if (typeof one === "object") read(one);
		}
	};
	const { fetch } = window;
	window.fetch = async (...asked) => {
		const answer = await fetch(...asked);
		if (/json/.test(answer.headers.get("Content-Type"))) read(await answer.clone().json());
		return answer;
	};
})()`

// wantWithoutTax fails the test for a price with tax on the page, but for totals and what says that it is
// with tax, and for a place of prices that does not say that they are without. `places` selects these places.
func (p *tab) wantWithoutTax(what, places string) {
	p.t.Helper()
	p.quiet()
	p.await("prices", `/€/.test(document.querySelector("main").innerText)`)
	type found struct {
		Prices         int
		With, Unmarked []string
	}
	got := eval[found](p, `(() => {
		const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
		const got = { Prices: 0, With: [], Unmarked: [] };
		while (texts.nextNode()) {
			const { parentElement: place, data } = texts.currentNode;
			if (!place.checkVisibility() || place.closest(".totals-total, button, .button") || /incl\. tax/.test(place.innerText)) continue;
			for (const price of data.match(/€[\d,]+\.\d\d/g) ?? []) {
				got.Prices++;
				const cents = Math.round(Number(price.replace(/[€,]/g, "")) * 100);
				if (told.with.has(cents) && !told.without.has(cents)) got.With.push(place.closest("li, p, div").innerText);
			}
		}
		for (const place of document.querySelectorAll(`+quoted(places)+`)) {
			const text = place.innerText;
			if (place.checkVisibility() && !/excl\. tax/.test(text) && !/free|^Made to measure|^Price on request/.test(text)) got.Unmarked.push(text);
		}
		if (!document.querySelector(`+quoted(places)+`)) got.Unmarked.push("no place of prices");
		return got;
	})()`)
	if got.Prices == 0 || len(got.With) > 0 || len(got.Unmarked) > 0 {
		p.t.Errorf("%s: %d prices; with tax: %q; not marked: %q", what, got.Prices, got.With, got.Unmarked)
	}
}

// wantSumsWithoutTax checks lines and their sums. It returns the total as it stands there.
func (p *tab) wantSumsWithoutTax(what string) string {
	p.t.Helper()
	p.wantWithoutTax(what, ".totals-goods dt")
	if !eval[bool](p, `/All prices are without tax\./.test(document.querySelector("main").innerText) &&
		document.querySelector(".totals-total dt").innerText === "Total, incl. tax" && document.querySelector(".totals-tax") !== null`) {
		p.t.Errorf("%s: the total is not marked, or there is no row of tax:\n%s", what, eval[string](p, "document.querySelector('main').innerText"))
	}
	return p.wantSums(what)
}
