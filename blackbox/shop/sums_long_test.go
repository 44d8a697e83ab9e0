//go:build long

package shop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// Every page's sums add up: in a store whose prices include tax and in one whose prices do not, with
// discounts on the goods and on the delivery, by codes and without.
func TestLongSums(t *testing.T) {
	for name, base := range map[string]string{
		"prices with tax": serve(t),
		"prices without tax": serveChanged(t, func(store map[string]any) {
			store["prices_include_tax"] = false
		}),
	} {
		t.Run(name, func(t *testing.T) {
			p := visit(t, base).open("#/product/roller-tube-32")
			p.fill("Quantity in m", "12.5")
			p.press("Put into the cart")
			p.sees("It is in your cart.")
			p.add("book-well-dressed-window") // at the lower rate of tax
			p.goTo("#/product/spirit-level")  // ten per cent off by itself
			p.press("60 cm")
			p.press("Put into the cart")
			p.sees("It is in your cart.")
			for _, code := range []string{"", "FRIENDS15", "WELCOME10", "SOLO20", "SHIP3"} {
				p.goTo("#/cart")
				p.sees("Your cart")
				if code != "" {
					p.code(code)
				}
				p.wantSums("the cart with " + code)
			}
			p.goTo("#/checkout")
			p.address("Where to")
			p.press("Continue")
			p.sees("Long parcel")
			p.press("Long parcel")
			p.quiet()
			p.wantSums("the checkout with a long parcel")
			p.press("Parcel")
			p.sees("after Three euro off shipping SHIP3")
			p.quiet()
			total := p.wantSums("the checkout")
			p.press("Continue")
			p.sees("Order for " + total)
			p.press("Order for")
			p.sees("Thank you", "60 cm", "No. RT-32", "12.5 m × Roller tube", "after Three euro off shipping SHIP3")
			if charged := p.wantSums("the order"); charged != total {
				t.Errorf("the order has the total %s, the checkout had %s", charged, total)
			}
			p.reload()
			p.sees("Thank you")
			call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
			if printed := p.wantSums("the printed order"); printed != total {
				t.Errorf("the printed order has the total %s, the checkout had %s", printed, total)
			}
			call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})

			p.add("pergola-roof-4x3")
			p.goTo("#/request")
			p.sees("under a link of its own")
			p.wantSums("the request")
			p.fill("E-mail", "grace@example.com")
			p.press("Ask for the quote")
			p.sees("Accept and order for")
			p.quiet()
			total = p.wantSums("the quote")
			p.sees("Accept and order for " + total)
			p.address("Where to")
			p.draw("Sign here")
			p.press("Accept and order for")
			p.sees("Thank you")
			if charged := p.wantSums("the order of the quote"); charged != total {
				t.Errorf("the order of the quote has the total %s, the quote had %s", charged, total)
			}
			p.wantNoFaults()
		})
	}
}

// code uses a code in place of the one before.
func (p *tab) code(code string) {
	p.t.Helper()
	if eval[bool](p, finder+`.press("Take it off") !== undefined`) {
		p.press("Take it off")
		p.seesNot("Take it off")
	}
	p.await("the field for a code", finder+`.field("Code") || (`+finder+`.press("Have a code?").click(), false)`)
	p.fill("Code", code)
	p.press("Use the code")
	p.sees("Take it off")
	p.quiet()
}

// wantSums adds what the page shows: the prices of the lines are the goods, and the rows above the
// total are the total. It returns the total as it stands there.
func (p *tab) wantSums(what string) string {
	p.t.Helper()
	p.await("sums", `document.querySelector(".totals-total")`)
	type shown struct {
		Lines, Goods, Rows, Total int
		Text                      string
	}
	got := eval[shown](p, `(() => {
		const cents = (text) => text === "free" ? 0 : Math.round(Number(text.replace("−", "-").replace(/[€,]/g, "")) * 100);
		const all = (where) => [...document.querySelectorAll(where)].filter((e) => e.getClientRects().length > 0).map((e) => cents(e.innerText));
		const sum = (amounts) => amounts.reduce((a, b) => a + b, 0);
		return {
			Lines: sum(all(".line-item-total b, .short-lines li > b")),
			Goods: sum(all(".totals-goods dd")),
			Rows: sum(all(".totals-goods dd, .totals-discount dd, .totals-rounding dd, .totals-delivery dd, .totals-tax dd")),
			Total: sum(all(".totals-total dd")),
			Text: document.querySelector(".totals-total dd").innerText,
		};
	})()`)
	if got.Lines == 0 || got.Lines != got.Goods || got.Rows != got.Total {
		p.t.Errorf("%s: the lines add up to %d, the goods are %d; the rows add up to %d, the total is %d\n%s",
			what, got.Lines, got.Goods, got.Rows, got.Total, eval[string](p, "document.querySelector('main').innerText"))
	}
	return got.Text
}

// serveChanged starts the demo with a changed document and returns its address. `store` is the member
// of the document with the settings.
func serveChanged(t *testing.T, change func(store map[string]any)) string {
	t.Helper()
	text, err := os.ReadFile("../../cmd/cartd/demo/store.json")
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	change(document["store"].(map[string]any))
	if text, err = json.Marshal(document); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "store.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return serve(t, "--store", file)
}
