package convert

import (
	"slices"
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
	// count is the stock that rows of an inventory add up to; countedAt is the first of them.
	count     decimal.Decimal
	countedAt place
	// isOut is true if it is out of stock without being counted.
	isOut bool
	// pictured is true if media has the pictures of a table in place of the earlier ones.
	pictured bool
}

func (g *goods) name() string { return g.members.text("name") }

// attribute sets an attribute of a product or variant.
func (d *Document) attribute(p *product, to *goods, at place, whole, text string) {
	name := d.text(at, p.handle, "the name of an attribute", whole, storefile.MaxAttributeName)
	text = d.text(at, p.handle, "the attribute "+name, text, storefile.MaxAttributeText)
	switch {
	case text == "":
	case name == "":
		d.sayOf(at, p.handle, leftOut, "the option %q is left out: it has no name", shown(text))
	case name != whole && to.attributes.get(name) != nil:
		d.sayOf(at, p.handle, leftOut, "the attribute %q is left out: there is one of this name", shown(whole))
	case to.attributes.get(name) == nil && len(to.attributes) == storefile.MaxAttributes:
		d.sayOf(at, p.handle, leftOut, "the attribute %q is left out: there are at most %d", shown(name), storefile.MaxAttributes)
	default:
		to.attributes.set(name, text)
	}
}

// meta sets an entry of the metadata.
func (d *Document) meta(p *product, to *goods, at place, key, text string) {
	text = d.text(at, p.handle, "the "+strings.ReplaceAll(key, "_", " "), text, commerce.MaxName)
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

// gram is the unit of tables that weigh in grams.
var gram = decimal.NewFromInt(1)

// sku sets an article number.
func (d *Document) sku(p *product, to *goods, at place, text string) {
	if text = d.text(at, p.handle, "the SKU", text, commerce.MaxName); text != "" {
		to.members.set("sku", text)
	}
}

// price sets a price. A cell that is not a price is left out.
func (d *Document) price(p *product, to *goods, r *row, f field) {
	text := r.get(f)
	if text == "" {
		return
	}
	cents, ok := r.amount(text)
	switch {
	case p.isMadeToMeasure():
		d.sayOf(r.place, p.handle, unpriced, "the price %q is left out: the product is made to measure", shown(text))
		return
	case !ok:
		d.sayOf(r.place, p.handle, unpriced, "the price %q is no number with at most two decimals: the entry has no price", shown(text))
		return
	}
	to.members.set("price_amount", cents)
}

// compareAt keeps the price ahead of a reduction, which is above the price. An earlier one ends with the
// reduction.
func (d *Document) compareAt(p *product, to *goods, r *row, f field) {
	text := r.get(f)
	n, ok := r.number(text)
	switch {
	case !r.has(f):
	case text == "", ok && n.IsZero():
		to.metadata.remove(compareAtPrice)
	case !ok || n.IsNegative():
		d.sayOf(r.place, p.handle, leftOut, "the compare-at price %q is no price", shown(text))
	case !p.isReduced(to, n):
		to.metadata.remove(compareAtPrice)
	default:
		d.meta(p, to, r.place, compareAtPrice, n.StringFixed(max(2, -n.Exponent())))
	}
}

// isReduced reports whether a price is above that of the product or variant, or whether that has none.
func (p *product) isReduced(g *goods, from decimal.Decimal) bool {
	for _, priced := range []*goods{g, &p.goods} {
		switch v := priced.members.get("price_amount").(type) {
		case int64:
			return from.Shift(2).GreaterThan(decimal.NewFromInt(v))
		case strictjson.Value:
			cents, err := decimal.NewFromString(string(v))
			return err != nil || from.Shift(2).GreaterThan(cents)
		}
	}
	return true
}

const compareAtPrice = "compare_at_price"

// weight sets a weight, given in a unit of so many grams. A cell that is not a weight is left out.
func (d *Document) weight(p *product, to *goods, r *row, f field, unit decimal.Decimal) {
	text := r.get(f)
	grams, ok := r.grams(text, unit)
	switch {
	case text == "":
	case !ok:
		d.sayOf(r.place, p.handle, leftOut, "the weight %q is no weight: the entry has none", shown(text))
	case grams != "0":
		to.members.set("weight_grams", strictjson.Value(grams))
	}
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
