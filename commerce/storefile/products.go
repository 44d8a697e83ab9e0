package storefile

import "cartd/commerce"

// The names of what commerce keeps as a number, in the order of its constants.
var (
	capabilities     = []string{"standard", "made_to_measure"}
	units            = []string{"piece", "kg", "g", "l", "m", "m2", "m3", "hour"}
	purchasabilities = []string{"direct", "quote"}
)

// catalogue reads the products, and then looks for the products that their
// components are.
func (d *document) catalogue(f field) []*commerce.Product {
	products := list(f, d.product)
	for _, component := range d.components {
		if !d.products.has(component.id) {
			component.at.fault("is not the id of a " + aProduct)
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
		Name:             o.required("name").text(),
		Slug:             o.required("slug").uniqueText(&d.productSlugs),
		SKU:              o.get("sku").text(),
		Description:      o.get("description").remark(),
		Active:           o.get("active").boolean(true),
		CategoryIDs:      o.get("category_ids").references(d.categories, aCategory),
		RequiresShipping: o.get("requires_shipping").boolean(true),
		TrackStock:       o.get("track_stock").boolean(false),
		Stock:            o.get("stock").stock(),
		LeadTimeDays:     optional(o.get("lead_time_days"), field.days),
		Tax:              d.tax(o.required("tax")),
		Prices:           d.prices(o),
		Variants:         list(o.get("variants"), d.variant),
	}
	unit, _ := o.get("unit").pick(units)
	purchasability, _ := o.get("purchasability").pick(purchasabilities)
	p.Unit, p.Purchasability = commerce.Unit(unit), commerce.Purchasability(purchasability)
	d.capability(o, p)
	d.products.note(p.ID, f.raw.Offset(d.root))
	return p
}

// capability reads how the product is sold and what depends on it: only standard
// products have variants, only those made to measure have a configurator.
// Spec: Product capability rules 1 to 3.
func (d *document) capability(o object, p *commerce.Product) {
	capability, known := o.get("capability").pick(capabilities)
	p.Capability = commerce.Capability(capability)
	madeToMeasure := p.Capability == commerce.MadeToMeasure
	p.Returnable = o.get("returnable").boolean(!madeToMeasure)
	measured := o.get("configurator")
	p.Configurator = d.configurator(measured)
	switch {
	case !known:
	case madeToMeasure && measured.absent():
		o.missing("configurator")
	case !madeToMeasure && !measured.absent():
		measured.fault("is only for made_to_measure products")
	}
	if madeToMeasure && len(p.Variants) > 0 {
		o.get("variants").fault("are only for standard products")
	}
}

func (d *document) variant(f field) commerce.Variant {
	o := f.object()
	defer o.close()
	return commerce.Variant{
		ID:     o.required("id").uniqueID(&d.goods),
		Name:   o.required("name").text(),
		SKU:    o.get("sku").text(),
		Active: o.get("active").boolean(true),
		Prices: d.prices(o),
		Stock:  o.get("stock").stock(),
	}
}
