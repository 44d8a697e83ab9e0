package storefile

import (
	"maps"
	"slices"

	"cartd/commerce"
)

// taxRate reads a rate. A code counts as known even if its rate is wrong: one wrong rate must not
// cause a fault at every product.
func (d *document) taxRate(f field) commerce.TaxRate {
	o := f.object()
	defer o.close()
	rate := commerce.TaxRate{
		Code: o.required("code").uniqueText(&d.taxCodes),
		Rate: o.required("rate").percent(0),
	}
	d.taxes[rate.Code] = rate.Rate
	return rate
}

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
