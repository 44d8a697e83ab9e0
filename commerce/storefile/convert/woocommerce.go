package convert

import (
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"cartd/commerce/storefile"
)

// wooTable is WooCommerce's product export (Products, Export) in English.
var wooTable = &kind{
	needs: []field{"name"},
	names: numbered(map[field][]string{
		"id": {"ID"}, "type": {"Type"}, "sku": {"SKU"}, "name": {"Name"}, "parent": {"Parent"},
		"published": {"Published"}, "visibility": {"Visibility in catalog", "Visibility in catalogue"},
		"short": {"Short description"}, "description": {"Description"},
		"sale from": {"Date sale price starts"}, "sale until": {"Date sale price ends"}, "sale price": {"Sale price"}, "regular price": {"Regular price"},
		"tax status": {"Tax status"}, "tax class": {"Tax class"}, "in stock": {"In stock?"}, "stock": {"Stock"}, "backorders": {"Backorders allowed?"},
		"weight kg": {"Weight (kg)"}, "weight g": {"Weight (g)"}, "weight lbs": {"Weight (lbs)", "Weight (lb)"}, "weight oz": {"Weight (oz)"},
		"categories": {"Categories"}, "tags": {"Tags"}, "brands": {"Brands", "Brand"}, "images": {"Images"}, "barcode": {"GTIN, UPC, EAN, or ISBN"},
	}, storefile.MaxAttributes, map[field][]string{
		"attribute": {"Attribute %d name"}, "values": {"Attribute %d value(s)"},
		"flags": {"Attribute %d visible", "Attribute %d global", "Attribute %d default"},
	}),
	row: func(d *Document, r *row) { d.wooRows = append(d.wooRows, r.clone()) },
}

// wooWeights are the units of the columns of weights, in grams.
var wooWeights = map[field]decimal.Decimal{
	"weight kg": decimal.NewFromInt(1000), "weight g": gram,
	"weight lbs": decimal.RequireFromString("453.59237"), "weight oz": decimal.RequireFromString("28.349523125"),
}

// wooProduct is a product of the export with its attributes. gone says why it is left out.
type wooProduct struct {
	*product
	attributes []wooAttribute
	used       map[string]bool // by a variation
	virtual    int             // variations that are not delivered
	gone       string
}

type wooAttribute struct {
	name   string
	values []string
}

// readWoo reads the rows of WooCommerce: products first, for a variation may stand ahead of its product.
func (d *Document) readWoo() {
	products, order := map[string]*wooProduct{}, []*wooProduct{}
	for _, r := range d.wooRows {
		if types := wooTypes(r); !types["variation"] {
			p := d.wooProduct(r, types)
			for _, key := range []string{r.get("sku"), "id:" + r.get("id")} {
				if key != "" && key != "id:" && products[key] == nil {
					products[key] = p
				}
			}
			order = append(order, p)
		}
	}
	for _, r := range d.wooRows {
		if types := wooTypes(r); types["variation"] {
			d.wooVariation(r, types, products[r.get("parent")])
		}
	}
	for _, p := range order {
		d.finishWoo(p)
	}
	d.wooRows = nil
}

// wooTypes are the words of a row's type, such as variation and virtual.
func wooTypes(r *row) map[string]bool {
	return setOf(strings.ReplaceAll(strings.ToLower(r.get("type")), ",", " "))
}

func (d *Document) wooProduct(r *row, types map[string]bool) *wooProduct {
	w := &wooProduct{used: map[string]bool{}}
	name := html.UnescapeString(r.get("name"))
	switch {
	case types["grouped"]:
		w.gone = "it is a group of other products"
	case types["external"]:
		w.gone = "it is sold elsewhere"
	case name == "":
		w.gone = "it has no name"
	}
	if w.gone != "" {
		d.sayOf(r.place, name, lost, "the product is left out: %s", w.gone)
		return w
	}
	id := r.get("id")
	if id == "" {
		id = r.get("sku")
	}
	p, isNew := d.namedProduct(r, name, id)
	if !isNew {
		w.gone = "a row has it already"
		d.sayOf(r.place, p.handle, lost, "the row is left out: the product has a row already, %s", d.where(r.place, p.place))
		return w
	}
	w.product, p.allVariants, p.rows = p, true, 1
	d.name(p, name)
	d.describe(p, wooText(r), true)
	d.wooStatus(p, r)
	d.wooTax(p, r)
	p.members.set("requires_shipping", !types["virtual"])
	d.addCategories(p, unescaped(wooList(r.get("categories"))))
	d.attributeList(p, r.place, "Tags", unescaped(wooList(r.get("tags"))))
	d.attributeList(p, r.place, "Brand", unescaped(wooList(r.get("brands"))))
	w.attributes = wooAttributes(r)
	for _, url := range addresses(r.get("images")) {
		d.picture(p, &p.goods, r.place, url, "", 0)
	}
	if types["variable"] {
		d.sku(p, &p.goods, r.place, r.get("sku"))
		d.wooWeight(p, &p.goods, r)
		if r.get("stock") != "" {
			d.once(r.place, p.handle, stockLeftOut, shared)
		}
		for _, f := range []field{"in stock", "backorders", "regular price", "sale price", "sale from", "sale until"} {
			r.get(f)
		}
	} else {
		d.wooGoods(p, &p.goods, r)
	}
	d.leftovers(r, p.handle)
	return w
}

// wooText is the short description ahead of the long one. The export writes a line end as \n.
func wooText(r *row) string {
	texts := []string{r.get("short"), r.get("description")}
	texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" })
	return strings.ReplaceAll(strings.Join(slices.Compact(texts), "\n\n"), `\n`, "\n")
}

// wooStatus reads whether a product is for sale. 1 is published, 0 private and -1 a draft.
func (d *Document) wooStatus(p *product, r *row) {
	active := d.flag(r, p.handle, "published", p.isActive())
	if strings.EqualFold(r.get("visibility"), "hidden") && active {
		active = false
		d.sayOf(r.place, p.handle, hidden, "it is hidden in the catalogue there: it is not active")
	}
	p.members.set("active", active)
}

// wooTax sets a product's rate: the usual one, or none.
func (d *Document) wooTax(p *product, r *row) {
	class := strings.ToLower(r.get("tax class"))
	switch status := strings.ToLower(r.get("tax status")); {
	case status == "none", status == "shipping", class == "zero-rate":
		d.taxOf(p, "0")
	case class != "" && class != "standard" && class != "parent":
		d.once(r.place, p.handle, changed, "the tax class "+shown(class)+" has no rate in the export: the product got "+d.taxes.rates[d.tax])
	}
	d.usualTax(p)
}

// wooList splits a list at its commas. A comma within an entry is escaped.
func wooList(text string) (all []string) {
	const comma = "\x00"
	for _, entry := range strings.Split(strings.ReplaceAll(text, `\,`, comma), ",") {
		if entry = strings.TrimSpace(strings.ReplaceAll(entry, comma, ",")); entry != "" {
			all = append(all, entry)
		}
	}
	return all
}

func wooAttributes(r *row) (all []wooAttribute) {
	for n := 1; n <= storefile.MaxAttributes; n++ {
		name, values := r.get(field("attribute").at(n)), unescaped(wooList(r.get(field("values").at(n))))
		r.all(field("flags").at(n))
		if name != "" {
			all = append(all, wooAttribute{html.UnescapeString(name), values})
		}
	}
	return all
}

// wooVariation adds a variant to the product of its parent.
func (d *Document) wooVariation(r *row, types map[string]bool, w *wooProduct) {
	handle := html.UnescapeString(r.get("name"))
	switch {
	case w == nil:
		d.sayOf(r.place, handle, lost, "the variation is left out: its parent %q is in no table", shown(r.get("parent")))
		return
	case w.gone != "":
		d.sayOf(r.place, handle, lost, "the variation is left out, as its product is: %s", w.gone)
		return
	}
	p := w.product
	p.rows++
	choices := w.choices(wooAttributes(r))
	for _, values := range choices {
		var texts []string
		for _, a := range values {
			texts = append(texts, a.values[0])
		}
		name := strings.Join(texts, " / ")
		if name == "" {
			name = handle
		}
		v := d.variant(p, r.place, name)
		if v == nil {
			continue
		}
		v.members.set("active", d.flag(r, p.handle, "published", true))
		for i, a := range values {
			d.option(p, v, r.place, a.name, texts[i])
		}
		for _, url := range addresses(r.get("images")) {
			d.picture(p, v, r.place, url, "", 0)
		}
		if types["virtual"] {
			w.virtual++
		}
		d.wooGoods(p, v, r)
		if len(choices) > 1 && v.tracked && !v.isOut {
			v.stock, v.tracked, v.untracked = nil, false, notManaged
			d.once(r.place, p.handle, stockLeftOut, shared)
		}
	}
	for _, f := range []field{"tax status", "tax class", "categories", "tags", "visibility", "id", "name", "short", "description"} {
		r.get(f)
	}
	d.leftovers(r, p.handle)
}

// choices are the values of a variation's attributes. One without a value stands for any value of its product's,
// so such a variation is several variants.
func (w *wooProduct) choices(attributes []wooAttribute) (all [][]wooAttribute) {
	all = [][]wooAttribute{nil}
	for _, a := range attributes {
		w.used[a.name] = true
		values := []string{strings.Join(a.values, ", ")}
		if a.values == nil {
			values = nil
			for _, of := range w.attributes {
				if of.name == a.name {
					values = of.values
				}
			}
		}
		if len(values) == 0 || len(all)*len(values) > storefile.MaxVariants {
			continue
		}
		var next [][]wooAttribute
		for _, chosen := range all {
			for _, value := range values {
				next = append(next, append(slices.Clip(chosen), wooAttribute{a.name, []string{value}}))
			}
		}
		all = next
	}
	return all
}

// finishWoo sets the attributes that are no options, and whether all variants are virtual.
func (d *Document) finishWoo(w *wooProduct) {
	if w.gone != "" {
		return
	}
	for _, a := range w.attributes {
		if !w.used[a.name] {
			d.attributeList(w.product, w.place, a.name, a.values)
		}
	}
	switch {
	case w.virtual > 0 && w.virtual == len(w.variants):
		w.members.set("requires_shipping", false)
	case w.virtual > 0:
		d.sayOf(w.place, w.handle, leftOut, "%d of its variants need no delivery there: here it counts for the whole product", w.virtual)
	}
}

// wooGoods reads what a product without variants and a variation have.
func (d *Document) wooGoods(p *product, to *goods, r *row) {
	d.sku(p, to, r.place, r.get("sku"))
	d.meta(p, to, r.place, "barcode", r.get("barcode"))
	d.wooWeight(p, to, r)
	sale, dated := r.get("sale price"), r.get("sale from")+r.get("sale until") != ""
	regular := r.get("regular price")
	switch {
	case sale != "" && !dated:
		d.price(p, to, r, "sale price")
		d.compareAt(p, to, r, "regular price")
	default:
		to.metadata.remove(compareAtPrice)
		d.price(p, to, r, "regular price")
		if sale != "" && regular != sale {
			d.sayOf(r.place, p.handle, leftOut, "the sale price %q is left out, for it is dated: write it as a dated price (price_periods)", shown(sale))
		}
	}
	text, in := r.get("stock"), strings.ToLower(r.get("in stock"))
	out, known := words[in]
	switch {
	case text != "" && text != "parent":
		d.quantity(p, to, r, "stock")
		d.backorder(p, to, r, "backorders", "notify")
		return
	case known && !out:
		to.soldOut()
	default:
		to.untracked = notManaged
	}
	r.get("backorders")
}

func (d *Document) wooWeight(p *product, to *goods, r *row) {
	for _, f := range slices.Sorted(maps.Keys(wooWeights)) {
		if r.has(f) {
			d.weight(p, to, r, f, wooWeights[f])
		}
	}
}
