package convert

import (
	"bytes"

	"github.com/google/uuid"

	"cartd/internal/strictjson"
)

// Base sets an earlier document of the store, which must have passed the check. The tables are laid over
// it, and it keeps every member that they do not own. Base is called before any table is read. It returns
// an error if the text is not JSON.
func (d *Document) Base(name string, data []byte) error {
	root, err := strictjson.Parse(bytes.TrimPrefix(bytes.Clone(data), []byte("\ufeff")))
	if err != nil {
		return err
	}
	d.files[0] = name
	d.members = membersOf(root)
	if d.options.Name != "" {
		v, _ := root.Get("store")
		store := membersOf(v)
		store.set("name", d.options.Name)
		d.members.set("store", store)
	}
	d.baseTaxes(d.members.list("tax_rates"))
	d.baseCategories(d.members.list("categories"))
	for _, v := range d.members.list("redirects") {
		d.redirects.base(v)
	}
	for _, v := range d.members.list("products") {
		d.baseProduct(membersOf(v))
	}
	for _, p := range d.products {
		if !d.isConverted(p) {
			d.bySlug[p.members.text("slug")] = p
		}
	}
	return nil
}

// idOf reads an id, which the check has found good.
func idOf(v strictjson.Value) uuid.UUID {
	id, _ := uuid.Parse(v.Text())
	return id
}

func (d *Document) baseTaxes(rates []strictjson.Value) {
	d.taxes = newTaxRates()
	usual := ""
	for _, v := range rates {
		m := membersOf(v)
		rate, _ := shortPercent(m.text("rate"))
		code := m.text("code")
		d.taxes.all = append(d.taxes.all, v)
		d.taxes.rates[code] = rate
		if d.taxes.codes[rate] == "" {
			d.taxes.codes[rate] = code
		}
		if usual == "" {
			usual = rate
		}
	}
	if usual == "" {
		usual = defaultTax
	}
	d.setTax(usual)
}

// baseCategories takes over the categories. A parent may follow its children.
func (d *Document) baseCategories(all []strictjson.Value) {
	byID := map[uuid.UUID]*category{}
	list := make([]*category, len(all))
	for i, v := range all {
		m := membersOf(v)
		list[i] = &category{members: m, id: uuid.MustParse(m.text("id"))}
		byID[list[i].id] = list[i]
		d.categories.slugs.used[m.text("slug")] = true
	}
	for _, c := range list {
		c.place(byID)
		d.categories.add(c)
	}
}

// place sets a category's parent, level and path.
func (c *category) place(byID map[uuid.UUID]*category) {
	if c.level > 0 {
		return
	}
	c.level, c.path = 1, c.name()
	if parent, err := uuid.Parse(c.members.text("parent_id")); err == nil {
		c.parent = byID[parent]
		c.parent.place(byID)
		c.level, c.path = c.parent.level+1, c.parent.path+" > "+c.name()
	}
}

func (d *Document) baseProduct(m members) {
	p := newProduct(uuid.MustParse(m.text("id")))
	variants := m.list("variants")
	p.hadVariants = len(variants) > 0
	m.remove("variants")
	p.base(m)
	for _, v := range variants {
		m := membersOf(v)
		variant := &goods{id: uuid.MustParse(m.text("id"))}
		variant.base(m)
		p.addVariant(variant)
	}
	d.products = append(d.products, p)
	d.byID[p.id] = p
	d.productSlugs.used[p.members.text("slug")] = true
}

// base sets goods from the members of an earlier document.
func (g *goods) base(m members) {
	g.earlier = true
	g.attributes, g.metadata = membersOf(m.take("attributes")), membersOf(m.take("metadata"))
	if stock := m.take("stock"); stock != nil {
		g.stock = stock
	}
	for _, v := range m.list("media") {
		one := membersOf(v)
		g.media = append(g.media, picture{url: one.text("url"), alt: one.text("alt")})
	}
	m.remove("media")
	g.members = m
}

// isConverted reports whether a conversion has made the product: its id derives from the handle that
// its slug or a redirect to it tells.
func (d *Document) isConverted(p *product) bool {
	slug := p.members.text("slug")
	handles := d.redirects.handles[address(slug)]
	for _, handle := range append([]string{slug, p.name()}, handles...) {
		if d.id("product", handle) == p.id {
			p.handle = handle
			return true
		}
	}
	return false
}

// hide ends the sale of a product that a conversion had made and that no table has any more. It stays
// in the document: discounts may name it.
func (d *Document) hide(p *product) {
	if p.isActive() && d.isConverted(p) {
		p.members.set("active", false)
		d.sayOf(place{}, p.handle, hidden, "it is in no table: it is not active any more")
	}
}

// hideVariants removes the variants that a conversion had made and that no table has any more.
func (d *Document) hideVariants(p *product) {
	if !p.allVariants {
		return
	}
	kept := p.variants[:0]
	for _, v := range p.variants {
		if v.earlier && !v.seen && v.id == d.id("variant", p.handle+"\x00"+v.name()) {
			d.sayOf(place{}, p.handle, lost, "the variant %q is in no table: it is left out", shown(v.name()))
			continue
		}
		kept = append(kept, v)
	}
	p.variants = kept
}

func (g *goods) isActive() bool {
	switch v := g.members.get("active").(type) {
	case bool:
		return v
	case strictjson.Value:
		return v.Bool()
	}
	return true
}
