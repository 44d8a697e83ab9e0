package storefile

import (
	"strings"
	"testing"

	"cartd/commerce"
)

// taxing is a document with settings and tax rates.
func taxing(settings, rates string) string {
	return `{"format":1,"store":{"id":"11111111-1111-4111-8111-111111111111","name":"Shop","modules":[]` + settings + `},"tax_rates":[` + rates + `]}`
}

func TestFaultsOfCountries(t *testing.T) {
	const all = `,"country":"nl","export_countries":["ch"],"reverse_charge_countries":["De"]`
	for _, c := range []struct{ settings, rates, want string }{
		{all, `{"code":"s","rate":"21","countries":{"de":"19","SE":"25"}}`, ""},
		{`,"country":"nld"`, ``, "store.country: must be two letters"},
		{`,"export_countries":["CH"]`, ``, "store.export_countries: needs store.country"},
		{`,"reverse_charge_countries":["DE"]`, ``, "store.reverse_charge_countries: needs store.country"},
		{`,"export_countries":[],"reverse_charge_countries":[]`, `{"code":"s","rate":"21","countries":{}}`, ""},
		{``, `{"code":"s","rate":"21","countries":{"DE":"19"}}`, "tax_rates[0].countries: needs store.country"},
		{`,"country":"NL","export_countries":["NL"]`, ``, "store.export_countries[0]: is the store's own country"},
		{`,"country":"NL","reverse_charge_countries":["nl"]`, ``, "store.reverse_charge_countries[0]: is the store's own country"},
		{all, `{"code":"s","rate":"21","countries":{"NL":"21"}}`, "tax_rates[0].countries.NL: is the store's own country"},
		{`,"country":"NL","export_countries":["CH"],"reverse_charge_countries":["DE","CH"]`, ``, "store.reverse_charge_countries[1]: is in store.export_countries"},
		{all, `{"code":"s","rate":"21","countries":{"CH":"8.1"}}`, "tax_rates[0].countries.CH: is in store.export_countries"},
		{`,"country":"NL","export_countries":["CH","ch"]`, ``, "store.export_countries[1]: is given more than once"},
		{all, `{"code":"s","rate":"21","countries":{"DE":"19","de":"19"}}`, "tax_rates[0].countries.de: is given more than once"},
		{all, `{"code":"s","rate":"21","countries":{"DEU":"19"}}`, "tax_rates[0].countries.DEU: must have a name of two letters"},
		{all, `{"code":"s","rate":"21","countries":{"DE":"101"}}`, "tax_rates[0].countries.DE: must be a decimal string from 0 to 100 with at most 9 decimals"},
		{all, `{"code":"s","rate":"21","countries":[]}`, "tax_rates[0].countries: must be an object"},
	} {
		got := ""
		if _, err := Parse([]byte(taxing(c.settings, c.rates))); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.settings, c.rates, got, c.want)
		}
	}
}

// Countries are kept in upper case, and a product and a method of a code share its rate.
func TestRatesOfCountries(t *testing.T) {
	text := taxing(`,"country":"nl","export_countries":["ch"]`, `{"code":"s","rate":"21","countries":{"de":"19"}}`)
	s := mustParse(t, strings.TrimSuffix(text, "}")+`,"products":[{"id":"50000000-0000-4000-8000-000000000001","name":"P","slug":"p","tax":"s"}],
		"shipping_methods":[{"id":"70000000-0000-4000-8000-000000000001","name":"M","price_amount":1,"tax":"s","tax_of_goods":true}]}`).Store
	expect(t, "own", s.Country, commerce.Country{'N', 'L'})
	expect(t, "exports", s.ExportCountries, []commerce.Country{{'C', 'H'}})
	expect(t, "rate", *s.Products[0].Tax, commerce.TaxRate{Code: "s", Rate: 21 * percent,
		Countries: map[commerce.Country]commerce.Percent{{'D', 'E'}: 19 * percent}})
	if m := s.ShippingMethods[0]; m.Tax != s.Products[0].Tax || !m.TaxOfGoods {
		t.Errorf("the method is %+v", m)
	}
}

// A change set is judged with the settings and rates of the store. A fault that it causes in another entry has
// the path of that entry.
func TestCountriesOfChangeSets(t *testing.T) {
	text := taxing(`,"country":"NL","export_countries":["CH"]`, `{"code":"a","rate":"9"},{"code":"s","rate":"21","countries":{"DE":"19"}}`)
	a, kept := stateOf(t, text), []byte(settingsOf(t, mustParse(t, text)))
	for _, c := range []struct {
		set  string
		want []string
	}{
		{`"tax_rates":[{"code":"s","rate":"21","countries":{"FR":"20"}}]`, nil},
		{`"tax_rates":[{"code":"t","rate":"21","countries":{"CH":"8.1"}}]`, one("set.tax_rates[0].countries.CH: is in store.export_countries")},
		{`"settings":{"country":"BE"}`, nil},
		{`"settings":{"country":"DE"}`, one("tax_rates[1].countries.DE: is the store's own country")},
		{`"settings":{"country":"DE"},"tax_rates":[{"code":"s","rate":"21"}]`, nil},
		{`"settings":{"export_countries":["DE"]}`, one("tax_rates[1].countries.DE: is in store.export_countries")},
		{`"settings":{"country":null}`, []string{"store.export_countries: needs store.country", "tax_rates[1].countries: needs store.country"}},
	} {
		set, err := ParseChangeSet([]byte(`{"format":1,"set":{`+c.set+`}}`), OperatorSettings)
		if err != nil {
			t.Fatalf("%s: %v", c.set, err)
		}
		_, got := a.besideFaults(t, set)
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n got %q\nwant %q", c.set, got, c.want)
		}
		merged := ""
		if _, err := Merge(kept, []*ChangeSet{set}, nil); err != nil {
			merged = err.Error()
		}
		if (merged == "") != (len(c.want) == 0) {
			t.Errorf("%s: a merge says %q", c.set, merged)
		}
	}
}

func TestReverseChargeOfADocumentNeedsItsVATID(t *testing.T) {
	customer := func(members string) string {
		return strings.TrimSuffix(minimal, "}") + `,"customers":[{"id":"30000000-0000-4000-8000-000000000001","email":"a@b","reverse_charge":true` + members + `}]}`
	}
	if _, err := Parse([]byte(customer(``))); err == nil || err.Error() != "customers[0].reverse_charge: needs vat_id" {
		t.Errorf("without a VAT id: %v", err)
	}
	doc := mustParse(t, customer(`,"vat_id":"DE1"`))
	if !doc.Customers[0].ReverseCharge || !strings.Contains(string(customerText(&doc.Customers[0])), `"reverse_charge":true`) {
		t.Errorf("%+v", doc.Customers[0])
	}
}

func customerText(c *commerce.Customer) []byte { return customer.Append(nil, *c) }
