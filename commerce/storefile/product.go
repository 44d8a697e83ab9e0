package storefile

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// The names of commerce's numeric constants, in the order of the constants.
var (
	units            = commerce.UnitNames()
	purchasabilities = []string{"direct", "quote"}
)

// MaxVariants is the number of variants of one product.
const MaxVariants = 2000

// aGood is the kind of the ids of products and variants.
var aGood = uniqueID(func(d *document) *register[uuid.UUID] { return &d.goods })

// capabilities are the forms of a product: only a standard product has variants and prices, only a
// made-to-measure product has a configurator and a price that begins somewhere.
// Spec: Product capability rules 1 to 3.
var capabilities = makeForms(true,
	form{name: "standard", refuses: []refused{
		{members: []string{"configurator", "price_from_amount"}, because: "is only for made_to_measure products"},
	}},
	form{name: "made_to_measure", requires: []string{"configurator"}, refuses: []refused{
		{members: []string{"variants", "price_periods", "tiers"}, because: "are only for standard products"},
		{members: []string{"group_prices"}, because: "are only for standard products", unless: emptyMap},
		{members: []string{"price_amount"}, because: "is only for standard products"},
	}},
)

// productRows are the members of a product. Spec: Product attributes that affect carts.
var productRows = []row[*commerce.Product]{
	field.Required("id", aGood, "", func(p *commerce.Product) *uuid.UUID { return &p.ID }),
	field.Required("name", name, "", func(p *commerce.Product) *string { return &p.Name }),
	field.Required("slug", uniqueName(func(d *document) *register[string] { return &d.productSlugs }), "",
		func(p *commerce.Product) *string { return &p.Slug }),
	field.Optional("sku", text, "", func(p *commerce.Product) *string { return &p.SKU }),
	field.Optional("description", lines, "", func(p *commerce.Product) *string { return &p.Description }),
	field.Optional("active", boolean(true), "", func(p *commerce.Product) *bool { return &p.Active }),
	field.Optional("category_ids", listOf(categoryID), "", func(p *commerce.Product) *[]uuid.UUID { return &p.CategoryIDs }),
	described[commerce.Product]("capability", picked[commerce.Capability](capabilities.names), ""),
	field.Optional("unit", picked[commerce.Unit](units), "", func(p *commerce.Product) *commerce.Unit { return &p.Unit }),
	field.Optional("requires_shipping", boolean(true), "", func(p *commerce.Product) *bool { return &p.RequiresShipping }),
	field.Optional("track_stock", boolean(false), "", func(p *commerce.Product) *bool { return &p.TrackStock }),
	field.Optional("stock", stockOnHand,
		"On hand; read only where track_stock is true. Of products with variants, and of made_to_measure ones, only components have it.",
		func(p *commerce.Product) *commerce.Micros { return &p.Stock }),
	field.Optional("purchasability", picked[commerce.Purchasability](purchasabilities), "",
		func(p *commerce.Product) *commerce.Purchasability { return &p.Purchasability }),
	described[commerce.Product]("returnable", judged(openapi.Boolean, func(f value) bool { return f.boolean(false) }),
		"Shown on order lines; false for a made_to_measure product unless it says otherwise."),
	field.Optional("lead_time_days", field.Pointer(days), "Shown on order lines.", func(p *commerce.Product) **int { return &p.LeadTimeDays }),
	field.Required("tax", taxCode, "The code of a tax rate.", func(p *commerce.Product) **commerce.TaxRate { return &p.Tax }),
	field.Of(priceRows, func(p *commerce.Product) *commerce.Prices { return &p.Prices }),
	field.Optional("weight_grams", field.Pointer(weight), "Of one unit of quantity; null if it is not known.",
		func(p *commerce.Product) **commerce.Milligrams { return &p.Weight }),
	field.Optional("price_from_amount", field.Pointer(amount), "The price to show as \"from\"; only for made_to_measure products.",
		func(p *commerce.Product) **commerce.Amount { return &p.PriceFrom }),
	field.Of(displayRows, func(p *commerce.Product) *commerce.Display { return &p.Display }),
	field.Optional("text_fields", textFields, "Texts that a shopper gives with a line; an empty list lets lines have those of the front end only.",
		func(p *commerce.Product) *[]commerce.TextField { return &p.TextFields }),
	field.Group(packRows...),
	field.Optional("backorder", field.Pointer(backorder), "Sales ahead of the stock, where track_stock is true; also of the variants that have none of their own.",
		func(p *commerce.Product) **commerce.Backorder { return &p.Backorder }),
	field.Optional("variants", atMostNew(listOf(variant), MaxVariants, "variants"), "Only of standard products.",
		func(p *commerce.Product) *[]commerce.Variant { return &p.Variants }),
	field.Optional("configurator", field.Pointer(configurator), "Only of made_to_measure products.",
		func(p *commerce.Product) **commerce.Configurator { return &p.Configurator }),
	capability,
}

// ProductMembers are the members of a product, in the order of the documents.
var ProductMembers = field.MemberNames(productRows)

var product = then(objectKind("product", productRows...), func(d *document, f value, p *commerce.Product) {
	if !d.kept && p.DisplayBytes() > commerce.MaxDisplayBytes {
		f.conflict("must have " + aDisplay)
	}
	d.products.note(p.ID, f.raw.Offset(d.root))
	if parts := partsOf(p); parts != "" && p.Stock != 0 {
		d.ownStocks = append(d.ownStocks, ownStock{d.stock, p.ID, parts})
	}
})

// judgeComponents refuses components that are no products.
func (d *document) judgeComponents() {
	for _, component := range d.components {
		if !d.products.has(component.id) {
			component.at.dangles(aProduct, component.id)
		}
	}
}

// ownStock is the stock of a product that is sold by its parts. It counts only for a component.
type ownStock struct {
	at      value
	product uuid.UUID
	parts   string
}

// partsOf names what a product is sold by in place of its own stock; "" if there is nothing.
func partsOf(p *commerce.Product) string {
	switch {
	case p.Capability == commerce.MadeToMeasure:
		return "components"
	case len(p.Variants) > 0:
		return "variants"
	}
	return ""
}

// catalogue are the products, whose components refer to products that may follow.
var catalogue = then(listOf(field.Pointer(product)), func(d *document, f value, _ *[]*commerce.Product) { d.judgeProducts(f) })

// judgeProducts judges the rules about several products, once they are read.
func (d *document) judgeProducts(list value) {
	d.judgeComponents()
	for _, own := range d.ownStocks {
		isComponent := slices.ContainsFunc(d.components, func(c reference) bool { return c.id == own.product })
		if !isComponent && !d.stored.isComponent(own.product) && !d.page && own.at.judged() {
			own.at.conflict("has no effect: the stock is that of the " + own.parts)
		}
	}
	d.countMoments(list)
}

// capability reads a product's capability and the members that depend on it.
var capability = shaping(func(d *document, o value, p *commerce.Product) {
	p.Capability = commerce.Capability(o.form(o.get("capability"), capabilities))
	d.stock = o.find("stock")
	p.Returnable = o.get("returnable").boolean(p.Capability != commerce.MadeToMeasure)
}, func(s *openapi.Schema) *openapi.Schema { return s.ExactlyOne(capabilities.schemas("capability")...) })

var variant = objectKind("variant",
	field.Required("id", aGood, "", func(v *commerce.Variant) *uuid.UUID { return &v.ID }),
	field.Required("name", name, "", func(v *commerce.Variant) *string { return &v.Name }),
	field.Optional("sku", text, "", func(v *commerce.Variant) *string { return &v.SKU }),
	field.Optional("active", boolean(true), "", func(v *commerce.Variant) *bool { return &v.Active }),
	field.Of(priceRows, func(v *commerce.Variant) *commerce.Prices { return &v.Prices }),
	field.Optional("stock", stockOnHand, "On hand; read only where the product's track_stock is true.",
		func(v *commerce.Variant) *commerce.Micros { return &v.Stock }),
	field.Optional("weight_grams", field.Pointer(weight), "null if it is that of the product.",
		func(v *commerce.Variant) **commerce.Milligrams { return &v.Weight }),
	field.Optional("backorder", field.Pointer(backorder), "null if it is that of the product.",
		func(v *commerce.Variant) **commerce.Backorder { return &v.Backorder }),
	field.Of(displayRows, func(v *commerce.Variant) *commerce.Display { return &v.Display }),
)

// packRows are the quantities that a line of a product may have. A product without them has no pack.
var packRows = []row[*commerce.Product]{
	field.Optional("min_quantity", quantity, "Of a line.", func(p *commerce.Product) *commerce.Quantity { return &packOf(p).Min }),
	field.Optional("max_quantity", quantity, "Of a line; at least min_quantity.", func(p *commerce.Product) *commerce.Quantity { return &packOf(p).Max }),
	field.Optional("quantity_step", quantity, "The quantity of a line is a multiple of it, and so are min_quantity and max_quantity.",
		func(p *commerce.Product) *commerce.Quantity { return &packOf(p).Step }),
	rule(func(_ *document, o value, p *commerce.Product) {
		if p.Pack != nil {
			unit := o.find("unit")
			judgePack(o, p.Pack, unit.absent() || unit.raw.Is(commerce.UnitPiece.String()))
		}
	}),
}

func packOf(p *commerce.Product) *commerce.Pack {
	if p.Pack == nil {
		p.Pack = &commerce.Pack{}
	}
	return p.Pack
}

// judgePack judges the quantities together. A zero one is absent or has a fault.
func judgePack(o value, pack *commerce.Pack, byThePiece bool) {
	for _, one := range []struct {
		name string
		commerce.Quantity
	}{{"min_quantity", pack.Min}, {"max_quantity", pack.Max}, {"quantity_step", pack.Step}} {
		switch at := o.find(one.name); {
		case byThePiece && !one.Fits(commerce.UnitPiece):
			at.conflict("must be whole: the product is sold by the piece")
		case !one.MultipleOf(pack.Step):
			at.conflict("must be a multiple of quantity_step")
		}
	}
	if pack.Max > 0 && pack.Max < pack.Min {
		o.find("max_quantity").conflict("must be at least min_quantity")
	}
}

// backorder permits sales ahead of the stock.
var backorder = objectKind("backorder",
	field.Required("limit", backorderLimit, "How far the stock of each item may be sold below zero.",
		func(b *commerce.Backorder) *commerce.Micros { return &b.Limit }),
	field.Optional("available_from", date, "The day on which the goods are expected; null if it is not known.",
		func(b *commerce.Backorder) *commerce.Date { return &b.From }),
)

// textFields are the texts that a shopper gives with a line. An empty list is kept apart from none:
// lines of the product then take the properties of the front end only.
var textFields = then(
	ahead(atMost(listOf(textField), commerce.MaxTextFields, "text fields"), func(d *document) { d.textKeys = register[string]{} }),
	func(_ *document, _ value, all *[]commerce.TextField) {
		if *all == nil {
			*all = []commerce.TextField{}
		}
	})

var textField = objectKind("text_field",
	field.Required("key", unique(propertyKey, func(d *document) *register[string] { return &d.textKeys }), "",
		func(t *commerce.TextField) *string { return &t.Key }),
	field.Required("label", fieldLabel, "", func(t *commerce.TextField) *string { return &t.Label }),
	field.Optional("required", boolean(false), "", func(t *commerce.TextField) *bool { return &t.Required }),
	field.Optional("max_length", wholeOr(1, commerce.MaxPropertyLength, commerce.TextFieldMaxLength, 1), "In characters.",
		func(t *commerce.TextField) *int { return &t.MaxLength }),
)

// aPropertyKey describes the keys of text fields.
var aPropertyKey = fmt.Sprintf(`1 to %d of A–Z, a–z, 0–9, "_" and "-", not beginning with "_"`, commerce.MaxPropertyKey)

var propertyKey = judged(openapi.Text.Pattern(fmt.Sprintf(`^[A-Za-z0-9-][A-Za-z0-9_-]{0,%d}$`, commerce.MaxPropertyKey-1)).About(aPropertyKey),
	func(f value) string {
		key, ok := f.str()
		if ok && (!commerce.IsPropertyKey(key) || commerce.IsOwnKey(key)) {
			f.mustBe(aPropertyKey)
		}
		return key
	})

var fieldLabel = judged(openapi.Text.MinLength(1).MaxLength(commerce.MaxTextFieldLabel).Pattern(oneLine, visible), func(f value) string {
	label := f.text()
	if len(label) > commerce.MaxTextFieldLabel && commerce.Characters(label) > commerce.MaxTextFieldLabel {
		f.tooLong(commerce.MaxTextFieldLabel)
	}
	return label
})
