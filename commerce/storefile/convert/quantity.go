package convert

import (
	"slices"

	"github.com/shopspring/decimal"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// Texts of notes that are said once for a file.
const (
	noQuantities = "it has no column of quantities: the products are not tracked, so that they do not run out"
	noQuantity   = "the quantity is empty: the product is not tracked, so that it does not run out"
	mixedTracked = "a variant is not tracked: the whole product is not, so that it does not run out"
	ownQuantity  = "the quantity of the product's own row is left out: its variants have theirs"
)

// quantity sets what is on hand. An unreadable quantity counts as an empty one.
func (d *Document) quantity(p *product, to *goods, r *row, f field) {
	text := r.get(f)
	switch n, ok := r.number(text); {
	case p.isMadeToMeasure():
		if text != "" {
			d.sayOf(r.place, p.handle, stockLeftOut, "the stock %q is left out: the product is made to measure", shown(text))
		}
	case !r.has(f):
		to.untracked = noQuantities
	case text == "":
		to.untracked = noQuantity
	case !ok || !isStock(n):
		d.sayOf(r.place, p.handle, stockChanged, "the stock %q is no number of at least %s with at most six decimals: it counts as empty",
			shown(text), commerce.MinStock)
		to.untracked = noQuantity
	default:
		to.stock, to.tracked = n.String(), true
	}
}

func isStock(n decimal.Decimal) bool {
	m, err := commerce.ParseStock(n.String())
	return err == nil && m >= commerce.MinStock && m <= commerce.MaxStock
}

// track tracks a product if its rows say how much there is of all that is sold.
func (d *Document) track(p *product) {
	if p.isMadeToMeasure() {
		return
	}
	sold := p.sold()
	if len(p.variants) > 0 && p.tracked {
		d.once(p.place, p.handle, stockLeftOut, ownQuantity)
	}
	if len(p.variants) > 0 && (p.tracked || !p.hadVariants) {
		p.stock = nil
	}
	untracked := slices.IndexFunc(sold, func(g *goods) bool { return !g.tracked })
	if untracked < 0 {
		p.members.set("track_stock", true)
		return
	}
	if !p.earlier {
		d.sayUntracked(p, sold)
	}
	isNew := !p.earlier || slices.ContainsFunc(sold, func(g *goods) bool { return !g.tracked && !g.earlier })
	if (isNew || !p.isTracked()) && slices.ContainsFunc(sold, func(g *goods) bool { return g.tracked }) {
		d.once(sold[untracked].place, p.handle, stockChanged, mixedTracked)
	}
	if isNew {
		p.members.set("track_stock", false)
	}
	if isNew || !p.isTracked() {
		d.hideSoldOut(p, sold)
	}
}

// isTracked reports whether the earlier document tracks the product.
func (p *product) isTracked() bool {
	tracked, _ := p.members.get("track_stock").(strictjson.Value)
	return tracked.Bool()
}

// sayUntracked says once for each file why goods are not tracked.
func (d *Document) sayUntracked(p *product, sold []*goods) {
	for _, g := range sold {
		switch g.untracked {
		case "":
		case noQuantities:
			d.once(place{file: g.file}, "", stockChanged, noQuantities)
		default:
			d.once(g.place, p.handle, stockChanged, g.untracked)
		}
	}
}
