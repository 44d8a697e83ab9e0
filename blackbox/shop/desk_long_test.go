//go:build long

package shop

import (
	"cmp"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"cartd/internal/process"
)

// serveDesk starts the demo with a log of its requests.
func serveDesk(t *testing.T) (base string, log func() string) {
	t.Helper()
	p, err := process.Start(exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--redis", "embedded", "--demo", "--access-log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	addr, err := p.Address()
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + addr, p.Log.String
}

// A key is in the page's memory only: in no storage, no address, no part of the page and no log. Leave, a
// key that is refused, and half an hour without input forget it. "Keep" keeps it in the tab.
func TestLongDeskForgetsItsKey(t *testing.T) {
	base, log := serveDesk(t)
	v := visit(t, base)
	p := v.open("desk")
	p.within = "document.getElementById('desk')"
	p.press("Enter")
	p.sees("Paste your key.")
	p.fill("Your key", "demo-retired-key")
	p.press("Enter")
	p.sees("This key opens nothing")
	p.fill("Your key", deskKey)
	p.press("Enter")
	p.await("the orders", `document.querySelector(".frame h1")`)
	p.wantForgotten(deskKey)
	p.press("Leave")
	p.sees("Your key")
	p.wantForgotten(deskKey)

	p.fill("Your key", deskKey)
	p.press("Keep it in this tab")
	p.press("Enter")
	p.await("the desk", `document.querySelector(".frame h1")`)
	p.reload()
	p.await("the desk again", `document.querySelector(".frame h1")`)
	if eval[int](p, "localStorage.length") != 0 || eval[string](p, "document.cookie") != "" {
		t.Error("the desk leaves something behind in localStorage or in a cookie")
	}
	if other := v.open("desk"); eval[bool](other, `sessionStorage.getItem("desk-key") !== null`) {
		t.Error("another tab has the key")
	}
	p.script(`(() => { const now = Date.now; Date.now = () => now() + 31 * 60000; document.dispatchEvent(new Event("visibilitychange")); })()`)
	p.sees("30 minutes without input: the page has forgotten your key.")
	p.wantForgotten(deskKey)
	for line := range strings.SplitSeq(log(), "\n") {
		if strings.HasPrefix(line, "{") && strings.Contains(line, deskKey) { // the demo itself prints its keys
			t.Errorf("the log has the key: %s", line)
		}
	}
	p.wantOwnOnly()
	p.wantNoFaults()
}

// A key without the scopes of a view sees that there is one, and asks nothing.
func TestLongDeskWithoutScopes(t *testing.T) {
	p := visit(t, serve(t)).enter("demo-storefront-key")
	p.sees("Your key does not open this view")
	p.goTo("#/orders")
	p.sees("It needs one of the scopes orders:read.")
	q := visit(t, p.base).enter("demo-merchant-key")
	q.sees("Nothing is waiting to be shipped.")
	p.wantNoFaults()
	q.wantNoFaults()
}

// An order goes its way: paid, shipped in two parcels, taken back, refunded in parts, delivered. Each step is
// asked a second time.
func TestLongDeskOrder(t *testing.T) {
	base := serve(t)
	order := sell(t, base, book, 3, "Ada Lovelace")
	p := visit(t, base).enter(deskKey)
	p.goTo("#/orders?show=unpaid")
	p.press(fmt.Sprint(order.number))
	p.sees("Unpaid")
	p.press("It is paid")
	p.press("Yes, €80.45 came in")
	p.sees("Reference of the payment is required.")
	p.fill("Reference of the payment", "pi_1")
	p.press("Yes, €80.45 came in")
	p.sees("To ship", "pi_1")

	p.press("Ship")
	p.fill("Book: The Well-Dressed Window", "9")
	p.press("Yes, it leaves")
	p.sees("Quantity can be at most 3.")
	p.fill("Book: The Well-Dressed Window", "2")
	p.fill("Carrier", "PostNL")
	p.press("Yes, it leaves")
	p.sees("Partly shipped", "2 shipped · 1 to ship")
	p.press("Ship")
	p.press("Leave it as it is")
	p.press("Ship")
	p.press("Yes, it leaves")
	p.sees("3 shipped")
	p.press("Correct the parcel")
	p.fill("Tracking number", "3SABC")
	p.press("Correct it")
	p.sees("3SABC")

	p.press("Take back")
	p.fill("Book: The Well-Dressed Window", "1")
	p.fill("Reason", "Pages missing")
	p.press("Yes, they came back")
	p.sees("1 came back", "Pages missing", "Back in stock")

	p.press("Refund")
	p.press("An amount")
	p.fill("Amount", "two")
	p.fill("Reference of the refund", "re_1")
	p.press("Yes, record the refund")
	p.sees("Amount must be a number.")
	p.fill("Amount", "2,50")
	p.press("Yes, record the refund")
	p.sees("€2.50 refunded")
	p.press("Refund")
	p.press("Pieces, at what was paid for them")
	p.fill("Book: The Well-Dressed Window", "1")
	p.fill("Reference of the refund", "re_2")
	p.press("Yes, record the refund")
	p.sees("€27.00 refunded")
	p.press("It is delivered")
	p.press("Yes, it has arrived")
	p.sees("Delivered")
	p.press("Refund")
	p.fill("Reference of the refund", "re_3")
	p.press("Yes, record the refund")
	p.seesNot("€27.00 refunded")
	p.wantNone("Refund")

	other := sell(t, base, book, 2, "Jan van Dalen")
	other.pay(t, base)
	p.goTo(other.view())
	p.press("Cancel")
	p.fill("Book: The Well-Dressed Window", "1")
	p.press("Yes, cancel")
	p.sees("1 cancelled · 1 to ship")
	p.press("Cancel")
	p.press("Yes, cancel")
	p.sees("Cancelled", "2 cancelled")
	p.goTo("#/orders?show=cancelled")
	p.sees("Jan van Dalen")
	p.wantNoFaults()
}

// Orders are found by number, by e-mail and by day, with the keyboard alone. No search word is in the address.
func TestLongDeskFindsOrders(t *testing.T) {
	base := serve(t)
	first := sell(t, base, book, 1, "Ada Lovelace")
	second := sell(t, base, book, 1, "Jan van Dalen")
	second.pay(t, base)
	p := visit(t, base).enter(deskKey)
	p.goTo("#/orders?show=all")
	p.sees("Ada Lovelace", "Jan van Dalen")
	p.do(chromedp.KeyEvent("/"))
	p.await("the focus on the search", `document.activeElement.type === "search"`)
	p.fill("Search orders", fmt.Sprint(first.number))
	p.seesNot("Jan van Dalen")
	p.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	p.sees(fmt.Sprintf("Order %d", first.number))
	p.goTo("#/orders?show=ship")
	p.fill("Search orders", "")
	p.script(`(() => { const day = document.querySelector(".days input"); day.value = "2035-01-01"; day.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	p.sees("Nothing is waiting to be shipped.")
	p.script(`(() => { const day = document.querySelector(".days input"); day.value = ""; day.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	p.fill("Search orders", "guest@example.com")
	p.sees("Ada Lovelace", "Jan van Dalen")
	if at := eval[string](p, "location.href"); strings.Contains(at, "guest") {
		t.Errorf("the address has a search word: %s", at)
	}
	p.fill("Search orders", "nobody@example.com")
	p.sees("There is no such order.")
	p.fill("Search orders", "Jan")
	p.sees("Orders are found by their number or by the whole e-mail address.")
	p.fill("Search orders", "")
	p.goTo("#/orders?show=all")
	p.press(fmt.Sprint(first.number))
	p.sees(fmt.Sprintf("Order %d", first.number))
	p.script("history.back()")
	p.await("the focus on the order that was looked at", fmt.Sprintf(`document.activeElement.getAttribute("href") === %q`, first.view()))
	p.wantNoFaults()
}

// Of two desks on one order the later one is told what the other wrote, and writes nothing.
func TestLongDeskShowsWhatAnotherWrote(t *testing.T) {
	base := serve(t)
	order := sell(t, base, book, 2, "Ada Lovelace")
	order.pay(t, base)
	one, two := visit(t, base).enter(deskKey), visit(t, base).enter(deskKey)
	for _, p := range []*tab{one, two} {
		p.goTo(order.view())
		p.sees("To ship")
	}
	one.press("Ship")
	one.press("Yes, it leaves")
	one.sees("2 shipped")
	two.press("Cancel")
	two.press("Yes, cancel")
	two.sees("This has changed since you looked. Nothing was done.")
	two.press("Leave it as it is")
	two.sees("Somebody else has changed this.", "To ship", "Shipped")
	two.press("I have seen it")
	two.seesNot("Somebody else has changed this.")
	two.wantNoFaults()
}

// A refund whose answer is lost is repeated with its key: it is recorded once.
func TestLongDeskRepeatsALostAnswer(t *testing.T) {
	n := connect(t, serve(t))
	order := sell(t, n.base, book, 2, "Ada Lovelace")
	order.pay(t, n.base)
	p := visit(t, n.base).enter(deskKey)
	p.goTo(order.view())
	p.press("Refund")
	p.press("An amount")
	p.fill("Amount", "5")
	p.fill("Reference of the refund", "re_1")
	n.breaks(fault{method: "POST", path: "/refunds", times: 4, lose: true})
	p.press("Yes, record the refund")
	p.sees("The answer got lost on its way")
	p.press("Finish it")
	p.sees("€5.00 refunded")
	if n.repeated() < 5 {
		t.Errorf("a key was used %d times, want 5", n.repeated())
	}
	p.wantNoFaults()
}

// deskLooks are the sizes and colours in which every view of the desk is looked at.
var deskLooks = []look{{360, 740, false}, {360, 740, true}, {820, 1024, false}, {820, 1024, true}, {1440, 900, false}, {1440, 900, true}}

// Every view of the desk fits the window from a phone to a desk, in light and dark, with texts that are
// hostile or long; axe-core finds nothing in it.
func TestLongEveryViewOfTheDeskIsAccessible(t *testing.T) {
	base := serve(t)
	axe := axeCore(t)
	for _, text := range []string{hostile, strings.Repeat("W", 250), "Ada Lovelace"} {
		sell(t, base, book, 3, text).pay(t, base)
	}
	unpaid := sell(t, base, book, 1, hostile)
	v := visit(t, base)
	p := v.open("desk")
	p.within = "document.getElementById('desk')"
	p.looksAtDesk(t, "enter", axe)
	p.fill("Your key", deskKey)
	p.press("Enter")
	for _, view := range []view{
		{name: "orders", at: "#/orders", sees: "To ship"},
		{name: "all orders", at: "#/orders?show=all", sees: "Unpaid"},
		{name: "no orders", at: "#/orders?show=cancelled", sees: "No order was cancelled."},
		{name: "order", at: "#/orders/1", sees: "Order 1"},
		{name: "long order", at: "#/orders/2", sees: "Order 2"},
		{name: "paid", at: unpaid.view(), sees: "Unpaid", open: "It is paid"},
		{name: "ship", at: "#/orders/2", sees: "Order 2", open: "Ship"},
		{name: "refund", at: "#/orders/1", sees: "Order 1", open: "Refund"},
		{name: "cancel", at: "#/orders/1", sees: "Order 1", open: "Cancel"},
		{name: "products", at: "#/products", sees: "Roller tube"},
		{name: "product", at: "#/products/" + book, sees: "Prices", open: "Add a dated price of Book: The Well-Dressed Window", shut: "Do not"},
		{name: "variants", at: "#/products/10000000-0000-4000-8000-000000000401", sees: "Body only"},
		{name: "start", at: "#/start", sees: "Orders today"},
		{name: "customers", at: "#/customers?show=awaiting", sees: "Studio Lichtblick"},
		{name: "customer", at: "#/customers/" + awaiting(t, base), sees: "Approve"},
		{name: "few", at: "#/products?show=few", sees: "Few left"},
		{name: "discounts", at: "#/discounts", sees: "WELCOME10"},
		{name: "discount", at: "#/discounts/60000000-0000-4000-8000-000000000020", sees: "Codes READER"},
		{name: "store", at: "#/store", sees: "The store is open"},
		{name: "missing", at: "#/orders/99", sees: "There is no order 99"},
		{name: "nowhere", at: "#/nowhere", sees: "There is no such view"},
	} {
		p.goTo(view.at)
		p.sees(view.sees)
		if view.open != "" {
			p.press(view.open)
			p.await("what is opened", `document.querySelector("dialog[open], .period")`)
		}
		p.quiet()
		p.looksAtDesk(t, view.name, axe)
		if view.open != "" {
			p.press(cmp.Or(view.shut, "Leave it as it is"))
		}
		p.wantOwnOnly()
	}
	p.wantNoFaults()
}

// keptOfDesk are the pictures of docs/images, by the view, size and colours that they show.
var keptOfDesk = map[string]string{
	fmt.Sprint("orders of a day", look{1440, 900, false}): "desk.png",
	fmt.Sprint("order of a day", look{1440, 900, true}):   "desk-order-dark.png",
	fmt.Sprint("orders of a day", look{360, 740, false}):  "desk-phone.png",
	fmt.Sprint("thirty days", look{1440, 900, false}):     "desk-start.png",
}

// The pictures of the desk show a day of the demo.
func TestLongPicturesOfTheDesk(t *testing.T) {
	base := serve(t)
	axe := axeCore(t)
	goods := []string{book, rollerTube}
	for i, name := range []string{"Ada Lovelace", "Studio Lichtblick", "Jan van Dalen", "Grete Hermann", "Van Dijk Interieur", "Emmy Noether", "Chris Jansen"} {
		order := sell(t, base, goods[i%2], i%3+1, name)
		if i%4 == 3 {
			continue
		}
		order.pay(t, base)
		if i%3 == 2 {
			ask(t, "POST", base, deskKey, "orders/"+order.id+"/shipments",
				object{"lines": []object{{"line_id": order.line, "quantity": 1}}, "carrier": "PostNL", "tracking_number": "3SABCD1234567"})
		}
	}
	p := visit(t, base).enter(deskKey)
	p.goTo("#/orders?show=all")
	p.sees("Ada Lovelace")
	p.quiet()
	p.looksAtDesk(t, "orders of a day", axe)
	p.goTo("#/orders/3")
	p.sees("3SABCD1234567")
	p.quiet()
	p.looksAtDesk(t, "order of a day", axe)
	p.wantNoFaults()

	q := visit(t, serve(t, "--demo-sales")).enter(deskKey)
	q.goTo("#/start")
	q.sees("quote to write")
	q.quiet()
	q.looksAtDesk(t, "thirty days", axe)
	q.wantNoFaults()
}

// looksAtDesk looks at a view in each size and colour.
func (p *tab) looksAtDesk(t *testing.T, name, axe string) {
	t.Helper()
	for _, look := range deskLooks {
		p.resize(look.width, look.height, look.dark)
		what := fmt.Sprintf("desk %s, %d, dark %v", name, look.width, look.dark)
		p.fits(t, what, look.width)
		p.wantAccessible(what, axe)
		p.picture("desk-"+name, look.width, look.height, look.dark)
		if file := keptOfDesk[fmt.Sprint(name, look)]; file != "" && *update {
			p.shoot(filepath.Join("../../docs/images", file))
		}
	}
	p.resize(1440, 900, false)
}
