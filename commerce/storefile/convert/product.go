package convert

import (
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/internal/strictjson"
)

// goods are what products and variants share.
type goods struct {
	place // the row that it was made of
	id    uuid.UUID
	// members are those of the document, but for attributes, metadata, media, stock and variants.
	members    members
	attributes members
	metadata   members
	media      []picture
	stock      any
	// earlier is true if an earlier document has it, seen if a table has it, filled if a row has given
	// its price and stock.
	earlier, seen, filled bool
	// tracked is true if its row says how much there is; untracked says why not.
	tracked   bool
	untracked string
	// pictured is true if media has the pictures of a table in place of the earlier ones.
	pictured bool
}

func (g *goods) name() string { return g.members.text("name") }

// picture is a picture of a product or variant.
type picture struct {
	place
	position int // in the order of the table, 0 if it gives none
	url, alt string
}

func (p picture) members() members {
	m := members{{"url", p.url}}
	if p.alt != "" {
		m.set("alt", p.alt)
	}
	return m
}

// product is a product of the document.
type product struct {
	goods
	handle string
	// unnamed is true if the table gives no handle: it is the name.
	unnamed     bool
	options     [maxOptions]string
	first       map[field]string // cells of the first row
	variants    []*goods
	variantByID map[uuid.UUID]*goods
	variantName map[string]*goods
	// allVariants is true if the rows name all variants of the product.
	allVariants bool
	pictures    map[string]bool // the addresses of media
}

// product returns the product of a handle, new if no table had it yet: then it is that of the earlier
// document, or a new one.
func (d *Document) product(at place, handle string) (p *product, isNew bool) {
	if p = d.byHandle[handle]; p != nil {
		return p, false
	}
	id := d.id("product", handle)
	p = d.byID[id]
	if p == nil {
		p = d.bySlug[handle]
	}
	if p == nil || p.seen {
		for d.byID[id] != nil {
			id = d.id("product", id.String())
		}
		p = newProduct(id)
		d.byID[id] = p
		p.members = members{{"id", id}, {"requires_shipping", true}, {"track_stock", false}}
		d.products = append(d.products, p)
	}
	p.place, p.handle, p.seen = at, handle, true
	d.byHandle[handle] = p
	return p, true
}

func newProduct(id uuid.UUID) *product {
	return &product{goods: goods{id: id}, variantByID: map[uuid.UUID]*goods{}, variantName: map[string]*goods{}}
}

// variant returns a variant of the product that no row has given yet; nil with a note if there is no
// room or if a row has given it.
func (d *Document) variant(p *product, at place, name string) *goods {
	name = d.text(at, p.handle, "the name of a variant", name, MaxName)
	id := d.id("variant", p.handle+"\x00"+name)
	v := p.variantByID[id]
	if v == nil {
		v = p.variantName[name]
	}
	switch {
	case p.members.get("configurator") != nil:
		d.sayOf(at, p.handle, leftOut, "the variant %q is left out: the product is made to measure", shown(name))
		return nil
	case v != nil && v.seen:
		d.sayOf(at, p.handle, leftOut, "the row is left out: the product has the variant %q already, of %s", shown(name), d.where(at, v.place))
		return nil
	case v == nil && len(p.variants) == maxVariants:
		d.sayOf(at, p.handle, leftOut, "the variant %q is left out: a product has at most %d", shown(name), maxVariants)
		return nil
	case v == nil:
		v = &goods{id: id, members: members{{"id", id}}}
		p.addVariant(v)
	}
	v.place, v.seen, v.filled = at, true, true
	v.members.set("name", name)
	p.variantName[name] = v
	return v
}

func (p *product) addVariant(v *goods) {
	p.variants = append(p.variants, v)
	p.variantByID[v.id] = v
	if p.variantName[v.name()] == nil {
		p.variantName[v.name()] = v
	}
}

// where names a row that is seen from another one.
func (d *Document) where(from, to place) string {
	n := Note{File: d.files[to.file], Line: to.line}
	if from.file == to.file {
		n.File = "this file"
	}
	return strings.ReplaceAll(strings.TrimSuffix(n.String(), ": "), ": line", ", line")
}

// remember keeps cells of the product's first row, with which later rows are compared.
func (p *product) remember(r *row, fields ...field) {
	if p.first == nil {
		p.first = map[field]string{}
	}
	for _, f := range fields {
		p.first[f] = r.peek(f)
	}
}

// name sets a product's name.
func (d *Document) name(p *product, name string) {
	if name == "" && p.members.get("name") != nil {
		return
	}
	if name = d.text(p.place, p.handle, "the name", name, MaxName); name == "" {
		name = d.text(p.place, p.handle, "the name", p.handle, MaxName)
	}
	if name == "" {
		name = "Product"
	}
	p.members.set("name", name)
}

// describe sets a product's description, unless the table has none.
func (d *Document) describe(p *product, text string) {
	text, cleaned := lines(text)
	if cleaned {
		d.sayOf(p.place, p.handle, changed, "control characters of the description are left out")
	}
	if text != "" {
		p.members.set("description", text)
	}
}

// addCategories sets the categories of a product by their paths. Those of the earlier document stay if no
// table can have made them, or if there are no paths.
func (d *Document) addCategories(p *product, paths []string) {
	var ids []any
	has := map[uuid.UUID]bool{}
	add := func(id uuid.UUID) {
		if !has[id] {
			has[id] = true
			ids = append(ids, id)
		}
	}
	for _, id := range p.members.list("category_ids") {
		c := d.categories.byID[idOf(id)]
		if c != nil && d.id("category", c.path) != c.id {
			add(c.id)
		}
	}
	kept := len(ids)
	for _, path := range paths {
		if c := d.categoryOf(p.place, p.handle, path); c != nil {
			add(c.id)
		}
	}
	if len(ids) > kept {
		p.members.set("category_ids", ids)
	}
}

// attribute sets an attribute of a product or variant.
func (d *Document) attribute(p *product, to *goods, at place, whole, text string) {
	name := d.text(at, p.handle, "the name of an attribute", whole, maxAttributeName)
	text = d.text(at, p.handle, "the attribute "+name, text, maxAttributeText)
	switch {
	case text == "":
	case name == "":
		d.sayOf(at, p.handle, leftOut, "the option %q is left out: it has no name", shown(text))
	case name != whole && to.attributes.get(name) != nil:
		d.sayOf(at, p.handle, leftOut, "the attribute %q is left out: there is one of this name", shown(whole))
	case to.attributes.get(name) == nil && len(to.attributes) == maxAttributes:
		d.sayOf(at, p.handle, leftOut, "the attribute %q is left out: there are at most %d", shown(name), maxAttributes)
	default:
		to.attributes.set(name, text)
	}
}

// meta sets an entry of the metadata.
func (d *Document) meta(p *product, to *goods, at place, key, text string) {
	text = d.text(at, p.handle, "the "+strings.ReplaceAll(key, "_", " "), text, MaxName)
	switch {
	case text == "":
	case !to.hasRoom(key, text):
		d.sayOf(at, p.handle, leftOut, "the %s %q is left out: the metadata is full", strings.ReplaceAll(key, "_", " "), shown(text))
	default:
		to.metadata.set(key, text)
	}
}

// hasRoom reports whether the metadata can have an entry.
func (g *goods) hasRoom(key, text string) bool {
	bytes := len(key) + len(text)
	for _, m := range g.metadata {
		bytes += len(m.name) + textBytes(m.value)
	}
	return bytes <= commerce.MaxMetadataBytes && (g.metadata.get(key) != nil || len(g.metadata) < commerce.MaxMetadataKeys)
}

// sku sets an article number.
func (d *Document) sku(p *product, to *goods, at place, text string) {
	if text = d.text(at, p.handle, "the SKU", text, MaxName); text != "" {
		to.members.set("sku", text)
	}
}

// price sets a price. What is no price is left out.
func (d *Document) price(p *product, to *goods, r *row, f field) {
	text := r.get(f)
	if text == "" {
		return
	}
	cents, ok := r.amount(text)
	if !ok {
		d.sayOf(r.place, p.handle, leftOut, "the price %q is no number with at most two decimals: the entry has no price", shown(text))
		return
	}
	d.prices++
	to.members.set("price_amount", cents)
}

// compareAt keeps the price ahead of a reduction. An earlier one ends with the reduction.
func (d *Document) compareAt(p *product, to *goods, r *row, f field) {
	text := r.get(f)
	n, ok := r.number(text)
	switch {
	case !r.has(f):
	case text == "", ok && n.IsZero():
		to.metadata.remove(compareAtPrice)
	case !ok || n.IsNegative():
		d.sayOf(r.place, p.handle, leftOut, "the compare-at price %q is no price", shown(text))
	default:
		d.meta(p, to, r.place, compareAtPrice, n.StringFixed(max(2, -n.Exponent())))
	}
}

const compareAtPrice = "compare_at_price"

// weight sets a weight in grams. What is no weight is left out.
func (d *Document) weight(p *product, to *goods, r *row, f field) {
	text := r.get(f)
	grams, ok := r.grams(text)
	switch {
	case text == "":
	case !ok:
		d.sayOf(r.place, p.handle, leftOut, "the weight %q is no number of grams with at most three decimals: the entry has none", shown(text))
	case grams != "0":
		to.members.set("weight_grams", strictjson.Value(grams))
	}
}

// Texts of notes that are said once for a file.
const (
	noQuantities = "it has no column of quantities: the products are not tracked, so that they do not run out"
	noQuantity   = "the quantity is empty: the product is not tracked, so that it does not run out"
	mixedTracked = "a variant is not tracked: the whole product is not, so that it does not run out"
	ownQuantity  = "the quantity of the product's own row is left out: its variants have theirs"
	noPrice      = "it has no price: it cannot be bought"
)

// quantity sets what is on hand. An unreadable quantity counts as an empty one.
func (d *Document) quantity(p *product, to *goods, r *row, f field) {
	text := r.get(f)
	switch n, ok := r.number(text); {
	case !r.has(f):
		to.untracked = noQuantities
	case text == "":
		to.untracked = noQuantity
	case ok && n.IsNegative():
		d.sayOf(r.place, p.handle, changed, "the stock %s is below 0: it counts as 0", shown(text))
		to.stock, to.tracked = "0", true
	case !ok || !isStock(n):
		d.sayOf(r.place, p.handle, changed, "the stock %q is no number of at least 0 with at most six decimals: it counts as empty", shown(text))
		to.untracked = noQuantity
	default:
		to.stock, to.tracked = n.String(), true
	}
}

func isStock(n decimal.Decimal) bool {
	m, err := commerce.ParseMicros(n.String())
	return err == nil && m <= commerce.MaxStock
}

// picture adds a picture of a product or variant. Those of a table take the place of the earlier ones.
func (d *Document) picture(p *product, to *goods, at place, address, alt string, position int) {
	if address == "" {
		return
	}
	if reason := refusedPicture(address); reason != "" {
		d.sayOf(at, p.handle, leftOut, "the picture %q is left out: %s", shown(address), reason)
		return
	}
	if !to.pictured {
		to.media, to.pictured = nil, true
	}
	if to == &p.goods {
		if p.pictures == nil {
			p.pictures = map[string]bool{}
		}
		if p.pictures[address] {
			return // a repetition of one that the product has
		}
		p.pictures[address] = true
	}
	to.media = append(to.media, picture{place: at, position: position, url: address, alt: d.text(at, p.handle, "the alt text", alt, maxAlt)})
}

// refusedPicture says why an address cannot be that of a picture, "" if it can.
func refusedPicture(address string) string {
	u, err := url.Parse(address)
	_, long := shortened(address, maxMediaURL)
	switch {
	case long:
		return "its address is too long"
	case strings.ContainsFunc(address, isControl):
		return "its address has control characters"
	case strings.HasPrefix(address, "https://") && err == nil && u.Hostname() != "":
		return ""
	case strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//"):
		return ""
	}
	return "its address must begin with https:// or be a path"
}

// document is the product as a member of the document.
func (p *product) document() members {
	m := p.goods.document()
	if len(p.variants) > 0 {
		all := make([]any, len(p.variants))
		for i, v := range p.variants {
			all[i] = v.document()
		}
		m.set("variants", all)
	}
	return m.sorted(storefile.ProductMembers)
}

func (g *goods) document() members {
	m := g.members
	if g.stock != nil {
		m.set("stock", g.stock)
	}
	if len(g.media) > 0 {
		media := make([]any, len(g.media))
		for i := range g.media {
			media[i] = g.media[i].members()
		}
		m.set("media", media)
	}
	if len(g.attributes) > 0 {
		m.set("attributes", g.attributes)
	}
	if len(g.metadata) > 0 {
		m.set("metadata", g.metadata)
	}
	return m.sorted(storefile.ProductMembers)
}
