//go:build long

package shop

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cartd/blackbox"
)

// look is a size of the window, and its colours.
type look struct {
	width, height int64
	dark          bool
}

// looks are those in which every view is looked at.
var looks = []look{{360, 740, false}, {360, 740, true}, {768, 1024, false}, {768, 1024, true}, {1440, 900, false}, {1440, 900, true}}

// Every view fits the window from a phone to a desk, in light and dark and in forced colours, and
// axe-core finds nothing in it. With -update it writes the pictures of docs/images. SHOP_SHOTS names a
// folder for a picture of each view.
func TestLongEveryViewIsAccessible(t *testing.T) {
	p := visit(t, serve(t)).open("")
	axe := axeCore(t)
	order := p.filled()
	for _, view := range p.views(order) {
		if view.first != nil {
			view.first()
		}
		p.goTo("#/nowhere") // so that a view is made anew
		p.sees("There is no such page")
		p.goTo(view.at)
		p.sees(view.sees)
		if view.open != "" {
			p.press(view.open)
		}
		p.quiet()
		for _, look := range looks {
			p.resize(look.width, look.height, look.dark)
			name := fmt.Sprintf("%s-%d-%s", view.name, look.width, map[bool]string{true: "dark", false: "light"}[look.dark])
			if wide := eval[int64](p, "document.documentElement.scrollWidth"); wide > look.width {
				t.Errorf("%s is %d pixels wide: %s", name, wide, eval[string](p, tooWide))
			}
			p.wantAccessible(name, axe)
			if file := kept[name]; file != "" && *update {
				p.shoot(filepath.Join("../../docs/images", file))
			}
			if folder := os.Getenv("SHOP_SHOTS"); folder != "" {
				p.resize(look.width, min(2400, eval[int64](p, "document.documentElement.scrollHeight")), look.dark)
				p.shoot(filepath.Join(folder, name+".png"))
			}
		}
		for _, width := range []int64{360, 1440} {
			p.forceColours(width)
			p.fits(t, view.name+" in forced colours", width)
			p.wantAccessible(view.name+" in forced colours", axe)
			if folder := os.Getenv("SHOP_SHOTS"); folder != "" {
				p.shoot(filepath.Join(folder, fmt.Sprintf("%s-%d-forced.png", view.name, width)))
			}
		}
		p.resize(1440, 900, false)
		if end := cmp.Or(view.shut, view.open); end != "" {
			p.press(end)
		}
	}
	p.wantNoFaults()
}

// kept are the pictures of docs/images, by the view, width and colours that they show.
var kept = map[string]string{
	"home-1440-light": "shop.png", "measure-1440-light": "shop-measure.png", "list-1440-light": "shop-list.png",
	"cart-1440-dark": "shop-cart-dark.png", "product-360-light": "shop-phone.png", "happened-1440-light": "shop-happened.png",
}

// tooWide names the elements that reach beyond the window.
const tooWide = `[...document.querySelectorAll("#shop *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map((e) => e.tagName + "." + e.className).join(", ")`

// view is a view in one of its states.
type view struct {
	name, at, sees string
	// open is what the visitor presses first, shut what ends it; open if shut is empty.
	open, shut string
	// first is done ahead of it.
	first func()
}

// views are all views, each in a state that shows what it has.
func (p *tab) views(order string) []view {
	quote := p.quote()
	return []view{
		{name: "home", at: "#/", sees: "Made to measure"},
		{name: "list", at: "#/products?category=tools", sees: "Cordless drill"},
		{name: "search", at: "#/products?q=white", sees: "Found for"},
		{name: "nothing", at: "#/products?q=zzzz", sees: "Nothing matches"},
		{name: "product", at: "#/product/cordless-drill-18v", sees: "Two-speed drill"},
		{name: "tiers", at: "#/product/roller-tube-32", sees: "Price by quantity"},
		{name: "measure", at: "#/product/roller-blind", sees: "€81.00"},
		{name: "cart", at: "#/cart", sees: "Your cart", open: "How is this worked out?"},
		{name: "checkout", at: "#/checkout", sees: "You order as"},
		{name: "happened", at: "#/product/spirit-level", sees: "Spirit level", open: "What happened"},
		{name: "account", at: "#/account", sees: "Hello, Ada"},
		{name: "addresses", at: "#/addresses", sees: "Add an address"},
		{name: "address", at: "#/addresses", sees: "Add an address", open: "Change", shut: "Cancel"},
		{name: "orders", at: "#/orders", sees: "Order 1"},
		{name: "quotes", at: "#/quotes", sees: "Quotes"},
		{name: "quote", at: quote, sees: "Accept and order for"},
		{name: "request", at: "#/request", sees: "under a link of its own"},
		{name: "login", at: "#/login", sees: "Just looking?"},
		{name: "register", at: "#/register", sees: "Make the account", open: "A company"},
		{name: "forgot", at: "#/forgot", sees: "Forgotten password"},
		{name: "reset", at: "#/reset/a-token?email=ada@example.com", sees: "Change the password"},
		{name: "returns", at: "#/returns", sees: "within 14 days"},
		{name: "missing", at: "#/nowhere", sees: "There is no such page"},
		{name: "thanks", at: order, sees: "It is placed, and not paid yet."},
		{name: "beyond", at: "#/products?page=99", sees: "There is no page 99"},
		{name: "variants", at: "#/product/ready-made-roller-blind", sees: "Choose: Colour, Size", open: "Olive"},
		{name: "sold out", at: "#/product/book-well-dressed-window", sees: "Sold out at the moment", first: func() { adjust(p.t, p.base, book, -47) }},
		{name: "short", at: "#/cart", sees: "This cart cannot be ordered yet.", first: func() { adjust(p.t, p.base, rollerTube, -1250) }},
		{name: "removed", at: "#/cart", sees: "Your cart", open: "Remove Roller blind", shut: "Undo: put Roller blind back"},
	}
}

const rollerTube = "10000000-0000-4000-8000-000000000201"

// filled logs the visitor in and places an order. It returns the address of its page.
func (p *tab) filled() string {
	p.t.Helper()
	p.logIn("ada@example.com", "northwind-ada")
	p.sees("Hello, Ada")
	p.add("book-well-dressed-window")
	p.goTo("#/checkout")
	p.order()
	p.sees("Thank you")
	return eval[string](p, "location.hash")
}

func (p *tab) add(slug string) {
	p.t.Helper()
	p.goTo("#/product/" + slug)
	p.press("Put into the cart")
	p.sees("It is in your cart.")
}

// quote asks for a quote, fills the cart again, and returns the quote's address.
func (p *tab) quote() string {
	p.t.Helper()
	p.add("pergola-roof-4x3")
	p.goTo("#/request")
	p.await("the focus on the heading", `document.activeElement.innerText === "Ask for a quote"`)
	p.press("Ask for the quote")
	p.sees("Accept and order for")
	link := eval[string](p, "location.hash")
	p.goTo("#/product/roller-blind")
	p.sees("€")
	p.press("Blackout")
	p.sees("€98.00")
	p.press("Put into the cart")
	p.sees("It is in your cart.")
	p.add("roller-tube-32")
	p.goTo("#/cart")
	p.press("Have a code?")
	p.fill("Code", "friends15")
	p.press("Use the code")
	p.sees("off.")
	return link
}

// axeCore is the source of axe-core, which npm installs for web/.
func axeCore(t *testing.T) string {
	t.Helper()
	root, err := blackbox.Root()
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(root, "web/node_modules/axe-core/axe.min.js"))
	if err != nil {
		t.Fatalf("%v: run make web", err)
	}
	return string(source)
}

// wantAccessible fails the test for findings of axe-core.
func (p *tab) wantAccessible(name, axe string) {
	p.t.Helper()
	if !eval[bool](p, "typeof axe === 'object'") {
		eval[bool](p, axe+"; true")
	}
	found := eval[string](p, `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => JSON.stringify(violations
		.map((one) => ({ Rule: one.id, Help: one.help, Nodes: one.nodes.map((node) => node.html + " " + node.failureSummary) }))))`)
	var findings []struct {
		Rule, Help string
		Nodes      []string
	}
	if err := json.Unmarshal([]byte(found), &findings); err != nil {
		p.t.Fatal(err)
	}
	for _, one := range findings {
		p.t.Errorf("%s: %s (%s):\n%s", name, one.Help, one.Rule, strings.Join(one.Nodes[:min(3, len(one.Nodes))], "\n"))
	}
}
