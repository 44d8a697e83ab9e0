package convert

import (
	"fmt"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// product is a product of the document.
type product struct {
	goods
	handle string
	rows   int // of tables that were taken over
	// forgotten is true for a new product that a later row leaves out.
	forgotten bool
	// unnamed is true if the table gives no handle: it is the name.
	unnamed        bool
	options        [maxOptions]string
	unnamedOptions []unnamedOption
	first          map[field]string // cells of the first row
	variants       []*goods
	variantByID    map[uuid.UUID]*goods
	variantName    map[string]*goods
	// hadVariants is true if the earlier document has variants: its stock is then that of a component.
	hadVariants bool
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

// forget takes back a product of the tables, and returns how many rows it had.
func (d *Document) forget(handle string) int {
	p := d.byHandle[handle]
	if p == nil {
		return 0
	}
	p.seen, p.forgotten = false, !p.earlier
	return p.rows
}

func newProduct(id uuid.UUID) *product {
	return &product{goods: goods{id: id}, variantByID: map[uuid.UUID]*goods{}, variantName: map[string]*goods{}}
}

// variant returns a variant of the product that no row has given yet; nil with a note if there is no
// room or if a row has given it.
func (d *Document) variant(p *product, at place, name string) *goods {
	name = d.text(at, p.handle, "the name of a variant", name, commerce.MaxName)
	id := d.id("variant", p.handle+"\x00"+name)
	v := p.variantByID[id]
	if v == nil {
		v = p.variantName[name]
	}
	switch {
	case name == "":
		d.sayOf(at, p.handle, lost, "the row is left out: the name of the variant has control characters only")
		return nil
	case p.isMadeToMeasure():
		d.sayOf(at, p.handle, lost, "the variant %q is left out: the product is made to measure", shown(name))
		return nil
	case v != nil && v.seen:
		d.sayOf(at, p.handle, lost, "the row is left out: the product has the variant %q already, of %s", shown(name), d.where(at, v.place))
		return nil
	case v == nil && len(p.variants) == storefile.MaxVariants:
		d.sayOf(at, p.handle, lost, "the variant %q is left out: a product has at most %d", shown(name), storefile.MaxVariants)
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

// isMadeToMeasure reports whether an earlier document has made the product one to be configured.
func (p *product) isMadeToMeasure() bool { return p.members.get("configurator") != nil }

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
	if name = d.text(p.place, p.handle, "the name", name, commerce.MaxName); name == "" {
		name = d.text(p.place, p.handle, "the name", p.handle, commerce.MaxName)
	}
	if name == "" {
		name = "Product"
	}
	p.members.set("name", name)
}

// inHTML is said once for a file.
const inHTML = "the description is HTML: it became text, without the pictures and links in it"

// describe sets a product's description, unless the table has none. HTML becomes text.
func (d *Document) describe(p *product, text string, keepLines bool) {
	text, isHTML := plainText(text, keepLines)
	if isHTML {
		d.once(p.place, p.handle, changed, inHTML)
	}
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
	var given []uuid.UUID
	isGiven := map[uuid.UUID]bool{}
	for _, path := range paths {
		if c := d.categoryOf(p.place, p.handle, path); c != nil {
			given = append(given, c.id)
			isGiven[c.id] = true
		}
	}
	if given == nil {
		return
	}
	var ids []any
	has := map[uuid.UUID]bool{}
	add := func(id uuid.UUID) {
		if !has[id] {
			has[id] = true
			ids = append(ids, id)
		}
	}
	for _, v := range p.members.list("category_ids") {
		id := idOf(v)
		if c := d.categories.byID[id]; isGiven[id] || c != nil && d.id("category", c.path) != id {
			add(id)
		}
	}
	for _, id := range given {
		add(id)
	}
	p.members.set("category_ids", ids)
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

// taxRates are the rates of a document.
type taxRates struct {
	all   []any
	codes map[string]string // by rate, the first of each
	rates map[string]string // by code
}

func newTaxRates() taxRates {
	return taxRates{codes: map[string]string{}, rates: map[string]string{}}
}

// code returns the code of a rate in its shortest form, which it adds to the document.
func (t *taxRates) code(rate string) string {
	if code, ok := t.codes[rate]; ok {
		return code
	}
	name := "rate-" + strings.ReplaceAll(rate, ".", "-")
	code := name
	for n := 2; t.rates[code] != ""; n++ {
		code = fmt.Sprintf("%s-%d", name, n)
	}
	t.codes[rate], t.rates[code] = code, rate
	t.all = append(t.all, members{{"code", code}, {"rate", rate}})
	return code
}

// taxOf sets a product's rate. Of several codes of one rate that of the earlier document stays.
func (d *Document) taxOf(p *product, rate string) {
	if d.taxes.rates[p.members.text("tax")] != rate {
		p.members.set("tax", d.taxes.code(rate))
	}
}

// usualTax gives a product without a rate the usual one.
func (d *Document) usualTax(p *product) {
	if p.members.get("tax") == nil {
		p.members.set("tax", d.tax)
	}
}
