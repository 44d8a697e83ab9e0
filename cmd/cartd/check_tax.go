package main

import (
	"fmt"
	"slices"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// taxWarnings lists settings of the tax by country that have no effect.
func taxWarnings(doc *storefile.Document) (all []string) {
	s := doc.Store
	if delivered, limited := s.ShippingCountries(); limited && len(delivered) > 0 {
		var idle []string
		for _, country := range taxedCountries(s) {
			if !slices.Contains(delivered, country) {
				idle = append(idle, country.String())
			}
		}
		if len(idle) > 0 {
			all = append(all, fmt.Sprintf("no shipping method delivers to these countries with a rate or an exemption of their own: %s (docs/api/tax.md)",
				firstOf(idle)))
		}
	}
	charged := 0
	for i := range doc.Customers {
		if doc.Customers[i].ReverseCharge {
			charged++
		}
	}
	if charged > 0 && len(s.ReverseChargeCountries) == 0 {
		all = append(all, fmt.Sprintf("%s with reverse_charge, but store.reverse_charge_countries is empty (docs/api/tax.md)", numberOf(charged, "customer")))
	}
	return all
}

// taxedCountries are the countries, in order, with rates or exemptions of their own.
func taxedCountries(s *commerce.Store) []commerce.Country {
	all := slices.Concat(s.ExportCountries, s.ReverseChargeCountries)
	for i := range s.TaxRates {
		for country := range s.TaxRates[i].Countries {
			all = append(all, country)
		}
	}
	slices.SortFunc(all, func(a, b commerce.Country) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(all)
}
