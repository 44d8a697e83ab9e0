package convert

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Template is a table with every column, two products and three variants.
const Template = `product,name,variant,sku,price,stock,tax,unit,weight_grams,active,requires_shipping,categories,description,pictures,attribute:Colour,attribute:Size
mug,Mug,,MUG-1,8.50,120,21,piece,350,yes,yes,Kitchen > Cups; Gifts,A mug for tea.,https://example.com/mug.jpg https://example.com/mug-side.jpg,,
shirt,Shirt,Red / M,SH-R-M,19.95,12,21,piece,180,yes,yes,Clothes > Shirts,Cotton.,https://example.com/shirt-red.jpg,Red,M
shirt,,Red / L,SH-R-L,19.95,0,,,180,,,,,,Red,L
shirt,,Blue / M,SH-B-M,21.95,7,,,180,,,,,https://example.com/shirt-blue.jpg,Blue,M
`

const attributePrefix = "attribute:"

// Columns are the columns of the table; further ones begin with attribute: and name an attribute.
var Columns = []string{
	"product", "name", "variant", "sku", "price", "stock", "tax", "unit", "weight_grams", "active", "requires_shipping", "categories",
	"description", "pictures",
}

// CSV adds the products of a table to the document: one row a product or a variant. The column
// product groups the rows of one product. Errors: of a table that is no CSV, or lacks the column
// product.
func (d *Document) CSV(file string, data []byte) error {
	d.file = file
	lacking := false
	err := read(data, func(columns []string, r *row) {
		if lacking = !hasColumn(columns, "product"); !lacking {
			d.csvRow(columns, r)
		}
	})
	if lacking {
		err = errors.New("it has no column product: see cartd convert csv --template")
	}
	return wrapped(file, err)
}

func wrapped(file string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", file, err)
}

func (d *Document) csvRow(columns []string, r *row) {
	handle := r.get("product")
	if handle == "" {
		d.note(r.line, "the row was left out: product is empty")
		return
	}
	p, isNew := d.product(handle)
	if isNew {
		d.csvProduct(p, handle, r)
	}
	target := &p.goods
	switch name := r.get("variant"); {
	case name != "" && p.hasVariant(name):
		d.note(r.line, "the row was left out: the product has the variant %q already", name)
		return
	case name != "":
		target = d.variant(p, handle, name)
	case !isNew:
		d.note(r.line, "the row was left out: the product %q has a row already, and this one names no variant", handle)
		return
	}
	d.csvGoods(p, target, columns, r)
	if left := r.left(columns); len(left) > 0 {
		d.note(r.line, "not taken over: %s", strings.Join(left, ", "))
	}
}

// csvProduct reads the cells that belong to the product. They stand in its first row.
func (d *Document) csvProduct(p *product, handle string, r *row) {
	p.Name = r.get("name")
	if p.Name == "" {
		p.Name = handle
	}
	p.Description = r.get("description")
	p.Tax = d.csvTax(r)
	p.Active = d.flag(r, "active")
	p.RequiresShipping = d.flag(r, "requires_shipping")
	p.Unit = r.get("unit")
	for _, path := range strings.Split(r.get("categories"), ";") {
		if c := d.categoryOf(path); c != nil && !slices.Contains(p.CategoryIDs, c.ID) {
			p.CategoryIDs = append(p.CategoryIDs, c.ID)
		}
	}
}

func (d *Document) csvTax(r *row) string {
	rate := strings.TrimSuffix(r.get("tax"), "%")
	if rate == "" {
		return d.taxCode(d.options.Tax)
	}
	if _, ok := number(rate); !ok {
		d.note(r.line, "tax %q is no percentage: the product got %s", rate, d.options.Tax)
		return d.taxCode(d.options.Tax)
	}
	return d.taxCode(rate)
}

// flag reads yes or no; an empty cell is yes.
func (d *Document) flag(r *row, column string) bool {
	switch text := strings.ToLower(r.get(column)); text {
	case "", "yes", "true", "1":
		return true
	case "no", "false", "0":
		return false
	default:
		d.note(r.line, "%s %q is neither yes nor no: it counts as yes", column, text)
		return true
	}
}

// csvGoods reads the cells that belong to the product or to the variant of the row.
func (d *Document) csvGoods(p *product, to *goods, columns []string, r *row) {
	to.SKU = r.get("sku")
	d.price(to, r, "price")
	d.weight(to, r, "weight_grams")
	if stock := r.get("stock"); stock != "" {
		d.stock(p, to, r, stock)
	}
	for _, url := range strings.Fields(r.get("pictures")) {
		to.Media = append(to.Media, medium{URL: url})
	}
	for _, column := range columns {
		if name, is := strings.CutPrefix(column, attributePrefix); is {
			to.attribute(strings.TrimSpace(name), r.get(column))
		}
	}
	for _, name := range []string{"name", "description", "tax", "active", "requires_shipping", "unit", "categories"} {
		if r.get(name) != "" && to != &p.goods && len(p.Variants) > 1 {
			d.note(r.line, "%s counts in the product's first row only", name)
		}
	}
}

func (g *goods) attribute(name, text string) {
	if name == "" || text == "" {
		return
	}
	if g.Attributes == nil {
		g.Attributes = map[string]any{}
	}
	g.Attributes[name] = text
}

func (d *Document) price(to *goods, r *row, column string) {
	text := r.get(column)
	if text == "" {
		return
	}
	cents, ok := amount(text)
	if !ok {
		d.note(r.line, "the price %q is no number with at most two decimals and a dot: the entry has no price", text)
		return
	}
	to.PriceAmount = &cents
}

func (d *Document) weight(to *goods, r *row, column string) {
	text := r.get(column)
	n, ok := number(text)
	switch {
	case text == "":
	case !ok || n.IsNegative():
		d.note(r.line, "the weight %q is no number: the entry has none", text)
	case !n.IsZero():
		to.WeightGrams = json.Number(n.String())
	}
}

// stock sets what is on hand, and tracks the product's stock from then on.
func (d *Document) stock(p *product, to *goods, r *row, text string) {
	p.TrackStock = true
	n, ok := number(text)
	if !ok || n.IsNegative() {
		d.note(r.line, "the stock %q is no number of at least 0: it counts as 0", text)
		n = n.Sub(n)
	}
	to.Stock = n.String()
}
