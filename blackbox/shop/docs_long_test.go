//go:build long

package shop

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The page of the API shows a sample of each operation as a command for this server, and a link to its
// rules. With the demo it sends requests: ids of earlier answers are filled in. There is a link to the
// shop. Nothing is cut off, and axe-core finds nothing serious in the page of the rules.
func TestLongDocs(t *testing.T) {
	axe := axeCore(t)
	v := visit(t, serve(t))
	for _, look := range []look{{360, 740, true}, {768, 1024, false}, {1440, 900, true}} {
		p := v.open("docs")
		p.resize(look.width, look.height, look.dark)
		p.await("the operations", `document.querySelectorAll("[data-section-id^='tag/'] h2").length > 50`)
		p.script(`document.querySelector("[data-section-id$='operation/claimCart']").scrollIntoView()`)
		const tab = `[...document.querySelectorAll("[data-section-id$='operation/claimCart'] [role=tab]")].find((one) => one.innerText === "curl")`
		p.await("a sample", tab)
		p.script(tab + ".click()")
		p.await("its command", `document.querySelector("[data-section-id$='operation/claimCart']").innerText.includes(location.origin) && document.querySelector("[data-section-id$='operation/claimCart']").innerText.includes("/claim?include=merge_report")`)
		p.fits(t, "docs", look.width)
		p.picture("docs", look.width, look.height, look.dark)
		for _, operation := range []string{"createCart", "addLine"} {
			p.script(fmt.Sprintf(`document.querySelector("[data-section-id$='operation/%s'] .try").click()`, operation))
			p.script(`document.querySelector("#try button[type=submit]").click()`)
			p.await("the answer to "+operation, `document.querySelector("#try .good")?.innerText.includes(": 201 after") && document.querySelector("#try pre").innerText.includes("lines")`)
		}
		p.fits(t, "try it", look.width)
		p.picture("try", look.width, look.height, look.dark)
		p.script(`document.querySelector("#try button.quiet").click()`)
		p.await("the end of the panel", `document.getElementById("try").hidden`)
		dark := eval[bool](p, `getComputedStyle(document.querySelector("#redoc h1")).color === "rgb(226, 230, 235)"`)
		if dark != look.dark {
			t.Errorf("dark colours are asked for: %v; shown: %v", look.dark, dark)
		}
		p.await("a link to the shop", `document.querySelector("#bar a[href='/']")`)
		p.script(`document.querySelector("[data-section-id$='operation/claimCart'] a[href$='/docs/api/carts.md#claim']").click()`)
		p.await("the rules", `location.pathname + location.hash === "/docs/api/carts.md#claim" && document.getElementById("claim")?.innerText === "Claim"`)
		p.fits(t, "rules", look.width)
		p.picture("rules", look.width, look.height, look.dark)
		p.wantAccessible("rules", axe)
		p.script(`document.querySelector("nav a[href='/']").click()`)
		p.await("the shop", `document.getElementById("shop") && document.querySelector("a[href='/docs']")`)
		for _, fault := range p.faults {
			if !strings.Contains(fault, "https://cdn.redoc.ly/") { // Redoc's own logo, which the page's policy forbids
				t.Errorf("error of the page: %s", fault)
			}
		}
	}
}

// fits fails the test if the page is wider than the window.
func (p *tab) fits(t *testing.T, name string, width int64) {
	t.Helper()
	if wide := eval[int64](p, "document.documentElement.scrollWidth"); wide > width {
		t.Errorf("%s is %d pixels wide in a window of %d: %s", name, wide, width, eval[string](p, tooWide))
	}
}

// picture keeps a picture of the window in the folder that SHOP_SHOTS names.
func (p *tab) picture(name string, width, height int64, dark bool) {
	p.t.Helper()
	if folder := os.Getenv("SHOP_SHOTS"); folder != "" {
		p.shoot(filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", name, width, map[bool]string{true: "dark", false: "light"}[dark])))
	}
}
