package storefile

import "cartd/commerce"

// taxRate reads a rate. A code counts as known even where its rate is wrong, so
// that one fault is not followed by another at every product.
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
	if code != "" && !d.taxCodes.has(code) {
		f.conflict("is not the code of a tax rate")
	}
	return d.taxes[code]
}
