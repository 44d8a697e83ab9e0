package convert

import (
	"fmt"
	"strconv"
	"strings"

	"cartd/commerce/storefile"
)

// noOptions is the value of Shopify's option Title of a product without variants.
const noOptions = "Default Title"

const maxOptions = 3

// shopifyTable is Shopify's product export. Shopify has renamed most of its columns: the names of
// earlier exports stand first.
var shopifyTable = &kind{
	needs: []field{"handle", "sku"},
	lacks: "it has no column Handle or URL handle: give Shopify's own product export",
	names: map[field][]string{
		"handle":      {"Handle", "URL handle"},
		"title":       {"Title"},
		"description": {"Body (HTML)", "Description"},
		"vendor":      {"Vendor"},
		"category":    {"Product Category", "Standardized Product Type", "Standard Product Type"},
		"type":        {"Type", "Custom Product Type"},
		"tags":        {"Tags"},
		"published":   {"Published", "Published on online store"},
		"status":      {"Status"},
		"gift card":   {"Gift Card"},

		"option1 name": {"Option1 Name"}, "option1 value": {"Option1 Value"},
		"option2 name": {"Option2 Name"}, "option2 value": {"Option2 Value"},
		"option3 name": {"Option3 Name"}, "option3 value": {"Option3 Value"},

		"sku":         {"Variant SKU", "SKU"},
		"barcode":     {"Variant Barcode", "Barcode"},
		"price":       {"Variant Price", "Price"},
		"compare at":  {"Variant Compare At Price", "Compare-at price"},
		"grams":       {"Variant Grams", "Weight value (grams)"},
		"weight unit": {"Variant Weight Unit", "Weight unit for display"},
		"tracker":     {"Variant Inventory Tracker", "Inventory tracker"},
		"quantity":    {"Variant Inventory Qty", "Inventory quantity"},
		"policy":      {"Variant Inventory Policy", "Continue selling when out of stock"},
		"fulfillment": {"Variant Fulfillment Service", "Fulfillment service"},
		"shipping":    {"Variant Requires Shipping", "Requires shipping"},
		"taxable":     {"Variant Taxable", "Charge tax"},

		"location":  {"Location"}, // of an inventory export
		"available": {"Available", "Available (not editable)"},
		"on hand":   {"On hand", "On hand (current)"},

		"image":         {"Image Src", "Product image URL"},
		"position":      {"Image Position"},
		"alt":           {"Image Alt Text"},
		"variant image": {"Variant Image", "Variant image URL"},
	},
	row: (*Document).shopifyRow,
}

// Shopify adds the products of Shopify's product export (Products, Export, CSV). The rows of one
// product have one handle; the first has the product, further ones a variant or a picture. They may go
// on in another file. Its inventory export, and a table of SKUs without handles, say something about
// products of other tables or of the earlier document. Errors: of a file that is no table, or that lacks the
// columns of handles and SKUs.
func (d *Document) Shopify(file string, data []byte) error { return d.read(shopifyTable, file, data) }

func (d *Document) shopifyRow(r *row) {
	switch {
	case r.has("location") && (r.has("available") || r.has("on hand")):
		d.later(r, (*Document).inventoryRow)
		return
	case !r.has("handle"):
		d.later(r, (*Document).shopifyRowOfSKU)
		return
	}
	d.catalogued = true
	handle := r.get("handle")
	switch n := d.gone[handle]; {
	case handle == "":
		d.say(r.place, lost, "the row is left out: Handle is empty")
		return
	case n != nil:
		n.Rows++
		return
	case d.flag(r, handle, "gift card", false):
		n := d.sayOf(r.place, handle, lost, "the product is left out: it is a gift card")
		n.Rows += d.forget(handle)
		d.gone[handle] = n
		return
	}
	p, isNew := d.product(r.place, handle)
	if isNew || p.first["title"] == "" && r.peek("title") != "" {
		d.shopifyProduct(p, r)
	}
	p.rows++
	p.allVariants = p.allVariants || r.has("option1 value")
	d.optionNames(p, r)
	position, _ := strconv.Atoi(r.get("position"))
	d.picture(p, &p.goods, r.place, r.get("image"), r.get("alt"), max(position, 0))
	switch of := p.ofProduct(strings.TrimPrefix(r.peek("sku"), "'")); {
	case r.get("option1 value") != "" || isNew && r.get("price") != "" && !p.hadVariants:
		if !d.shopifyGoods(p, r) {
			return
		}
		d.shopifyLater(p, r)
	case r.has("option1 value") || !p.earlier || of == nil || of.filled:
	case r.peek("sku") != "" || isNew:
		of.filled = true
		d.shopifyCells(p, of, r)
		d.shopifyLater(p, r)
	}
	r.get("weight unit") // only how a weight is shown
	for _, f := range []field{"title", "description", "vendor", "category", "type", "tags", "published", "status"} {
		if p.first[f] == r.peek(f) {
			r.get(f)
		}
	}
	d.leftovers(r, handle)
}

// shopifyProduct reads the cells of a product's first row. It is the one with the title: other rows may
// stand in a file that was given ahead of it.
func (d *Document) shopifyProduct(p *product, r *row) {
	p.remember(r, "title", "description", "vendor", "category", "type", "tags", "published", "status", "taxable", "shipping")
	d.name(p, r.get("title"))
	d.describe(p, r.get("description"), false)
	d.shopifyStatus(p, r)
	d.attribute(p, &p.goods, r.place, "Brand", r.get("vendor"))
	d.tags(p, r)
	d.addCategories(p, []string{r.get("category"), r.get("type")})
	switch zero := d.taxes.rates[p.members.text("tax")] == "0"; {
	case !d.flag(r, p.handle, "taxable", true):
		d.taxOf(p, "0")
	case zero:
		p.members.set("tax", d.tax)
	}
	d.usualTax(p)
	if r.peek("shipping") != "" {
		p.members.set("requires_shipping", d.flag(r, p.handle, "shipping", true))
	}
}

// shopifyStatus reads whether a product is for sale. Without both cells it is as it was.
func (d *Document) shopifyStatus(p *product, r *row) {
	if r.peek("published") == "" && r.peek("status") == "" {
		p.members.set("active", p.isActive())
		return
	}
	active := d.flag(r, p.handle, "published", true)
	switch status := strings.ToLower(r.get("status")); status {
	case "", "active":
	case "draft", "archived":
		active = false
	default:
		active = false
		d.sayOf(r.place, p.handle, changed, "the status %q is none of active, draft and archived: the product is not active", shown(status))
	}
	p.members.set("active", active)
}

// tags makes an attribute of the product's tags.
func (d *Document) tags(p *product, r *row) {
	var tags []string
	has := map[string]bool{}
	for _, cell := range r.all("tags") {
		for _, tag := range strings.Split(cell, ",") {
			if tag = strings.TrimSpace(tag); tag != "" && !has[tag] {
				has[tag] = true
				tags = append(tags, tag)
			}
		}
	}
	if len(tags) > storefile.MaxAttributeTexts {
		d.sayOf(r.place, p.handle, leftOut, "only the first %d of %d tags were taken over", storefile.MaxAttributeTexts, len(tags))
		tags = tags[:storefile.MaxAttributeTexts]
	}
	for i := range tags {
		tags[i] = d.text(r.place, p.handle, "a tag", tags[i], storefile.MaxAttributeText)
	}
	if tags != nil {
		p.attributes.set("Tags", listOf(tags))
	}
}

// optionNames reads the names of a product's options. They stand in its first row.
func (d *Document) optionNames(p *product, r *row) {
	for n := range p.options {
		f := field(fmt.Sprintf("option%d name", n+1))
		if p.options[n] != "" || r.peek(f) == "" {
			if p.first[f] == r.peek(f) {
				r.get(f)
			}
			continue
		}
		p.remember(r, f)
		name := d.text(r.place, p.handle, "the name of an option", r.get(f), storefile.MaxAttributeName)
		for i := range p.options {
			if p.options[i] == name {
				short, _ := shortened(name, storefile.MaxAttributeName-2)
				name = fmt.Sprintf("%s %d", short, n+1)
			}
		}
		p.options[n] = name
	}
}

// unnamedOption is the value of an option whose name a later row may give: files may come in any order.
type unnamedOption struct {
	to     *goods
	at     place
	option int
	text   string
}

// nameOptions sets the options that were read ahead of their names.
func (d *Document) nameOptions(p *product) {
	for _, o := range p.unnamedOptions {
		d.attribute(p, o.to, o.at, p.options[o.option], o.text)
	}
}

// shopifyGoods reads the cells of a variant, or of a product without variants. It returns false if the
// row is left out.
func (d *Document) shopifyGoods(p *product, r *row) bool {
	values := optionValues(r)
	var options []int
	for n := range p.options {
		if r.peek(optionValue(n)) != "" {
			options = append(options, n)
		}
	}
	to := &p.goods
	switch {
	case len(values) > 0 && (len(values) > 1 || values[0] != noOptions):
		if to = d.variant(p, r.place, strings.Join(values, " / ")); to == nil {
			return false
		}
		to.members.set("active", to.isActive())
		for i, value := range values {
			if o := (unnamedOption{to, r.place, options[i], value}); p.options[o.option] == "" {
				p.unnamedOptions = append(p.unnamedOptions, o)
				continue
			}
			d.attribute(p, to, r.place, p.options[options[i]], value)
		}
		d.picture(p, to, r.place, r.get("variant image"), "", 0)
	case p.filled:
		d.sayOf(r.place, p.handle, lost, "the row is left out: the product has a row already, %s", d.where(r.place, p.place))
		return false
	}
	to.filled = true
	d.shopifyCells(p, to, r)
	return true
}

func optionValue(n int) field { return field(fmt.Sprintf("option%d value", n+1)) }

// optionValues are the values of a variant's options.
func optionValues(r *row) (values []string) {
	for n := range maxOptions {
		if value := r.get(optionValue(n)); value != "" {
			values = append(values, value)
		}
	}
	return values
}

// shopifyRowOfSKU reads a row that names no product.
func (d *Document) shopifyRowOfSKU(r *row) {
	o, ok := d.bySKU(r, shopifySKU(r))
	if !ok {
		return
	}
	d.shopifyCells(o.p, o.g, r)
	d.leftovers(r, o.p.handle)
}

// shopifyCells reads the cells of a variant, or of a product without variants.
func (d *Document) shopifyCells(p *product, to *goods, r *row) {
	d.sku(p, to, r.place, shopifySKU(r))
	d.price(p, to, r, "price")
	d.compareAt(p, to, r, "compare at")
	d.weight(p, to, r, "grams", gram)
	d.meta(p, to, r.place, "barcode", strings.TrimPrefix(r.get("barcode"), "'"))
	if r.peek("fulfillment") == "manual" {
		r.get("fulfillment")
	}
	if r.get("tracker") == "" && r.has("tracker") {
		if quantity := r.get("quantity"); quantity != "" && quantity != "0" {
			d.once(r.place, p.handle, stockLeftOut, notTracked)
		}
		r.get("policy")
		return
	}
	d.quantity(p, to, r, "quantity")
	d.backorder(p, to, r, "policy", "continue")
}

const notTracked = "the quantity is left out: the inventory is not tracked there"

// shopifyLater says where a variant has other tax or shipping than the product's first row.
func (d *Document) shopifyLater(p *product, r *row) {
	for _, f := range []field{"taxable", "shipping"} {
		text := r.peek(f)
		if text == "" || text == p.first[f] {
			r.get(f)
			continue
		}
		if first, known := words[strings.ToLower(p.first[f])]; d.flag(r, p.handle, f, true) != (first || !known) {
			d.sayOf(r.place, p.handle, leftOut, "%s %q is left out: it counts for the whole product, in its first row", r.name(f), shown(text))
		}
	}
}
