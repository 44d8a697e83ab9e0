package convert

import (
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// The numbers of options, of further texts and of a shopper's texts in Wix's export.
const (
	wixOptions = 6
	wixInfos   = 6
	wixTexts   = 2
)

// wixTable is Wix's product export (Store Products, Export): a row for each product, followed by one for
// each variant.
var wixTable = &kind{
	needs: []field{"handle"},
	names: numbered(numbered(map[field][]string{
		"handle": {"handleId"}, "type": {"fieldType"}, "name": {"name"}, "description": {"description"}, "images": {"productImageUrl"},
		"collection": {"collection"}, "sku": {"sku"}, "price": {"price"}, "surcharge": {"surcharge"}, "visible": {"visible"},
		"discount mode": {"discountMode"}, "discount": {"discountValue"}, "inventory": {"inventory"}, "weight": {"weight"}, "brand": {"brand"},
	}, wixOptions, map[field][]string{
		"option": {"productOptionName%d"}, "option type": {"productOptionType%d"}, "value": {"productOptionDescription%d"},
		"info": {"additionalInfoTitle%d"}, "info text": {"additionalInfoDescription%d"},
	}), wixTexts, map[field][]string{"text": {"customTextField%d"}, "text limit": {"customTextCharLimit%d"}, "text mandatory": {"customTextMandatory%d"}}),
	row: (*Document).wixRow,
}

// wixProduct is a product of the export whose variants may follow.
type wixProduct struct {
	*product
	options  []wixOption
	price    decimal.Decimal
	priced   bool
	discount func(decimal.Decimal) decimal.Decimal
	out      bool // out of stock as a whole
	counted  bool // counted as a whole
}

type wixOption struct {
	name, kind string
	values     []string
}

// wixMedia is where Wix has the pictures that an export names by their files.
const wixMedia = "https://static.wixstatic.com/media/"

func (d *Document) wixRow(r *row) {
	id := r.get("handle")
	switch w := d.wix[id]; {
	case id == "":
		d.say(r.place, lost, "the row is left out: handleId is empty")
	case strings.EqualFold(r.get("type"), "variant"):
		if w == nil {
			d.say(r.place, lost, "the row is left out: no product of the table has the handleId %q", shown(id))
			return
		}
		d.wixVariant(w, r)
	case w != nil:
		d.sayOf(r.place, w.handle, lost, "the row is left out: the product has a row already, %s", d.where(r.place, w.place))
	default:
		d.wixProduct(r, id)
	}
}

func (d *Document) wixProduct(r *row, id string) {
	p, isNew := d.namedProduct(r, r.get("name"), id)
	if !isNew {
		d.sayOf(r.place, p.handle, lost, "the row is left out: the product has a row already, %s", d.where(r.place, p.place))
		return
	}
	w := &wixProduct{product: p, discount: wixDiscount(r)}
	d.wix[id] = w
	d.wixOrder = append(d.wixOrder, w)
	p.rows, p.allVariants = 1, true
	d.name(p, r.get("name"))
	d.describe(p, wixText(r), false)
	p.members.set("active", d.flag(r, p.handle, "visible", p.isActive()))
	d.usualTax(p)
	d.addCategories(p, strings.Split(r.get("collection"), ";"))
	d.attribute(p, &p.goods, r.place, "Brand", r.get("brand"))
	d.sku(p, &p.goods, r.place, r.get("sku"))
	for _, name := range strings.Split(r.get("images"), ";") {
		if name = strings.TrimSpace(name); name != "" && !strings.Contains(name, "/") {
			name = wixMedia + name
		}
		d.picture(p, &p.goods, r.place, name, "", 0)
	}
	d.wixTexts(p, r)
	d.wixOptions(w, r)
	if text := r.get("price"); text != "" {
		if w.price, w.priced = r.number(text); w.priced {
			d.wixPrice(w, &p.goods, r, w.price)
		} else {
			d.price(p, &p.goods, r, "price")
		}
	}
	w.counted = d.wixStock(w, &p.goods, r)
	w.out = p.isOut
	if n, ok := r.number(r.get("weight")); ok && !n.IsZero() {
		d.once(r.place, p.handle, leftOut, "the weight is left out: the export does not say in which unit it is")
	}
	d.leftovers(r, p.handle)
}

// wixText is the description with the further texts below it.
func wixText(r *row) string {
	text := r.get("description")
	for n := 1; n <= wixInfos; n++ {
		title, info := r.get(field("info").at(n)), r.get(field("info text").at(n))
		if info != "" {
			text += "<p>" + title + "</p><p>" + info + "</p>"
		}
	}
	return text
}

// wixOptions reads the options of a product. A colour has its code beside its name.
func (d *Document) wixOptions(w *wixProduct, r *row) {
	for n := 1; n <= wixOptions; n++ {
		name, kind := r.get(field("option").at(n)), r.get(field("option type").at(n))
		var values []string
		for _, value := range strings.Split(r.get(field("value").at(n)), ";") {
			if value = wixValue(kind, value); value != "" {
				values = append(values, value)
			}
		}
		if name != "" && values != nil {
			w.options = append(w.options, wixOption{name, kind, values})
		}
	}
}

// wixValue is the name of an option's value, without the code of a colour.
func wixValue(kind, text string) string {
	text = strings.TrimSpace(text)
	code, name, both := strings.Cut(text, ":")
	if both && strings.EqualFold(kind, "COLOR") {
		if strings.HasPrefix(name, "#") || strings.HasPrefix(name, "rgb") {
			code, name = name, code
		}
		if name = strings.TrimSpace(name); name == "" {
			return strings.TrimSpace(code)
		}
		return name
	}
	return text
}

// wixTexts are the texts of a shopper. Those of an earlier document stay.
func (d *Document) wixTexts(p *product, r *row) {
	var all []any
	for n := 1; n <= wixTexts; n++ {
		label := d.text(r.place, p.handle, "the label of a text", r.get(field("text").at(n)), commerce.MaxTextFieldLabel)
		limit, required := r.get(field("text limit").at(n)), r.get(field("text mandatory").at(n))
		if label == "" {
			continue
		}
		m := members{{"key", "text-" + strconv.Itoa(n)}, {"label", label}, {"required", words[strings.ToLower(required)]}}
		if most, err := strconv.ParseInt(limit, 10, 64); err == nil && most > 0 {
			m.set("max_length", min(most, commerce.MaxPropertyLength))
		}
		all = append(all, m)
	}
	if all != nil && p.members.get("text_fields") == nil {
		p.members.set("text_fields", all)
	}
}

// wixDiscount is the reduction of a product's prices.
func wixDiscount(r *row) func(decimal.Decimal) decimal.Decimal {
	mode, value := strings.ToUpper(r.get("discount mode")), decimal.Zero
	if n, ok := r.number(r.get("discount")); ok && n.IsPositive() {
		value = n
	}
	return func(price decimal.Decimal) decimal.Decimal {
		if mode == "PERCENT" {
			price = price.Mul(decimal.NewFromInt(100).Sub(value)).Shift(-2).Round(2)
		} else {
			price = price.Sub(value)
		}
		return decimal.Max(price, decimal.Zero)
	}
}

// wixPrice sets a price with the product's reduction.
func (d *Document) wixPrice(w *wixProduct, to *goods, r *row, full decimal.Decimal) {
	price := w.discount(full)
	cents := price.Shift(2)
	if !cents.IsInteger() || price.IsNegative() || cents.GreaterThan(maxAmount) {
		d.sayOf(r.place, w.handle, unpriced, "the price %q is no number with at most two decimals: the entry has no price", price)
		return
	}
	to.members.set("price_amount", cents.IntPart())
	to.metadata.remove(compareAtPrice)
	if full.GreaterThan(price) {
		d.meta(w.product, to, r.place, compareAtPrice, full.StringFixed(2))
	}
}

// wixStock reads how much there is, and reports whether it is counted: InStock and OutOfStock are not.
func (d *Document) wixStock(w *wixProduct, to *goods, r *row) bool {
	switch text := strings.ToLower(r.get("inventory")); text {
	case "outofstock", "out of stock":
		to.soldOut()
	case "instock", "in stock":
		to.untracked = notManaged
	default:
		d.quantity(w.product, to, r, "inventory")
		return to.tracked
	}
	return false
}

func (d *Document) wixVariant(w *wixProduct, r *row) {
	var names, values []string
	for n := 1; n <= wixOptions; n++ {
		name, kind := r.get(field("option").at(n)), r.get(field("option type").at(n))
		if n <= len(w.options) {
			name, kind = w.options[n-1].name, w.options[n-1].kind
		}
		if value := wixValue(kind, r.get(field("value").at(n))); value != "" {
			names, values = append(names, name), append(values, value)
		}
	}
	if values == nil {
		d.sayOf(r.place, w.handle, lost, "the row is left out: the variant has no value of an option")
		return
	}
	v := d.wixChoice(w, r.place, names, values)
	if v == nil {
		return
	}
	d.sku(w.product, v, r.place, r.get("sku"))
	v.members.set("active", d.flag(r, w.handle, "visible", true))
	surcharge, ok := r.number(r.get("surcharge"))
	if w.priced {
		if !ok {
			surcharge = decimal.Zero
		}
		d.wixPrice(w, v, r, w.price.Add(surcharge))
	}
	d.wixStock(w, v, r)
	for _, f := range []field{"weight", "price", "name", "discount", "discount mode"} {
		r.get(f)
	}
	w.rows++
	d.leftovers(r, w.handle)
}

// wixChoice adds a variant with the values of its options.
func (d *Document) wixChoice(w *wixProduct, at place, names, values []string) *goods {
	v := d.variant(w.product, at, strings.Join(values, " / "))
	if v != nil {
		for i := range values {
			d.option(w.product, v, at, names[i], values[i])
		}
	}
	return v
}

// finishWix makes the variants of products whose options have none in the table: all choices are for sale.
// The stock of such a product counts for all of them together, which has no form here.
func (d *Document) finishWix() {
	for _, w := range d.wixOrder {
		if len(w.variants) > 0 && w.rows > 1 {
			w.goods.stock, w.goods.tracked, w.goods.isOut = nil, false, false
		} else if len(w.options) > 0 {
			d.wixChoices(w)
		}
	}
	d.wixOrder = nil
}

func (d *Document) wixChoices(w *wixProduct) {
	if w.counted {
		d.once(w.place, w.handle, stockLeftOut, shared)
	}
	w.goods.stock, w.goods.tracked, w.goods.isOut = nil, false, false
	at := make([]int, len(w.options))
	for range storefile.MaxVariants {
		var names, values []string
		for i, o := range w.options {
			names, values = append(names, o.name), append(values, o.values[at[i]])
		}
		if v := d.wixChoice(w, w.place, names, values); v != nil {
			v.members.set("active", v.isActive())
			if v.untracked = notManaged; w.out {
				v.soldOut()
			}
		}
		i := len(at) - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < len(w.options[i].values) {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			return
		}
	}
	d.sayOf(w.place, w.handle, lost, "its options have more than %d variants: the others are left out", storefile.MaxVariants)
}
