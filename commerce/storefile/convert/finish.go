package convert

import (
	"errors"
	"slices"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// errNoProduct refuses tables of which nothing is left.
var errNoProduct = errors.New("no product could be taken over")

// finish completes what only all tables together say.
func (d *Document) finish() error {
	d.readLater()
	if !slices.ContainsFunc(d.products, func(p *product) bool { return p.seen }) {
		return errNoProduct
	}
	d.products = slices.DeleteFunc(d.products, func(p *product) bool { return p.forgotten })
	d.nameSlugs()
	for _, p := range d.products {
		if !p.seen {
			if d.catalogued {
				d.hide(p)
			}
			continue
		}
		d.nameOptions(p)
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

// sold are the variants that a table has, or all if the tables do not name the variants; the product itself if it
// has none.
func (p *product) sold() (all []*goods) {
	for _, v := range p.variants {
		if v.seen || !p.allVariants {
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
	if p.isMadeToMeasure() || p.hasPrice() {
		return
	}
	for _, g := range p.sold() {
		if !g.hasPrice() {
			d.once(g.place, p.handle, unsold, noPrice)
		}
	}
}

const noPrice = "it has no price: it cannot be bought"

func (g *goods) hasPrice() bool {
	return slices.ContainsFunc(storefile.PriceMembers, func(name string) bool { return g.members.get(name) != nil })
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
