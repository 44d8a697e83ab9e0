package httpserver

import (
	"cartd/commerce"
	"cartd/internal/openapi"
)

// taxCountryParameter is the parameter that decodeTaxCountry reads.
var taxCountryParameter = queryOf("country", openapi.Text,
	"The country of the tax, two letters in any case; absent: the store's. Ignored in a store without `country`.")

// taxCountryRefusals is an example of the refusals of taxCountry.
var taxCountryRefusals = shippingQueryRefusals

// decodeTaxCountry reads the tax country of an answer of the catalogue: the query's, else the store's; zero in a
// store that does not tax by country. docs/api/tax.md#catalogue.
func decodeTaxCountry(x *exchange, faults *commerce.Faults) commerce.Country {
	s := x.facts.Store
	if (s.Country == commerce.Country{}) {
		return s.Country
	}
	return s.CountryOr(faults.Country(taxCountryParameter.Name, commerce.Trim(lastArg(x, taxCountryParameter.Name))))
}

// taxCountry is decodeTaxCountry for a route without other parameters.
func (x *exchange) taxCountry() (commerce.Country, *commerce.Refusal) {
	var faults commerce.Faults
	country := decodeTaxCountry(x, &faults)
	return country, faults.Refusal()
}
