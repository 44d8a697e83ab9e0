package convert

import (
	"slices"
	"strings"
)

// owner is a product or a variant of it.
type owner struct {
	p *product
	g *goods
}

// ownersOf are the products and variants that have an article number.
func (d *Document) ownersOf(sku string) []owner {
	if d.skus == nil {
		d.skus = map[string][]owner{}
		for _, p := range d.products {
			for _, g := range append([]*goods{&p.goods}, p.variants...) {
				if sku := g.members.text("sku"); sku != "" {
					d.skus[sku] = append(d.skus[sku], owner{p, g})
				}
			}
		}
	}
	return d.skus[sku]
}

// later keeps a row that names no product of its own until all tables are read, so that tables may come in
// any order.
func (d *Document) later(r *row, read func(d *Document, r *row)) {
	kept := r.clone()
	d.kept = append(d.kept, func() { read(d, kept) })
}

// clone is a row that stays when the next one is read.
func (r *row) clone() *row {
	kept := *r
	kept.cells, kept.texts, kept.taken = slices.Clone(r.cells), slices.Clone(r.texts), slices.Clone(r.taken)
	return &kept
}

// readLater reads the kept rows, and sets the stock that they add up to.
func (d *Document) readLater() {
	d.readWoo()
	d.finishWix()
	d.skus = nil
	for _, read := range d.kept {
		read()
	}
	for _, c := range d.counted {
		if isStock(c.g.count) {
			c.g.stock, c.g.tracked = c.g.count.String(), true
		} else {
			d.sayOf(c.g.countedAt, c.p.handle, stockLeftOut, "the stock %s is beyond what there may be: it is left out", c.g.count)
		}
	}
}

// bySKU finds the product or variant of a row that names no product. The row is left out with a note if
// there is not exactly one.
func (d *Document) bySKU(r *row, sku string) (o owner, ok bool) {
	switch owners := d.ownersOf(sku); {
	case sku == "":
		d.say(r.place, lost, "the row is left out: it names no product and no SKU")
	case len(owners) == 0:
		d.say(r.place, lost, "the row is left out: no product has the SKU %q", shown(sku))
	case len(owners) > 1:
		d.say(r.place, lost, "the row is left out: several products have the SKU %q", shown(sku))
	default:
		d.see(owners[0].p, r.place)
		return owners[0], true
	}
	return owner{}, false
}

// see notes that a table has a product of the earlier document or of another table.
func (d *Document) see(p *product, at place) {
	if p.seen {
		return
	}
	if !d.isConverted(p) {
		p.handle = p.members.text("slug")
	}
	p.place, p.seen = at, true
	d.byHandle[p.handle] = p
}

// ofProduct is the product itself, or its variant with an article number; nil if there is none.
func (p *product) ofProduct(sku string) *goods {
	if len(p.variants) == 0 {
		return &p.goods
	}
	if sku != "" {
		for _, v := range p.variants {
			if v.members.text("sku") == sku {
				return v
			}
		}
	}
	return nil
}

// shopifySKU is an article number, without the quote that keeps spreadsheets from reading a number.
func shopifySKU(r *row) string { return strings.TrimPrefix(r.get("sku"), "'") }

// inventoryRow reads a row of Shopify's inventory export: one for each variant and location. What is
// available at all locations together is the stock. The table makes no products.
func (d *Document) inventoryRow(r *row) {
	handle, sku := r.get("handle"), shopifySKU(r)
	values := optionValues(r)
	for _, f := range []field{"title", "option1 name", "option2 name", "option3 name"} {
		r.get(f)
	}
	o, found := owner{}, false
	if p := d.find(handle); p != nil {
		o.p = p
		if len(values) > 0 {
			o.g = p.variantName[strings.Join(values, " / ")]
		}
		if o.g == nil {
			o.g = p.ofProduct(sku)
		}
		if found = o.g != nil; found {
			d.see(p, r.place)
		}
	}
	if !found {
		if o, found = d.bySKU(r, sku); !found {
			return
		}
	}
	r.get("location")
	text, onHand := r.get("available"), r.get("on hand")
	if text == "" {
		text = onHand
	}
	switch n, ok := r.number(text); {
	case text == "", strings.EqualFold(text, "not stocked"):
	case !ok || !isStock(n.Abs()):
		d.sayOf(r.place, o.p.handle, stockLeftOut, "the stock %q is no number: it is left out", shown(text))
	case o.g.countedAt == place{}:
		o.g.count, o.g.countedAt = n, r.place
		d.counted = append(d.counted, o)
	default:
		o.g.count = o.g.count.Add(n)
	}
	d.leftovers(r, o.p.handle)
}

// find returns a product that a table or the earlier document has.
func (d *Document) find(handle string) *product {
	if p := d.byHandle[handle]; p != nil || handle == "" {
		return p
	}
	if p := d.byID[d.id("product", handle)]; p != nil {
		return p
	}
	return d.bySlug[handle]
}
