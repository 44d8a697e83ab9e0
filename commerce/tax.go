package commerce

import (
	"slices"
)

// TaxRow is one entry of tax_breakdown. Spec: totals.
type TaxRow struct {
	Rate      Percent
	Base, Tax Amount
}

// taxRows sums up the line totals by rate and splits each sum into base and tax. There is one row
// for each rate, highest rate first, also if the sum is 0. Spec: totals, tax_breakdown.
func (e *Evaluation) taxRows(c *Cart, s *Store) {
	e.groups = e.groups[:0]
	for i := range c.Lines {
		e.sum(e.LineTotals[i], c.Lines[i].applied(s, &e.Tax))
	}
	e.splitRows()
}

// sum adds an amount to the group of the rate that is applied to it.
func (e *Evaluation) sum(a Amount, applied Percent) {
	group := e.group(applied)
	group.Base = e.add(group.Base, a)
}

// splitRows divides the sum of each group into base and tax. An exempt cart has one row, without tax.
func (e *Evaluation) splitRows() {
	for i := range e.groups {
		group := &e.groups[i]
		group.Base, group.Tax = e.Tax.split(group.Base, group.Rate)
	}
	if e.Breakdown = e.groups; e.Tax.Exemption == NotExempt || len(e.groups) == 0 {
		return
	}
	all := TaxRow{}
	for i := range e.groups {
		all.Base = e.add(all.Base, e.groups[i].Base)
	}
	e.Breakdown = []TaxRow{all}
}

// group returns the group of a rate and makes it if it does not exist. The pointer is valid until
// the next call.
func (e *Evaluation) group(applied Percent) *TaxRow {
	at := 0
	for at < len(e.groups) && e.groups[at].Rate > applied {
		at++
	}
	if at == len(e.groups) || e.groups[at].Rate != applied {
		e.groups = slices.Insert(e.groups, at, TaxRow{Rate: applied})
	}
	return &e.groups[at]
}

// applied is the rate that a taxation applies to the current product, active or not. If the product is gone,
// it is the product's last home rate.
func (l *Line) applied(s *Store, t *Taxation) Percent {
	if p := s.Product(l.ProductID); p != nil {
		return t.applied(p.Tax)
	}
	return l.Tax
}

// splitTax splits the sum of a rate's line totals into base and tax, rounded half up once for the
// whole sum. Spec: totals, prices_include_tax.
func splitTax(sum Amount, rate Percent, included bool) (base, tax Amount) {
	if !included {
		return sum, sum.Percent(rate)
	}
	tax, _ = sum.scale(uint64(rate), uint64(Hundred+rate)) // at most sum
	return sum - tax, tax
}

// Exemption is why a cart has no tax. docs/api/tax.md#exemption.
type Exemption uint8

const (
	NotExempt Exemption = iota
	// Export: the tax country is one of the store's export countries.
	Export
	// ReverseCharge: the customer, a business with a VAT id in another member state, pays the tax there.
	ReverseCharge
	exemptionCount
)

var exemptionNames = [exemptionCount]string{"", "export", "reverse_charge"}

// String returns the exemption as the API spells it; empty if there is none.
func (x Exemption) String() string { return exemptionNames[x] }

// Known reports whether x is an exemption, or none.
func (x Exemption) Known() bool { return x < exemptionCount }

// ExemptionNames are the names of all exemptions.
func ExemptionNames() []string { return slices.Clone(exemptionNames[NotExempt+1:]) }

// Taxation is how amounts are taxed. docs/api/tax.md.
type Taxation struct {
	// Country is the tax country; zero in a store that does not tax by country.
	Country   Country
	Exemption Exemption
	// Included is the basis of the prices: true if they include tax.
	Included bool
}

// Taxation is the taxation of a visitor in a tax country, which may be zero.
func (s *Store) Taxation(country Country, v *Visitor) Taxation {
	t := Taxation{Country: country, Included: s.PricesIncludeTax}
	switch {
	case country == Country{}:
	case slices.Contains(s.ExportCountries, country):
		t.Exemption = Export
	case v.Known && v.ReverseCharge && s.Modules.Has(ModuleCustomers) && slices.Contains(s.ReverseChargeCountries, country):
		t.Exemption = ReverseCharge
	}
	return t
}

// ReverseChargeOf reports whether a cart of the visitor may be exempt by reverse charge.
func (s *Store) ReverseChargeOf(v *Visitor) bool {
	return v.Known && v.ReverseCharge && len(s.ReverseChargeCountries) > 0 && s.Modules.Has(ModuleCustomers)
}

// TaxRate is a named rate in percent.
type TaxRate struct {
	Code string
	// Rate is the home rate: it holds in the store's country and in each country without a rate of its own.
	Rate Percent
	// Countries are the rates of other countries; nil if there are none.
	Countries map[Country]Percent
}

// Home is the home rate; 0 for nil.
func (r *TaxRate) Home() Percent {
	if r == nil {
		return 0
	}
	return r.Rate
}

// applied is the rate that divides sums into base and tax: that of the tax country, but the home rate if
// there is an exemption, whose tax comes off.
func (t *Taxation) applied(r *TaxRate) Percent {
	if r != nil && len(r.Countries) > 0 && t.Exemption == NotExempt {
		if rate, own := r.Countries[t.Country]; own {
			return rate
		}
	}
	return r.Home()
}

// Charged is the rate that a visitor is shown where a rate is applied.
func (t *Taxation) Charged(applied Percent) Percent {
	if t.Exemption != NotExempt {
		return 0
	}
	return applied
}

// Rate is the tax rate that counts, 0 if there is an exemption.
func (t *Taxation) Rate(r *TaxRate) Percent { return t.Charged(t.applied(r)) }

// Net returns an amount without its tax, rounded half up.
func (t *Taxation) Net(a Amount, r *TaxRate) Amount { return t.net(a, t.applied(r)) }

func (t *Taxation) net(a Amount, applied Percent) Amount {
	base, _ := t.split(a, applied)
	return base
}

// gross is an amount with the tax that is charged, rounded half up by itself.
func (t *Taxation) gross(a Amount, applied Percent) Amount {
	base, tax := t.split(a, applied)
	if t.Exemption != NotExempt {
		return base
	}
	return base + tax
}

// split divides a sum into its base and its tax, rounded half up once. The tax of an exemption is what comes
// off the sum.
func (t *Taxation) split(sum Amount, applied Percent) (base, tax Amount) {
	if t.Exemption != NotExempt && !t.Included {
		return sum, 0
	}
	return splitTax(sum, applied, t.Included)
}

// destination has the countries that can decide a tax country; each is zero if there is none.
type destination struct {
	shipping, billing Country
	// asked is the country that the cart keeps or the request names.
	asked Country
}

// taxCountry is the tax country of a cart: the one function that makes it. It is zero in a store that does
// not tax by country. docs/api/tax.md#the-tax-country.
func (s *Store) taxCountry(c *Cart, to destination) Country {
	if (s.Country == Country{}) {
		return Country{}
	}
	address := to.billing
	if c.RequiresShipping(s) {
		address = to.shipping
	}
	for _, country := range [...]Country{address, to.asked} {
		if (country != Country{}) {
			return country
		}
	}
	return s.Country
}

// CountryOr is the tax country of a request that names a country, nil for none, and has no addresses.
func (s *Store) CountryOr(asked *Country) Country {
	if (s.Country == Country{}) || asked == nil {
		return s.Country
	}
	return *asked
}

// destination is what the cart keeps at a time, which decides its tax country.
func (k *KeptCheckout) destination() destination {
	if k == nil {
		return destination{}
	}
	return destination{shipping: k.Shipping.taxCountry(), billing: k.Billing.taxCountry(), asked: k.Country}
}

// taxCountry is the address's country; zero if it is not two letters. The address may be nil.
func (a *Address) taxCountry() Country {
	if a == nil {
		return Country{}
	}
	country, _ := ParseCountry(a.Country)
	return country
}
