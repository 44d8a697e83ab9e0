package convert

import (
	"errors"
	"slices"

	"cartd/commerce"
)

// errNoProduct refuses tables of which nothing is left.
var errNoProduct = errors.New("no product could be taken over")

// finish completes what only all tables together say.
func (d *Document) finish() error {
	if !slices.ContainsFunc(d.products, func(p *product) bool { return p.seen }) {
		return errNoProduct
	}
	d.nameSlugs()
	for _, p := range d.products {
		if !p.seen {
			d.hide(p)
			continue
		}
		d.hideVariants(p)
		d.track(p)
		d.priced(p)
		d.fit(p)
	}
	return nil
}

// nameSlugs gives the new products their slugs. Handles that are slugs keep their addresses; the
// others are redirected.
func (d *Document) nameSlugs() {
	for _, p := range d.products {
		if p.seen && !p.earlier && p.handle == slugOf(p.handle) && !d.productSlugs.used[p.handle] {
			p.members.set("slug", d.productSlugs.take(p.handle))
		}
	}
	for _, p := range d.products {
		if !p.seen {
			continue
		}
		wanted := slugOf(p.handle)
		if wanted == "" {
			wanted = "product"
		}
		isNew := p.members.get("slug") == nil
		if isNew {
			p.members.set("slug", d.productSlugs.take(wanted))
		}
		slug := p.members.text("slug")
		switch {
		case slug == p.handle, p.unnamed && (slug == wanted && slugOf(p.handle) != "" || !isNew):
		case p.unnamed || d.productSlugs.used[p.handle]:
			if isNew {
				d.sayOf(p.place, p.handle, changed, "its slug is %q", shown(slug))
			}
		case d.redirects.add(p.handle, slug):
			d.sayOf(p.place, p.handle, changed, "its slug is %q; its old address is redirected", shown(slug))
		}
	}
}

// track tracks a product if its rows say how much there is of all that is sold.
func (d *Document) track(p *product) {
	sold := p.sold()
	if len(p.variants) > 0 && p.tracked {
		d.once(p.place, p.handle, leftOut, ownQuantity)
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
	if isNew && slices.ContainsFunc(sold, func(g *goods) bool { return g.tracked }) {
		d.once(sold[untracked].place, p.handle, changed, mixedTracked)
	}
	if isNew {
		p.members.set("track_stock", false)
	}
}

// sayUntracked says once for each file why goods are not tracked.
func (d *Document) sayUntracked(p *product, sold []*goods) {
	for _, g := range sold {
		switch g.untracked {
		case "":
		case noQuantities:
			d.once(place{file: g.file}, "", changed, noQuantities)
		default:
			d.once(g.place, p.handle, changed, g.untracked)
		}
	}
}

// sold are the variants that a table has, or the product itself if it has none.
func (p *product) sold() (all []*goods) {
	for _, v := range p.variants {
		if v.seen {
			all = append(all, v)
		}
	}
	if all == nil {
		all = append(all, &p.goods)
	}
	return all
}

// priced says which goods cannot be bought.
func (d *Document) priced(p *product) {
	if p.members.get("configurator") != nil || p.hasPrice() {
		return
	}
	for _, g := range p.sold() {
		if !g.hasPrice() {
			d.once(g.place, p.handle, info, noPrice)
		}
	}
}

func (g *goods) hasPrice() bool {
	return slices.ContainsFunc([]string{"price_amount", "group_prices", "tiers"}, func(name string) bool { return g.members.get(name) != nil })
}

// fit leaves out what is beyond the limits of a product's pictures, attributes and metadata: of their
// bytes those of its variants' pictures first.
func (d *Document) fit(p *product) {
	room := &room{d: d, p: p, left: commerce.MaxDisplayBytes}
	d.order(p, &p.goods)
	room.attributes(&p.goods)
	for _, v := range p.variants {
		d.order(p, v)
		room.attributes(v)
	}
	room.pictures(&p.goods)
	room.metadata(&p.goods)
	for _, v := range p.variants {
		room.metadata(v)
	}
	for _, v := range p.variants {
		room.pictures(v)
	}
}

// order puts the pictures into the order of their positions, and leaves out those beyond the limit. A
// picture without a position follows the one ahead of it.
func (d *Document) order(p *product, g *goods) {
	last := 0
	for i := range g.media {
		if g.media[i].position == 0 {
			g.media[i].position = last
		}
		last = g.media[i].position
	}
	slices.SortStableFunc(g.media, func(a, b picture) int { return a.position - b.position })
	for i := maxMedia; i < len(g.media); i++ {
		d.sayOf(g.media[i].place, p.handle, leftOut, "the picture %q is left out: there are at most %d", shown(g.media[i].url), maxMedia)
	}
	g.media = g.media[:min(len(g.media), maxMedia)]
}

// room is what is left of the bytes of a product.
type room struct {
	d    *Document
	p    *product
	left int
}

// takes reports whether a thing fits. If not, a note names it.
func (r *room) takes(at place, bytes int, what, name string) bool {
	if bytes > r.left {
		r.d.sayOf(at, r.p.handle, leftOut, "the %s %q is left out: a product with its variants has at most %d bytes of media, attributes and metadata",
			what, shown(name), commerce.MaxDisplayBytes)
		return false
	}
	r.left -= bytes
	return true
}

func (r *room) attributes(g *goods) {
	g.attributes = slices.DeleteFunc(g.attributes, func(m member) bool {
		return !r.takes(g.place, len(m.name)+textBytes(m.value), "attribute", m.name)
	})
}

func (r *room) metadata(g *goods) {
	g.metadata = slices.DeleteFunc(g.metadata, func(m member) bool {
		return !r.takes(g.place, len(m.name)+textBytes(m.value), "metadata", m.name)
	})
}

func (r *room) pictures(g *goods) {
	g.media = slices.DeleteFunc(g.media, func(one picture) bool {
		return !r.takes(one.place, len(one.url)+len(one.alt), "picture", one.url)
	})
}
