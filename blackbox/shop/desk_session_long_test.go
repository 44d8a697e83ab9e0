//go:build long

package shop

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"cartd/internal/redistest"
)

const northwind = "11111111-1111-4111-8111-111111111111"

// keyOf runs `cartd key` for the demo's store, and returns the key that it makes.
func keyOf(t *testing.T, redis string, args ...string) string {
	t.Helper()
	said, err := exec.Command(program, append([]string{"key", "--redis", redis, "--store", northwind}, args...)...).Output()
	if err != nil {
		t.Fatalf("cartd key %q: %v", args, err)
	}
	return strings.TrimSpace(string(said))
}

// A key that reads only sees all views of its scopes, and nothing in them to press that it would be refused.
func TestLongDeskOfAReader(t *testing.T) {
	redis := redistest.Mini(t).URL()
	base := serve(t, "--redis", redis)
	order := sell(t, base, book, 1, "Ada Lovelace")
	quote := quoteOf(t, base, "Ada Lovelace")
	p := visit(t, base).enter(keyOf(t, redis, "--name", "reader", "--scopes", "store:read,orders:read"))
	for _, one := range []struct{ at, sees string }{
		{"#/start", "order to be paid"}, {"#/orders?show=unpaid", "Ada Lovelace"}, {order.view(), "Order 1"}, {"#/quotes", "Ada Lovelace"},
		{"#/quotes/" + quote, "To write"}, {"#/customers?show=awaiting", "Studio Lichtblick"}, {"#/customers/" + awaiting(t, base), "Studio Lichtblick"},
		{"#/products", "Roller tube"}, {"#/products/" + book, "47 on hand"}, {"#/discounts", "WELCOME10"},
		{"#/discounts/60000000-0000-4000-8000-000000000020", "Used 0 times"}, {"#/store", "The store is open"},
	} {
		p.goTo(one.at)
		p.sees(one.sees)
		p.quiet()
		if may := eval[string](p, `[...document.querySelectorAll("main button, main input, main select, main textarea")]
			.filter((one) => !one.matches(":disabled, [type=search], [type=date], .more *") && !["Look", "Uses of one code"].includes(one.ariaLabel ?? one.innerText))
			.map((one) => one.ariaLabel ?? one.innerText).join(", ")`); may != "" {
			t.Errorf("%s: a reader could use %s", one.at, may)
		}
	}
	p.wantNoFaults()
}

// A key of `cartd key --desk` opens every view. Once it is revoked, the page forgets it with its next request, also
// where the tab keeps it.
func TestLongDeskForgetsARevokedKey(t *testing.T) {
	redis := redistest.Mini(t).URL()
	base := serve(t, "--redis", redis)
	key := keyOf(t, redis, "--desk", "Eva, sales")
	p := visit(t, base).open("desk")
	p.within = "document.getElementById('desk')"
	p.fill("Your key", key)
	p.press("Keep it in this tab")
	p.press("Enter")
	p.await("every view", `document.querySelectorAll(".side nav a").length === 7`)
	for view, sees := range map[string]string{
		"start": "Orders today", "orders": "Nothing is waiting to be shipped.", "quotes": "Write a quote", "customers?show=awaiting": "Studio Lichtblick",
		"products": "Roller tube", "discounts": "WELCOME10", "store": "Eva, sales",
	} {
		p.goTo("#/" + view)
		p.sees(sees)
	}
	keyOf(t, redis, "--revoke", "Eva, sales")
	p.goTo("#/orders?show=all")
	p.sees("Your key was refused, so the page has forgotten it.")
	p.wantForgotten(key)
	p.reload()
	p.sees("Your key")
	p.wantNoFaults()
}

// The start and the inbox ask again each minute while they are looked at, and when they are looked at again.
func TestLongDeskIsLive(t *testing.T) {
	base := serve(t)
	p := visit(t, base).enter(deskKey)
	p.script(`(() => {
		const begin = window.setInterval;
		window.minutes = new Map();
		window.setInterval = (tick, pause) => { const timer = begin(tick, pause); if (pause === 60000) window.minutes.set(timer, tick); return timer; };
		const end = window.clearInterval;
		window.clearInterval = (timer) => { window.minutes.delete(timer); end(timer); };
		window.looked = (state) => {
			Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
			document.dispatchEvent(new Event("visibilitychange"));
		};
	})()`)
	const (
		minute = `[...window.minutes.values()].forEach((tick) => tick())`
		asked  = `performance.getEntriesByType("resource").filter(({ name }) => name.includes("/v1/")).length`
	)
	for _, one := range []struct {
		at, before, after string
		happens           func()
	}{
		{"#/start", "company to approve", "order to be paid", func() { sell(t, base, book, 1, "Ada Lovelace") }},
		{"#/quotes", "No request waits for you.", "Van Dijk Interieur", func() { quoteOf(t, base, "Van Dijk Interieur") }},
	} {
		p.goTo(one.at)
		p.quiet()
		p.sees(one.before)
		one.happens()
		p.await("one timer", "window.minutes.size === 1")
		p.script(minute)
		p.sees(one.after)
		p.quiet()
		p.script(`window.looked("hidden")`)
		before := eval[int](p, asked)
		p.script(minute)
		eval[bool](p, "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true))))")
		if after := eval[int](p, asked); after != before {
			t.Errorf("%s asks while nobody looks at it", one.at)
		}
		p.script(`window.looked("visible")`)
		p.await("that it asks again", fmt.Sprintf("%s > %d", asked, before))
	}
	p.goTo("#/orders")
	p.await("no timer of a view that was left", "window.minutes.size === 0")
	p.wantNoFaults()
}

// The panel of the demo's shop leads to the desk.
func TestLongShopLeadsToTheDesk(t *testing.T) {
	p := visit(t, serve(t)).open("#/")
	p.press("What happened")
	p.press("The merchant's desk")
	p.within = "document.getElementById('desk')"
	p.sees("The desk", "Your key")
	p.wantNoFaults()
}

// While cartd cannot serve, the desk says that nothing was changed, and both a list and a payment are tried again.
func TestLongDeskWhileCartdIsAway(t *testing.T) {
	n := connect(t, serve(t))
	order := sell(t, n.base, book, 1, "Ada Lovelace")
	p := visit(t, n.base).enter(deskKey)
	n.breaks(fault{method: "GET", path: "/orders", times: 4})
	p.goTo("#/orders?show=unpaid")
	p.sees("The server cannot answer right now. Nothing was changed.")
	p.press("Try again")
	p.sees("Ada Lovelace")
	p.goTo(order.view())
	n.breaks(fault{method: "POST", path: "/payment", times: 4})
	p.press("It is paid")
	p.fill("Reference of the payment", "pi_1")
	p.press("Yes, €")
	p.sees("The server cannot answer right now. Nothing was changed.")
	p.press("Yes, €")
	p.sees("To ship", "pi_1")
	p.wantNoFaults()
}

// A quote that saves itself and a price repeat a lost answer under its key, and then save what was written since: each is done once.
func TestLongDeskRepeatsALostSave(t *testing.T) {
	n := connect(t, serve(t))
	id := quoteOf(t, n.base, "Van Dijk Interieur")
	p := visit(t, n.base).enter(deskKey)
	p.goTo("#/quotes/" + id)
	p.sees("Saved")
	n.breaks(fault{method: "PATCH", path: "/quotes/" + id, times: 4, lose: true})
	p.fill("Quantity of Book: The Well-Dressed Window", "4")
	p.sees("The answer got lost on its way", "Not saved")
	p.fill("Taken off Book: The Well-Dressed Window", "8")
	p.press("Finish it")
	p.sees("€90.00", "Saved")
	if n.repeated() < 5 {
		t.Errorf("the key of the change was used %d times, want 5", n.repeated())
	}
	p.goTo("#/products/" + book)
	p.sees("48 on hand")
	n.breaks(fault{method: "PATCH", path: "/products/" + book, times: 4, lose: true})
	p.fill("Price of Book: The Well-Dressed Window", "19,95")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.sees("The answer got lost on its way")
	p.press("Finish it")
	p.seesNot("The answer got lost on its way")
	if got := priceOf(t, n.base, book); got != float64(1995) {
		t.Errorf("the price is %v, want 1995", got)
	}
	p.seesNot("Somebody else has changed this.")
	p.wantNoFaults()
}

// The desk speaks Dutch and German in every view, and its longer words fit each window.
func TestLongDeskSpeaks(t *testing.T) {
	base := serve(t)
	sell(t, base, book, 3, "Ada Lovelace").pay(t, base)
	unpaid := sell(t, base, book, 3, "Jan van Dalen")
	quote := quoteOf(t, base, "Studio Lichtblick")
	for language, one := range map[string]struct{ chosen, words string }{
		"nl": {"Nederlands", "Begin Bestellingen Offertes Klanten Producten Kortingen Winkel"},
		"de": {"Deutsch", "Start Bestellungen Angebote Kunden Produkte Rabatte Shop"},
	} {
		p := visit(t, base).enter(deskKey)
		p.choose("Language", one.chosen)
		p.await("the language "+language, `document.documentElement.lang === "`+language+`"`)
		if got := eval[string](p, `[...document.querySelectorAll(".side nav a")].map((a) => a.innerText).join(" ")`); got != one.words {
			t.Errorf("%s: the views are %q, want %q", language, got, one.words)
		}
		for _, at := range []string{"#/start", "#/orders?show=all", "#/orders/1", unpaid.view(), "#/quotes", "#/quotes/" + quote, "#/customers?show=awaiting",
			"#/customers/" + awaiting(t, base), "#/products", "#/products/" + book, "#/products?show=few", "#/discounts",
			"#/discounts/60000000-0000-4000-8000-000000000020", "#/store"} {
			p.goTo(at)
			p.quiet()
			for _, look := range deskLooks {
				p.resize(look.width, look.height, look.dark)
				p.fits(t, language+" "+at, look.width)
				p.picture("desk-"+language+" "+strings.NewReplacer("#/", "", "/", " ", "?", " ").Replace(at), look.width, look.height, look.dark)
			}
		}
		p.wantNoFaults()
		own := visitIn(t, base, language).open("desk")
		own.await("the language of the browser", `document.documentElement.lang === "`+language+`" && document.querySelector("[type=password]")`)
	}
}

// On a phone the place that is shown can be seen among the others, and the arrows lead from the rows to the button for more.
func TestLongDeskPlacesOnAPhone(t *testing.T) {
	base := serve(t)
	for range 30 {
		sell(t, base, book, 1, "Ada Lovelace")
	}
	p := visit(t, base).enter(deskKey)
	p.resize(360, 740, false)
	for _, place := range []string{"store", "start", "discounts"} {
		p.goTo("#/" + place)
		p.await("the name of "+place, `((of, { left, right }) => of.href.endsWith("/`+place+`") && left >= 0 && right <= innerWidth)
			(...((of) => [of, of.getBoundingClientRect()])(document.querySelector(".side nav [aria-current]")))`)
	}
	p.goTo("#/orders?show=unpaid")
	p.await("rows", "document.querySelectorAll('main .row').length === 25")
	p.script(`[...document.querySelectorAll("main .row")].at(-1).focus()`)
	p.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	p.await("the first new row", `((rows) => rows.length === 30 && document.activeElement === rows[25])(document.querySelectorAll("main .row"))`)
	p.await("no button for more", `!document.querySelector(".more button")`)
	p.wantNoFaults()
}

// Every text that a customer can write is shown as it is, in each view that has it.
func TestLongDeskShowsHostileTexts(t *testing.T) {
	base := serve(t, "--store", documentWith(t, func(document map[string]any) {
		document["store"].(map[string]any)["quotes"].(map[string]any)["mode"] = "reviewed"
		document["store"].(map[string]any)["quotes"].(map[string]any)["acceptance_mode"] = "click"
	}))
	shopper := func(path string, body object) map[string]any {
		t.Helper()
		return ask(t, "POST", base, "demo-storefront-key", path, body)
	}
	company := shopper("contacts/register", object{
		"email": "mallory@example.com", "password": "a long password", "first_name": hostile, "last_name": hostile, "phone": hostile[:40], "kind": "b2b",
		"company_name": hostile, "registration_number": hostile[:40],
	})["contact"].(map[string]any)["id"].(string)
	request := func() string {
		t.Helper()
		cart := shopper("commerce/carts", object{})["id"].(string)
		shopper("commerce/carts/"+cart+"/lines", object{"product_id": book, "quantity": 1})
		return shopper("commerce/carts/"+cart+"/quote-request", object{
			"email": "guest@example.com", "name": hostile, "company_name": hostile, "phone": hostile[:40], "message": hostile, "reference": hostile,
		})["id"].(string)
	}
	asked, declined := request(), request()
	for id, answer := range map[string]object{asked: {"message": hostile}, declined: {"reason": hostile}} {
		var offered struct{ Token string }
		send(t, "POST", base, deskKey, "quotes/"+id+"/offer", object{"expected_total_amount": 2450}, &offered)
		shopper("sales/quotes/by-token/"+offered.Token+map[string]string{asked: "/change-request", declined: "/decline"}[id], answer)
	}
	order := sell(t, base, book, 1, hostile)
	p := visit(t, base).enter(deskKey)
	for _, at := range []string{
		"#/orders?show=all", order.view(), "#/quotes", "#/quotes/" + asked, "#/quotes/" + declined, "#/customers?show=awaiting", "#/customers/" + company,
	} {
		p.goTo(at)
		p.sees(hostile)
		p.quiet()
		p.wantOwnOnly()
	}
	p.wantNoFaults()
}
