//go:build long

package shop

import (
	"fmt"
	"testing"
	"time"
)

// Going back leads to the place on the page where the visitor was, with the focus on the link that
// was followed. Another page of a list begins at its top.
func TestLongBackKeepsThePlace(t *testing.T) {
	n := connect(t, serve(t))
	p := visit(t, n.base).open("#/products")
	p.resize(360, 740, false)
	p.sees("46 products")
	n.slow(300 * time.Millisecond) // the list is short until it has come
	p.press("Page 2")
	p.sees("page 2 of 4")
	p.await("the top of the list", `Math.abs(document.querySelector(".list-bar").getBoundingClientRect().top) < 50`)
	const link = `document.querySelectorAll(".card a")[8]`
	name := eval[string](p, link+`.querySelector(".card-name").innerText`)
	p.press(name)
	p.sees("No. ")
	p.await("the top of the page", "scrollY === 0")
	was := fmt.Sprintf(`Math.abs(%s.getBoundingClientRect().top + %s.getBoundingClientRect().height / 2 - innerHeight / 2) < 60`, link, link)
	p.script("history.back()")
	p.sees("page 2 of 4")
	p.await("the place on the page", was)
	p.await("the focus on the link", link+" === document.activeElement")
	p.script("history.back()")
	p.await("the first page", `!location.hash.includes("page") && document.querySelector(".pager [aria-current]")?.innerText === "1"`)
	p.wantNoFaults()
}

// The panel "What happened" hides nothing where it is open: it stands beside the page, or at its end.
func TestLongOpenPanelHidesNothing(t *testing.T) {
	p := visit(t, serve(t)).open("#/product/spirit-level")
	p.sees("Aluminium level with two vials.")
	p.press("What happened")
	for _, width := range []int64{1920, 1440, 1280, 1100, 800, 360} {
		p.resize(width, 900, false)
		hidden := eval[string](p, `(() => {
			const panel = document.querySelector(".happened-open").getBoundingClientRect();
			const over = (e) => e.right > panel.left && e.left < panel.right && e.bottom > panel.top && e.top < panel.bottom;
			return [...document.querySelectorAll("header, main, footer")].filter((e) => over(e.getBoundingClientRect())).map((e) => e.tagName).join();
		})()`)
		if hidden != "" {
			t.Errorf("at %d pixels the open panel lies over %s", width, hidden)
		}
		if scroll := eval[int64](p, "document.documentElement.scrollWidth"); scroll > width {
			t.Errorf("at %d pixels the page is %d wide", width, scroll)
		}
	}
	p.wantNoFaults()
}
