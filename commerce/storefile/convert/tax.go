package convert

import (
	"fmt"
	"strings"
)

// taxRates are the rates of a document.
type taxRates struct {
	all   []any
	codes map[string]string // by rate, the first of each
	rates map[string]string // by code
}

func newTaxRates() taxRates {
	return taxRates{codes: map[string]string{}, rates: map[string]string{}}
}

// code returns the code of a rate in its shortest form, which it adds to the document.
func (t *taxRates) code(rate string) string {
	if code, ok := t.codes[rate]; ok {
		return code
	}
	name := "rate-" + strings.ReplaceAll(rate, ".", "-")
	code := name
	for n := 2; t.rates[code] != ""; n++ {
		code = fmt.Sprintf("%s-%d", name, n)
	}
	t.codes[rate], t.rates[code] = code, rate
	t.all = append(t.all, members{{"code", code}, {"rate", rate}})
	return code
}

// taxOf sets a product's rate. Of several codes of one rate that of the earlier document stays.
func (d *Document) taxOf(p *product, rate string) {
	if d.taxes.rates[p.members.text("tax")] != rate {
		p.members.set("tax", d.taxes.code(rate))
	}
}

// usualTax gives a product without a rate the usual one.
func (d *Document) usualTax(p *product) {
	if p.members.get("tax") == nil {
		p.members.set("tax", d.tax)
	}
}
