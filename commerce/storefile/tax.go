package storefile

import (
	"maps"
	"slices"

	"cartd/commerce"
)

// taxRate is the kind of tax rates. A code counts as known even if its rate is wrong: one wrong rate must not
// cause a fault at every product.
var taxRate = objectKind("tax_rate",
	required("code", unique(text, func(d *document) *register[string] { return &d.taxCodes }).marked(textKey), "",
		func(r *commerce.TaxRate) *string { return &r.Code }),
	required("rate", percentage, "", func(r *commerce.TaxRate) *commerce.Percent { return &r.Rate }),
).then(func(d *document, _ field, r *commerce.TaxRate) { d.taxes[r.Code] = r.Rate })

// taxCode is the kind of the code of a tax rate.
var taxCode = kind[string]{schema: text.schema}

// tax reads the code of a tax rate, and returns the rate with it.
func (d *document) tax(f field) (string, commerce.Percent) {
	code := f.text()
	if rate, own := d.taxes[code]; own || code == "" {
		return code, rate
	}
	if rate, stays := d.stored.taxRate(code); stays {
		return rate.Code, rate.Rate
	}
	if d.page { // the rate is that of the whole document
		return code, 0
	}
	if others := append(d.beside.taxCodes(), d.stored.taxCodes()...); !slices.Contains(others, code) {
		known := slices.AppendSeq(others, maps.Keys(d.taxes))
		slices.Sort(known)
		d.add(found{at: f.raw.Offset(d.root), kind: ofContent, message: "is not the code of a tax rate", known: known, dangling: true})
	}
	return code, 0
}
