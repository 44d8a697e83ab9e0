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

// taxCode is the kind of the code of a tax rate, which is read as the rate.
var taxCode = known(text.schema, (*document).tax)

// tax reads the code of a tax rate.
func (d *document) tax(f field) commerce.Percent {
	code := f.text()
	if code == "" || d.taxCodes.has(code) {
		return d.taxes[code]
	}
	if others := d.beside.taxCodes(); !slices.Contains(others, code) {
		known := slices.AppendSeq(others, maps.Keys(d.taxes))
		slices.Sort(known)
		d.add(found{at: f.raw.Offset(d.root), kind: ofContent, message: "is not the code of a tax rate", known: known, dangling: true})
	}
	return 0
}
