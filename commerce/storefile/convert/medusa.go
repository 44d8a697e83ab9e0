package convert

import (
	"strings"
)

// maxListed is the number of numbered columns of one kind, such as images, in exports of Medusa and Wix.
const maxListed = 100

// medusaTable is the product export of Medusa's admin, versions 1 and 2: one row a variant.
var medusaTable = &kind{
	needs: []field{"handle"},
	names: numbered(map[field][]string{
		"handle": {"Product Handle"}, "title": {"Product Title"}, "subtitle": {"Product Subtitle"}, "description": {"Product Description"},
		"status": {"Product Status"}, "thumbnail": {"Product Thumbnail"}, "weight": {"Product Weight"}, "type": {"Product Type"},
		"collection": {"Product Collection Title"}, "tags": {"Product Tags"}, "id": {"Product Id"},
		"variant id": {"Variant Id"}, "variant": {"Variant Title"}, "sku": {"Variant SKU"}, "barcode": {"Variant Barcode"}, "variant weight": {"Variant Weight"},
		"quantity": {"Variant Inventory Quantity"}, "manage": {"Variant Manage Inventory"}, "backorder": {"Variant Allow Backorder"},
		"price": {"Variant Price EUR", "Price EUR"},
	}, maxListed, map[field][]string{
		"image": {"Image %d Url", "Product Image %d Url", "Product Image %d"}, "tag": {"Product Tag %d"}, "category": {"Product Category %d Name"},
		"option": {"Option %d Name", "Variant Option %d Name"}, "value": {"Option %d Value", "Variant Option %d Value"},
	}),
	further: map[field][]string{"price": {"Variant Price USD", "Price USD", "Variant Price GBP", "Price GBP", "Variant Price CHF", "Price CHF"}},
	row:     (*Document).medusaRow,
}

// noMedusaOption are the values of the option of a product without variants.
var noMedusaOption = map[string]bool{"default": true, "default title": true, "default value": true, "default option value": true, "default variant": true}

func (d *Document) medusaRow(r *row) {
	handle := r.get("handle")
	if handle == "" {
		d.say(r.place, lost, "the row is left out: Product Handle is empty")
		return
	}
	p, isNew := d.product(r.place, handle)
	if isNew {
		p.allVariants = true
		d.medusaProduct(p, r)
	}
	for _, f := range []field{"id", "title", "subtitle", "description", "status", "thumbnail", "weight", "type", "collection", "tags", "variant id"} {
		r.get(f) // each row repeats them
	}
	var names, values []string
	for n := 1; n <= maxListed; n++ {
		r.get(field("image").at(n))
		r.get(field("tag").at(n))
		r.get(field("category").at(n))
		if name, value := r.get(field("option").at(n)), r.get(field("value").at(n)); value != "" {
			names, values = append(names, name), append(values, value)
		}
	}
	title := r.get("variant")
	if values == nil && title != "" {
		names, values = []string{"Variant"}, []string{title}
	}
	to := &p.goods
	switch {
	case len(values) > 1 || len(values) == 1 && !noMedusaOption[strings.ToLower(values[0])]:
		if to = d.variant(p, r.place, strings.Join(values, " / ")); to == nil {
			return
		}
		to.members.set("active", to.isActive())
		for i := range values {
			d.option(p, to, r.place, names[i], values[i])
		}
	case p.filled:
		d.sayOf(r.place, handle, lost, "the row is left out: the product has a row already, %s", d.where(r.place, p.place))
		return
	}
	to.filled = true
	p.rows++
	d.medusaGoods(p, to, r)
	d.leftovers(r, handle)
}

func (d *Document) medusaProduct(p *product, r *row) {
	d.name(p, r.get("title"))
	text := r.get("description")
	if text == "" {
		text = r.get("subtitle")
	}
	d.describe(p, text, true)
	switch status := strings.ToLower(r.get("status")); status {
	case "published":
		p.members.set("active", true)
	case "":
		p.members.set("active", p.isActive())
	default: // draft, proposed, rejected
		p.members.set("active", false)
	}
	d.usualTax(p)
	d.weight(p, &p.goods, r, "weight", gram)
	categories, tags := []string{r.get("collection"), r.get("type")}, strings.Split(r.get("tags"), ",")
	pictures := []string{r.get("thumbnail")}
	for n := 1; n <= maxListed; n++ {
		categories = append(categories, r.get(field("category").at(n)))
		tags = append(tags, r.get(field("tag").at(n)))
		pictures = append(pictures, r.get(field("image").at(n)))
	}
	d.addCategories(p, categories)
	for i := range tags {
		tags[i] = strings.TrimSpace(tags[i])
	}
	d.attributeList(p, r.place, "Tags", tags)
	for _, url := range pictures {
		d.picture(p, &p.goods, r.place, url, "", 0)
	}
}

func (d *Document) medusaGoods(p *product, to *goods, r *row) {
	d.sku(p, to, r.place, r.get("sku"))
	d.meta(p, to, r.place, "barcode", r.get("barcode"))
	d.weight(p, to, r, "variant weight", gram)
	d.price(p, to, r, "price")
	if r.has("price") && !strings.HasSuffix(strings.ToLower(r.name("price")), "eur") {
		d.once(r.place, p.handle, changed, "it has no column of prices in EUR: the numbers of "+shown(r.name("price"))+" are taken as they are")
	}
	if managed, known := words[strings.ToLower(r.get("manage"))]; known && !managed {
		r.get("quantity")
		r.get("backorder")
		return
	}
	d.quantity(p, to, r, "quantity")
	d.backorder(p, to, r, "backorder")
}
