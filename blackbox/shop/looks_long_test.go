//go:build long

package shop

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// kept are the pictures of docs/images, by the view, width and colours that they show.
var kept = map[string]string{
	fmt.Sprint("home", look{1440, 900, false}): "shop.png", fmt.Sprint("measure", look{1440, 900, false}): "shop-measure.png",
	fmt.Sprint("list", look{1440, 900, false}): "shop-list.png", fmt.Sprint("cart", look{1440, 900, true}): "shop-cart-dark.png",
	fmt.Sprint("product", look{360, 740, false}): "shop-phone.png", fmt.Sprint("happened", look{1440, 900, false}): "shop-happened.png",
	fmt.Sprint("desk orders of a day", look{1440, 900, false}): "desk.png", fmt.Sprint("desk order of a day", look{1440, 900, true}): "desk-order-dark.png",
	fmt.Sprint("desk orders of a day", look{360, 740, false}): "desk-phone.png", fmt.Sprint("desk thirty days", look{1440, 900, false}): "desk-start.png",
}

// tooWide names the elements that reach beyond the window.
const tooWide = `[...document.querySelectorAll("#shop *, #desk *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map((e) => e.tagName + "." + e.className).join(", ")`

const rollerTube = "10000000-0000-4000-8000-000000000201"

func (p *tab) add(slug string) {
	p.t.Helper()
	p.goTo("#/product/" + slug)
	p.press("Put into the cart")
	p.sees("It is in your cart.")
}

// looksWell looks at a view in every look, in forced colours, and at 320 pixels.
func (p *tab) looksWell(name string) {
	p.t.Helper()
	axe := axeCore(p.t)
	for _, look := range append(slices.Clip(looks), look{320, 640, false}) {
		p.resize(look.width, look.height, look.dark)
		p.fits(p.t, name, look.width)
		p.wantAccessible(name, axe)
		if file := kept[fmt.Sprint(name, look)]; file != "" && *update {
			p.shoot(filepath.Join("../../docs/images", file))
		}
		height := min(2400, eval[int64](p, "document.documentElement.scrollHeight"))
		p.resize(look.width, height, look.dark)
		p.picture(name, look.width, height, look.dark)
	}
	for _, width := range []int64{360, 1440} {
		p.forceColours(width)
		p.fits(p.t, name+" in forced colours", width)
		p.wantAccessible(name+" in forced colours", axe)
	}
	p.resize(1440, 900, false)
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
