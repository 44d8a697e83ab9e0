package storefile

import (
	"maps"
	"slices"

	"cartd/commerce"
	"cartd/internal/field"
)

// taxRate is the kind of tax rates. A code counts as known even if its rate is wrong: one wrong rate must not
// cause a fault at every product.
var taxRate = then(objectKind("tax_rate",
	field.Required("code", marked(unique(text, func(d *document) *register[string] { return &d.taxCodes }), textKey), "",
		func(r *commerce.TaxRate) *string { return &r.Code }),
	field.Required("rate", percentage, "The home rate: it holds in store.country, and in each country that countries lacks.",
		func(r *commerce.TaxRate) *commerce.Percent { return &r.Rate }),
	field.Optional("countries", countryRates, "The rates of other countries.",
		func(r *commerce.TaxRate) *map[commerce.Country]commerce.Percent { return &r.Countries }),
), func(d *document, _ value, r *commerce.TaxRate) {
	rate := *r
	d.taxes[r.Code] = &rate
})

// taxCode is the kind of the code of a tax rate, which is read as the rate. Products and methods of a code share it.
var taxCode = known(text.Schema, (*document).tax)

// tax reads the code of a tax rate.
func (d *document) tax(f value) *commerce.TaxRate {
	code := f.text()
	if rate, own := d.taxes[code]; own || code == "" {
		return rate
	}
	if rate, stays := d.stored.taxRate(code); stays {
		return &rate
	}
	if d.page { // the rate is that of the whole document
		return &commerce.TaxRate{Code: code}
	}
	if others := d.stored.taxCodes(); !slices.Contains(others, code) {
		known := slices.AppendSeq(others, maps.Keys(d.taxes))
		slices.Sort(known)
		d.add(found{at: f.raw.Offset(d.root), kind: ofContent, message: "is not the code of a tax rate", known: known})
	}
	return &commerce.TaxRate{Code: code}
}
