package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// Options are what the tables do not say about the store.
type Options struct {
	// Store is the store's id. The ids of products, variants and categories derive from it and from
	// their names, so that a later conversion makes the same ids.
	Store uuid.UUID
	// Name is the store's name; "" is that of the earlier document, else Shop.
	Name string
	// Tax is the rate in percent of products whose row names none; "" is the first rate of the earlier
	// document, else 21.
	Tax string
}

const (
	defaultName = "Shop"
	defaultTax  = "21"
)

// Document is a store document that is being made.
type Document struct {
	options Options
	files   []string
	notes   []*Note
	said    map[onceKey]*Note

	// members are those of an earlier document, in its order.
	members      members
	tax          string // the code of the rate of products that name none
	taxes        taxRates
	categories   *categories
	products     []*product
	byHandle     map[string]*product
	byID         map[uuid.UUID]*product
	bySlug       map[string]*product // of the earlier document
	productSlugs slugs
	redirects    redirects
	// gone are the products that were left out whole, by their handles.
	gone map[string]*Note
	// kept are rows that are read after all tables, counted the goods whose stock they add up. skus are the
	// goods by their article numbers.
	kept    []func()
	counted []owner
	skus    map[string][]owner
	// wooRows are rows of WooCommerce's export; wix are the products of Wix's, also in their order.
	wooRows  []*row
	wix      map[string]*wixProduct
	wixOrder []*wixProduct
	// catalogued is true if a table has products: those that are in no table are not for sale any more.
	catalogued bool
	// prices is the number of rows of a table csv that have a price.
	prices int
}

// New begins a document.
func New(o Options) *Document {
	d := &Document{
		options: o, files: []string{""}, said: map[onceKey]*Note{},
		byHandle: map[string]*product{}, byID: map[uuid.UUID]*product{}, bySlug: map[string]*product{},
		productSlugs: newSlugs(), categories: newCategories(), redirects: newRedirects(), taxes: newTaxRates(),
		gone: map[string]*Note{}, wix: map[string]*wixProduct{},
	}
	name := o.Name
	if name == "" {
		name = defaultName
	}
	d.members = members{
		{"format", int64(1)},
		{"store", members{
			{"id", o.Store}, {"name", name}, {"modules", listOf([]string{"catalog", "commerce", "stock", "customers"})}, {"prices_include_tax", true},
		}},
		{"tax_rates", nil}, {"categories", nil}, {"products", nil},
	}
	d.setTax(defaultTax)
	return d
}

// setTax sets the rate of products that name none, to the one of the options if they have one.
func (d *Document) setTax(rate string) {
	if d.options.Tax != "" {
		rate = d.options.Tax
	}
	if short, ok := shortPercent(rate); ok {
		rate = short
	}
	d.tax = d.taxes.code(rate)
}

// id derives the id of a thing of the store.
func (d *Document) id(kind, name string) uuid.UUID {
	return uuid.NewSHA1(d.options.Store, []byte(kind+"\x00"+name))
}

// Products and Categories are the numbers of them in the document.
func (d *Document) Products() int   { return len(d.products) }
func (d *Document) Categories() int { return len(d.categories.all) }

// JSON is the document's text, indented. Errors: of tables that make no shop.
func (d *Document) JSON() ([]byte, error) {
	if err := d.finish(); err != nil {
		return nil, err
	}
	d.members.set("tax_rates", d.taxes.all)
	d.members.set("categories", listOf(d.categories.members()))
	products := make([]any, len(d.products))
	for i, p := range d.products {
		products[i] = p.document()
	}
	d.members.set("products", products)
	if len(d.redirects.all) > 0 {
		d.members.set("redirects", d.redirects.all)
	}
	var b bytes.Buffer
	err := json.Indent(&b, appendValue(nil, d.members), "", "  ")
	b.WriteByte('\n')
	return b.Bytes(), err
}

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
