package model

import "slices"

// home is the country of the suite's stores.
const home = "NL"

// Countries are those that carts and orders are for: the stores' own, one with rates of its own, one of exports, and one
// of reverse charge, which has the home rates for everybody else. Spec: Tax by country.
var Countries = []string{home, "DE", "CH", "BE"}

// rates are the tax rates by code and country, in tenths of a percent.
var rates = map[string]map[string]int64{"standard": {home: 210, "DE": 190}, "reduced": {home: 90, "DE": 70}}

// rateDocuments are the rates as a document has them.
func rateDocuments() list {
	return list{
		object{"code": "standard", "rate": "21", "countries": object{"DE": "19"}},
		object{"code": "reduced", "rate": "9", "countries": object{"DE": "7"}},
	}
}

// taxByCountry gives a document's store a country.
func taxByCountry(store object) object {
	store["country"], store["export_countries"], store["reverse_charge_countries"] = home, list{"CH"}, list{"BE"}
	return store
}

// Exemption is why a cart for a country has no tax; empty if it has some.
func Exemption(country string, reverseCharge bool) string {
	switch {
	case country == "CH":
		return "export"
	case country == "BE" && reverseCharge:
		return "reverse_charge"
	}
	return ""
}

// TaxRow is a row of a breakdown, in cents.
type TaxRow struct {
	Rate float64 `json:"rate"` // per cent
	Base int64   `json:"base"`
	Tax  int64   `json:"tax"`
}

// Taxes are the rows of amounts with tax by the codes of their rates, the highest rate first. What an exemption leaves of
// them is one row. Spec: Tax by country, totals.
func Taxes(sums map[string]int64, country, exemption string) (rows []TaxRow) {
	exempt := TaxRow{}
	for code, sum := range sums {
		byHome := halfUp(sum*rates[code][home], 1000+rates[code][home])
		exempt.Base += sum - byHome
		rate, own := rates[code][country]
		if !own {
			rate = rates[code][home]
		}
		tax := halfUp(sum*rate, 1000+rate)
		rows = append(rows, TaxRow{Rate: float64(rate) / 10, Base: sum - tax, Tax: tax})
	}
	if exemption != "" && len(sums) > 0 {
		return []TaxRow{exempt}
	}
	slices.SortFunc(rows, func(a, b TaxRow) int { return int(b.Rate - a.Rate) })
	return rows
}

// halfUp divides two numbers that are not negative.
func halfUp(n, by int64) int64 { return (2*n + by) / (2 * by) }
