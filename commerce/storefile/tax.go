package storefile

import (
	"maps"
	"slices"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
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

// The numbers of countries in lists and in maps of rates.
const (
	maxExportCountries        = 250
	maxReverseChargeCountries = 60
	maxCountryRates           = 250
)

// countryField is a country, or the whole list or map of some, where a document has it.
type countryField struct {
	value
	country commerce.Country // zero for the whole
}

// countryRates is the kind of maps of countries to rates.
var countryRates = known(
	openapi.Map(percentage.Schema).MaxFields(maxCountryRates).Names(openapi.Anything.Pattern(`^[A-Za-z]{2}$`)).
		About("two letters, in any case, with a rate").Definition("country_rates"),
	(*document).countryRates)

func (d *document) countryRates(f value) map[commerce.Country]commerce.Percent {
	rates := map[commerce.Country]commerce.Percent{}
	f.entries(maxCountryRates, "countries", func(name string, value value) {
		country, ok := commerce.ParseCountry(name)
		if !ok {
			value.misnamed(ofShape, "must have a name of two letters")
			return
		}
		if _, twice := rates[country]; twice {
			value.conflict("is given more than once")
		}
		var rate commerce.Percent
		percentage.Read(value, &rate)
		if rates[country] = rate; len(rates) == 1 {
			d.rateMaps = append(d.rateMaps, countryField{value: f})
		}
		d.rateMaps = append(d.rateMaps, countryField{value, country})
	})
	if len(rates) == 0 {
		return nil
	}
	return rates
}

// countrySettings are the settings that judge countries.
type countrySettings struct {
	own      commerce.Country // zero if there is none
	isExport map[commerce.Country]bool
}

func countriesOf(s *commerce.Store) *countrySettings {
	c := &countrySettings{own: s.Country, isExport: map[commerce.Country]bool{}}
	for _, country := range s.ExportCountries {
		c.isExport[country] = true
	}
	return c
}

// judgeCountries judges the lists of countries of the settings. Those of a page were judged with the whole document,
// and a page may have some of the settings only.
func judgeCountries(d *document, o value, s *commerce.Store) {
	if d.page {
		return
	}
	exports, reverse := listedCountries(o.get("export_countries")), listedCountries(o.get("reverse_charge_countries"))
	d.countries = countriesOf(s)
	for _, at := range exports {
		at.judge(&countrySettings{own: s.Country})
	}
	for _, at := range reverse {
		at.judge(d.countries)
	}
}

// judgeRates judges the countries of tax rates, by the settings of the document or, beside a change set without
// any, by those of the store.
func (d *document) judgeRates() {
	settings := d.countries
	if settings == nil && d.stored != nil {
		settings = countriesOf(d.stored.store)
	}
	for _, at := range d.rateMaps {
		if settings != nil {
			at.judge(settings)
		}
	}
}

// judgesRates reports whether settings that a set changes judge the countries of tax rates.
func (c *ChangeSet) judgesRates() bool {
	return slices.ContainsFunc(c.settings, func(m changeEntry) bool { return m.key == "country" || m.key == "export_countries" })
}

// withCountries are the tax rates with countries that stay, with their indexes in the document that results.
func (s *stored) withCountries() (all []readEntry) {
	list := listNamed("tax_rates")
	for at := range s.store.TaxRates {
		rate := &s.store.TaxRates[at]
		if len(rate.Countries) > 0 && !list.isIn(s.gone[list.name], s.store, at) {
			all = append(all, readEntry{EntryKey{list.name, rate.Code}, list, s.indexes(list.name)[rate.Code], false})
		}
	}
	return all
}

// listedCountries are the whole list, unless it is empty, and its countries. A country that is in it twice is a
// fault.
func listedCountries(f value) (all []countryField) {
	if f.absent() || !f.isList() {
		return nil
	}
	seen := map[commerce.Country]bool{}
	for item := range f.items() {
		country, ok := commerce.ParseCountry(item.raw.Text())
		if len(all) == 0 {
			all = append(all, countryField{value: f})
		}
		if !ok { // a fault already
			continue
		}
		if seen[country] {
			item.conflict("is given more than once")
		}
		seen[country] = true
		all = append(all, countryField{item, country})
	}
	return all
}

// judge adds the fault of a country, or of the whole, by the settings.
func (at countryField) judge(by *countrySettings) {
	none := commerce.Country{}
	switch {
	case at.country == none && by.own == none:
		at.conflict("needs store.country")
	case at.country == none:
	case at.country == by.own:
		at.conflict("is the store's own country")
	case by.isExport[at.country]:
		at.conflict("is in store.export_countries")
	}
}
