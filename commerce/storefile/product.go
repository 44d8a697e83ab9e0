package storefile

import "cartd/commerce"

// The names of commerce's numeric constants, in the order of the constants.
var (
	units            = commerce.UnitNames()
	purchasabilities = []string{"direct", "quote"}
)

// ProductMembers are the members of a product, in the order of the documents. A test proves them
// complete.
var ProductMembers = []string{
	"id", "name", "slug", "sku", "description", "active", "category_ids", "capability", "unit", "requires_shipping", "track_stock",
	"stock", "purchasability", "returnable", "lead_time_days", "tax", "price_amount", "group_prices", "tiers", "weight_grams", "price_from_amount", "media", "attributes",
	"metadata", "variants",
	"configurator",
}

// catalogue reads the products and then resolves the products of their components.
func (d *document) catalogue(f field) []*commerce.Product {
	products := list(f, d.product)
	for _, component := range d.components {
		if !d.products.has(component.id) {
			component.at.dangles(aProduct, component.id)
		}
	}
	return products
}

// product reads one product. Spec: Product attributes that affect carts.
func (d *document) product(f field) *commerce.Product {
	o := f.object()
	defer o.close()
	p := &commerce.Product{
		ID:               o.required("id").uniqueID(&d.goods),
		Name:             o.required("name").name(),
		Slug:             o.required("slug").uniqueName(&d.productSlugs),
		SKU:              o.get("sku").text(),
		Description:      o.get("description").description(),
		Active:           o.get("active").boolean(true),
		CategoryIDs:      o.get("category_ids").references(d.categories, aCategory),
		RequiresShipping: o.get("requires_shipping").boolean(true),
		TrackStock:       o.get("track_stock").boolean(false),
		Stock:            o.get("stock").stock(),
		LeadTimeDays:     optional(o.get("lead_time_days"), field.days),
		Weight:           optional(o.get("weight_grams"), field.weight),
		Tax:              d.tax(o.required("tax")),
		Prices:           d.prices(o),
		PriceFrom:        optional(o.get("price_from_amount"), field.amount),
		Display:          d.display(o),
		Variants:         d.variants(o.get("variants")),
	}
	unit, _ := o.get("unit").pick(units)
	purchasability, _ := o.get("purchasability").pick(purchasabilities)
	p.Unit, p.Purchasability = commerce.Unit(unit), commerce.Purchasability(purchasability)
	d.capability(o, p)
	if !d.kept && p.DisplayBytes() > commerce.MaxDisplayBytes {
		f.conflict("must have " + aDisplay)
	}
	d.products.note(p.ID, f.raw.Offset(d.root))
	return p
}

// MaxVariants is the number of variants of one product.
const MaxVariants = 2000

func (d *document) variants(f field) []commerce.Variant {
	if !d.kept {
		f.notMore(MaxVariants, "variants")
	}
	return list(f, d.variant)
}

// capabilities are the forms of a product: only a standard product has variants, only a
// made-to-measure product has a configurator and a price that begins somewhere.
// Spec: Product capability rules 1 to 3.
var capabilities = makeForms(true,
	form{name: "standard", refuses: []string{"configurator", "price_from_amount"}, because: "is only for made_to_measure products"},
	form{name: "made_to_measure", requires: []string{"configurator"}, refuses: []string{"variants"}, because: "are only for standard products"},
)

// capability reads the product's capability and checks the members that depend on it.
func (d *document) capability(o object, p *commerce.Product) {
	p.Configurator = d.configurator(o.get("configurator"))
	named, capability := o.get("capability"), 0
	if d.partial {
		capability, _ = named.pick(capabilities.names)
	} else {
		capability = o.form(named, capabilities)
	}
	p.Capability = commerce.Capability(capability)
	p.Returnable = o.get("returnable").boolean(p.Capability != commerce.MadeToMeasure)
}

func (d *document) variant(f field) commerce.Variant {
	o := f.object()
	defer o.close()
	return commerce.Variant{
		ID:      o.required("id").uniqueID(&d.goods),
		Name:    o.required("name").name(),
		SKU:     o.get("sku").text(),
		Active:  o.get("active").boolean(true),
		Prices:  d.prices(o),
		Stock:   o.get("stock").stock(),
		Weight:  optional(o.get("weight_grams"), field.weight),
		Display: d.display(o),
	}
}
