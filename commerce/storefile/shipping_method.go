package storefile

import (
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// The limits of shipping methods. An answer about delivery judges each method.
const (
	maxShippingMethods = 100
	maxShippingTiers   = 20
)

var shippingMethods = then(schemaAtMost(listOf(shippingMethod), maxShippingMethods), func(d *document, f value, all *[]commerce.ShippingMethod) {
	switch {
	case d.kept:
	case d.stored == nil:
		f.notMore(maxShippingMethods, "shipping methods")
	case len(d.stored.withMethods(*all)) > maxShippingMethods:
		d.conflictOf(f, "shipping_methods", fmt.Sprintf("must have at most %d shipping methods", maxShippingMethods))
	}
})

var shippingMethod = objectKind("shipping_method",
	field.Required("id", uniqueID(func(d *document) *register[uuid.UUID] { return &d.shippingMethods }), "",
		func(m *commerce.ShippingMethod) *uuid.UUID { return &m.ID }),
	field.Required("name", name, "", func(m *commerce.ShippingMethod) *string { return &m.Name }),
	field.Optional("description", lines, "", func(m *commerce.ShippingMethod) *string { return &m.Description }),
	field.Required("price_amount", amount, "", func(m *commerce.ShippingMethod) *commerce.Amount { return &m.Price }),
	field.Optional("price_tiers", shippingTiers, "The price by the total of the goods.",
		func(m *commerce.ShippingMethod) *[]commerce.ShippingTier { return &m.Tiers }),
	field.Required("tax", taxCode, "The code of a tax rate.", func(m *commerce.ShippingMethod) **commerce.TaxRate { return &m.Tax }),
	field.Optional("tax_of_goods", boolean(false), "The delivery has the highest tax rate of the lines that require shipping, in the place of its own.",
		func(m *commerce.ShippingMethod) *bool { return &m.TaxOfGoods }),
	field.Optional("countries", listOf(country), "Empty if it delivers to every country.",
		func(m *commerce.ShippingMethod) *[]commerce.Country { return &m.Countries }),
	described[commerce.ShippingMethod]("min_goods_amount", amount, ""),
	described[commerce.ShippingMethod]("max_goods_amount", amount, ""),
	field.Optional("max_weight_grams", field.Pointer(weight), "", func(m *commerce.ShippingMethod) **commerce.Milligrams { return &m.MaxWeight }),
	described[commerce.ShippingMethod]("min_days", days, ""),
	described[commerce.ShippingMethod]("max_days", days, ""),
	field.Optional("metadata", metadata, "", func(m *commerce.ShippingMethod) *commerce.Metadata { return &m.Metadata }),
	rule(func(_ *document, o value, m *commerce.ShippingMethod) {
		m.MinGoods, m.MaxGoods = bounds[commerce.Amount](o, "min_goods_amount", "max_goods_amount", maxAmount)
		m.MinDays, m.MaxDays = bounds[int](o, "min_days", "max_days", maxDays)
	}),
)

// bounds reads two whole numbers up to limit; nil if one is absent. A lower bound above the upper one
// is a fault.
func bounds[N ~int | ~int64](o value, lower, upper string, limit int64) (from, to *N) {
	minimum, maximum := o.get(lower), o.get(upper)
	a, hasMin := minimum.within(0, limit)
	b, hasMax := maximum.within(0, limit)
	if hasMin && hasMax && a > b {
		minimum.conflict(fmt.Sprintf("must be at most %s, which is %d", upper, b))
	}
	if hasMin {
		from = new(N)
		*from = N(a)
	}
	if hasMax {
		to = new(N)
		*to = N(b)
	}
	return from, to
}

var country = judged(openapi.Text.Pattern(`^[A-Za-z]{2}$`).About(aCountry+", in any case").Definition("country"), value.country)

// country reads a country in any letter case.
func (f value) country() commerce.Country {
	country, ok := commerce.ParseCountry(f.raw.Text())
	if !ok {
		f.mustBe(aCountry)
	}
	return country
}

// shippingTiers are prices by the total of the goods, whose order is the document's.
var shippingTiers = ahead(atMost(listOf(shippingTier), maxShippingTiers, "price tiers"), func(d *document) { d.above = -1 })

var shippingTier = objectKind("shipping_tier",
	field.Required("min_goods_amount", ascending[commerce.Amount](amount.Schema, maxAmount, "must be above that of the tier before"), "",
		func(t *commerce.ShippingTier) *commerce.Amount { return &t.MinGoods }),
	field.Required("price_amount", amount, "", func(t *commerce.ShippingTier) *commerce.Amount { return &t.Price }),
)
