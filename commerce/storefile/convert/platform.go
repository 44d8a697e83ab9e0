package convert

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// platforms are the exports of other platforms that CSV knows by the columns of their first line.
var platforms = []struct {
	name    string
	columns []string
	kind    *kind
}{
	{"WooCommerce", []string{"type", "parent", "name", "published"}, wooTable},
	{"WooCommerce", []string{"type", "name", "regular price"}, wooTable},
	{"Medusa", []string{"product handle", "product title"}, medusaTable},
	{"Wix", []string{"handleid", "fieldtype"}, wixTable},
}

// platformOf returns the kind of a table that is the export of a platform, else the kind itself.
func (k *kind) platformOf(columns []column) (*kind, string) {
	if k != csvTable {
		return k, ""
	}
	has := map[string]bool{}
	for _, c := range columns {
		has[normal(c.name)] = true
	}
	for _, p := range platforms {
		all := true
		for _, name := range p.columns {
			all = all && has[name]
		}
		if all {
			return p.kind, p.name
		}
	}
	return k, ""
}

// numbered adds the columns of fields that are numbered from 1: their names have %d for the number.
func numbered(names map[field][]string, most int, patterns map[field][]string) map[field][]string {
	for f, all := range patterns {
		for n := 1; n <= most; n++ {
			at := f.at(n)
			for _, pattern := range all {
				names[at] = append(names[at], fmt.Sprintf(pattern, n))
			}
		}
	}
	return names
}

// at is a field with its number.
func (f field) at(n int) field { return field(fmt.Sprintf("%s %d", f, n)) }

// namedProduct is the product of an export that has no names for addresses: its handle is the slug of its
// name, with the export's own id where another product has it.
func (d *Document) namedProduct(r *row, name, id string) (p *product, isNew bool) {
	handle := slugOf(name)
	if handle == "" {
		handle = "product"
	}
	if other := d.byHandle[handle]; other != nil || slugOf(name) == "" {
		handle += "-" + slugOf(id)
	}
	return d.product(r.place, handle)
}

// attributeList sets an attribute with several texts.
func (d *Document) attributeList(p *product, at place, name string, texts []string) {
	var all []string
	has := map[string]bool{}
	for _, text := range texts {
		if text = d.text(at, p.handle, "the attribute "+shown(name), text, storefile.MaxAttributeText); text != "" && !has[text] {
			has[text] = true
			all = append(all, text)
		}
	}
	if len(all) > storefile.MaxAttributeTexts {
		d.sayOf(at, p.handle, leftOut, "only the first %d of %d texts of %s were taken over", storefile.MaxAttributeTexts, len(all), shown(name))
		all = all[:storefile.MaxAttributeTexts]
	}
	switch {
	case len(all) == 0:
	case len(all) == 1:
		d.attribute(p, &p.goods, at, name, all[0])
	default:
		d.attribute(p, &p.goods, at, name, all[0])
		if short := d.text(at, p.handle, "the name of an attribute", name, storefile.MaxAttributeName); p.attributes.get(short) != nil {
			p.attributes.set(short, listOf(all))
		}
	}
}

// option sets the value of a variant's option.
func (d *Document) option(p *product, v *goods, at place, name, value string) {
	if name == "" {
		name = "Option"
	}
	d.attribute(p, v, at, name, value)
}

// unescaped are texts without entities of HTML.
func unescaped(texts []string) []string {
	for i := range texts {
		texts[i] = strings.TrimSpace(html.UnescapeString(texts[i]))
	}
	return texts
}

// soldOut is stock that is not counted there, but is out: nothing of it is for sale.
func (g *goods) soldOut() {
	g.stock, g.tracked, g.isOut = "0", true, true
}

// backorder lets goods be sold ahead of their stock if a table says so, and not if it says no.
func (d *Document) backorder(p *product, to *goods, r *row, f field, yes ...string) {
	text := strings.ToLower(r.get(f))
	ahead, known := words[text]
	switch {
	case text == "" || !to.tracked:
	case slices.Contains(yes, text), known && ahead:
		if to.members.get("backorder") == nil {
			to.members.set("backorder", members{{"limit", mostAhead}})
			d.once(r.place, p.handle, stockChanged, soldAhead)
		}
	default:
		to.members.remove("backorder")
	}
}

// mostAhead is the greatest limit of a back order: the tables have none.
var mostAhead = commerce.MaxBackorder.String()

var soldAhead = "it may be sold beyond its stock there, without a limit: its back order has the limit " + mostAhead + ", lower it"

// hideSoldOut ends the sale of what is out of stock where its product is not tracked.
func (d *Document) hideSoldOut(p *product, sold []*goods) {
	for _, g := range sold {
		if g.isOut {
			g.members.set("active", false)
			d.sayOf(g.place, p.handle, hidden, "it is out of stock there, and the product is not tracked: it is not active")
		}
	}
}

const shared = "the variants share the quantity there: it is left out"

const notManaged = "the stock is not counted there: the product is not tracked, so that it does not run out"
