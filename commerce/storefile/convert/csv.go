package convert

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cartd/commerce"
)

// Template is a table with every column, two products and three variants.
const Template = `product,name,variant,sku,price,compare_at_price,stock,tax,unit,weight_grams,active,requires_shipping,categories,description,pictures,` +
	`attribute:Colour,attribute:Size
mug,Mug,,MUG-1,8.50,9.95,120,21,piece,350,yes,yes,Kitchen > Cups; Gifts,A mug for tea.,https://example.com/mug.jpg https://example.com/mug-side.jpg,,
shirt,Shirt,Red / M,SH-R-M,19.95,,12,21,piece,180,yes,yes,Clothes > Shirts,Cotton.,https://example.com/shirt-red.jpg,Red,M
shirt,,Red / L,SH-R-L,19.95,,0,,,180,,,,,,Red,L
shirt,,Blue / M,SH-B-M,21.95,,7,,,180,,,,,https://example.com/shirt-blue.jpg,Blue,M
`

// attributePrefix begins the name of a column that is an attribute.
const attributePrefix = "attribute:"

// Columns are the columns of the table; further ones begin with attribute: and name an attribute.
var Columns = []string{
	"product", "name", "variant", "sku", "price", "compare_at_price", "stock", "tax", "unit", "weight_grams", "active", "requires_shipping", "categories",
	"description", "pictures",
}

// csvTable is the kind of table that Template shows. Tables of other systems name their columns in
// obvious words.
var csvTable = &kind{
	needs:  []field{"product", "name", "sku"},
	prefix: attributePrefix,
	lacks:  "it has no column product: see cartd convert csv --template",
	names:  csvNames(),
	further: map[field][]string{
		"product":           {"handle", "url handle", "slug", "url key", "product handle", "product id"},
		"name":              {"title", "product name", "product title", "item name", "item"},
		"variant":           {"variant name", "variant title", "variation", "option"},
		"sku":               {"article number", "item number", "product code", "variant sku"},
		"price":             {"unit price", "regular price", "retail price", "sales price", "variant price", "price (eur)", "price eur", "price (€)", "price €"},
		"compare at price":  {"variant compare at price", "list price", "old price", "rrp"},
		"stock":             {"quantity", "qty", "inventory", "stock quantity", "stock level", "inventory quantity", "variant inventory qty", "on hand"},
		"tax":               {"vat", "tax rate", "vat rate", "tax %", "vat %"},
		"weight grams":      {"weight (grams)", "weight (g)", "weight g", "grams", "variant grams"},
		"active":            {"published", "enabled", "visible"},
		"requires shipping": {"shipping", "shippable", "variant requires shipping"},
		"categories":        {"category", "product category", "product categories", "collection", "collections"},
		"description":       {"product description", "long description", "body", "body (html)"},
		"pictures": {
			"picture", "image", "images", "photo", "photos", "image url", "image urls", "picture url", "picture urls", "image src", "product image url",
		},
	},
	row: (*Document).csvRow,
}

// csvNames are the columns by their own names.
func csvNames() map[field][]string {
	names := map[field][]string{}
	for _, name := range Columns {
		names[field(normal(name))] = []string{name}
	}
	return names
}

// CSV adds the products of a table to the document: one row a product or a variant. The column
// product groups the rows of one product; rows of a table that has neither it nor name say something about
// the product or variant of their SKU. Errors: of a file that is no table, that has none of these columns,
// or of which no row
// has a price; over an earlier document a table of stock may lack the column.
func (d *Document) CSV(file string, data []byte) error {
	before := d.prices
	if err := d.read(csvTable, file, data); err != nil {
		return err
	}
	if d.prices == before {
		return fmt.Errorf("%s: %w", file, errNoPrices)
	}
	return nil
}

var errNoPrices = errors.New("no row has a price: the column is named price, and a price is a number such as 19.95")

func (d *Document) csvRow(r *row) {
	if _, priced := r.amount(r.peek("price")); priced || !r.has("price") && r.has("stock") && d.files[0] != "" {
		d.prices++ // also of a row that is left out, as in a file that repeats another
	}
	if !r.has("product") && !r.has("name") {
		d.prices++
		d.later(r, (*Document).csvRowOfSKU)
		return
	}
	d.catalogued = true
	handle, unnamed := r.get("product"), false
	if !r.has("product") {
		handle, unnamed = r.get("name"), true
	}
	if handle == "" {
		d.say(r.place, lost, "the row is left out: product is empty")
		return
	}
	p, isNew := d.product(r.place, handle)
	if isNew {
		p.unnamed = unnamed
		d.csvProduct(p, r)
	}
	p.allVariants = p.allVariants || r.has("variant")
	to := &p.goods
	switch name := r.get("variant"); {
	case name != "":
		if to = d.variant(p, r.place, name); to == nil {
			return
		}
		to.members.set("active", to.isActive())
	case !r.has("variant") && p.hadVariants:
		if to = p.ofProduct(r.peek("sku")); to == nil && r.peek("sku") != "" {
			d.sayOf(r.place, handle, lost, "the row is left out: no variant of the product has the SKU %q", shown(r.peek("sku")))
			return
		} else if to == nil && isNew {
			to = &p.goods
		}
		if to == nil || to.filled {
			d.sayOf(r.place, handle, lost, "the row is left out: the product has a row already, and this one names no other variant")
			return
		}
		to.filled = true
	case !isNew:
		d.sayOf(r.place, handle, lost, "the row is left out: the product has a row already, and this one names no variant")
		return
	}
	d.csvGoods(p, to, r)
	if !isNew {
		d.csvLater(p, r)
	}
	d.leftovers(r, handle)
}

// csvRowOfSKU reads a row that names no product.
func (d *Document) csvRowOfSKU(r *row) {
	o, ok := d.bySKU(r, r.get("sku"))
	if !ok {
		return
	}
	d.csvGoods(o.p, o.g, r)
	d.leftovers(r, o.p.handle)
}

// csvProduct reads the cells that belong to the product. They stand in its first row.
func (d *Document) csvProduct(p *product, r *row) {
	p.remember(r, firstRow...)
	d.name(p, r.get("name"))
	d.describe(p, r.get("description"), false)
	d.csvTax(p, r)
	p.members.set("active", d.flag(r, p.handle, "active", p.isActive()))
	if r.get("requires shipping") != "" {
		p.members.set("requires_shipping", d.flag(r, p.handle, "requires shipping", true))
	}
	d.unit(p, r)
	var paths []string
	for _, cell := range r.all("categories") {
		paths = append(paths, strings.Split(cell, ";")...)
	}
	d.addCategories(p, paths)
}

func (d *Document) csvTax(p *product, r *row) {
	text := r.get("tax")
	rate, ok := r.percent(text)
	switch {
	case ok:
		d.taxOf(p, rate)
	case text != "":
		d.sayOf(r.place, p.handle, changed, "tax %q is no percentage: the product got %s", shown(text), d.taxes.rates[d.tax])
	}
	d.usualTax(p)
}

// csvGoods reads the cells that belong to the product or to the variant of the row.
func (d *Document) csvGoods(p *product, to *goods, r *row) {
	d.sku(p, to, r.place, r.get("sku"))
	d.price(p, to, r, "price")
	d.compareAt(p, to, r, "compare at price")
	d.weight(p, to, r, "weight grams", gram)
	d.quantity(p, to, r, "stock")
	for _, cell := range r.all("pictures") {
		for _, url := range addresses(cell) {
			d.picture(p, to, r.place, url, "", 0)
		}
	}
	for _, c := range r.cells {
		if c.column >= len(r.columns) {
			break
		}
		f := r.columns[c.column].field
		if name, is := strings.CutPrefix(string(f), attributePrefix); is {
			d.attribute(p, to, r.place, name, r.get(f))
		}
	}
}

// firstRow are the fields of a product's first row. Later rows may repeat them.
var firstRow = []field{"name", "description", "tax", "active", "requires shipping", "unit", "categories"}

// csvLater says which cells of a later row are not those of the product's first row.
func (d *Document) csvLater(p *product, r *row) {
	for _, f := range firstRow {
		if text := r.get(f); text != "" && text != p.first[f] {
			d.sayOf(r.place, p.handle, leftOut, "%s %q is left out: it counts in the product's first row", r.name(f), shown(text))
		}
	}
}

var units = commerce.UnitNames()

// unit sets the unit of quantities.
func (d *Document) unit(p *product, r *row) {
	text := r.get("unit")
	switch {
	case text == "":
	case slices.Contains(units, strings.ToLower(text)):
		p.members.set("unit", strings.ToLower(text))
	default:
		d.sayOf(r.place, p.handle, changed, "the unit %q is none of %s: it counts as piece", shown(text), strings.Join(units, ", "))
	}
}
