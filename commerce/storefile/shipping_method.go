package storefile

import (
	"fmt"

	"cartd/commerce"
)

// The limits of shipping methods. An answer about delivery judges each method.
const (
	maxShippingMethods = 100
	maxShippingTiers   = 20
)

func (d *document) shippingMethodList(f field) []commerce.ShippingMethod {
	if !d.kept {
		f.notMore(maxShippingMethods, "shipping methods")
	}
	return list(f, d.shippingMethod)
}

func (d *document) shippingMethod(f field) commerce.ShippingMethod {
	o := f.object()
	defer o.close()
	m := commerce.ShippingMethod{
		ID:          o.required("id").uniqueID(&d.shippingMethods),
		Name:        o.required("name").name(),
		Description: o.get("description").description(),
		Metadata:    metadata(o.get("metadata")),
		Price:       o.required("price_amount").amount(),
		Tiers:       shippingTiers(o.get("price_tiers")),
		Tax:         d.tax(o.required("tax")),
		Countries:   list(o.get("countries"), field.country),
		MaxWeight:   optional(o.get("max_weight_grams"), field.weight),
	}
	m.MinGoods, m.MaxGoods = bounds[commerce.Amount](o, "min_goods_amount", "max_goods_amount", maxAmount)
	m.MinDays, m.MaxDays = bounds[int](o, "min_days", "max_days", maxDays)
	return m
}

// bounds reads two whole numbers up to limit; nil if one is absent. A lower bound above the upper one
// is a fault.
func bounds[N ~int | ~int64](o object, lower, upper string, limit int64) (from, to *N) {
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

// country reads a country in any letter case.
func (f field) country() commerce.Country {
	country, ok := commerce.ParseCountry(f.raw.Text())
	if !ok {
		f.mustBe(aCountry)
	}
	return country
}

// shippingTiers reads prices by the total of the goods, whose order is the document's.
func shippingTiers(f field) (tiers []commerce.ShippingTier) {
	f.notMore(maxShippingTiers, "price tiers")
	last := int64(-1)
	for item := range f.items() {
		o := item.object()
		from := o.required("min_goods_amount")
		goods, ok := from.within(0, maxAmount)
		if ok && goods <= last {
			from.conflict("must be above that of the tier before")
		}
		if ok {
			last = goods
		}
		tiers = keep(f.r, tiers, commerce.ShippingTier{MinGoods: commerce.Amount(goods), Price: o.required("price_amount").amount()})
		o.close()
	}
	return tiers
}
