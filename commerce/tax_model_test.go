package commerce

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/internal/dice"
)

// The countries of random stores. The last ones are no countries.
var (
	someCountries = []string{"NL", "DE", "FR", "SE", "CH", "IE"}
	noCountries   = []string{"", "1x", "xyz"}
)

// someTaxes makes a random store tax by country, at times, and returns a visitor and what a cart keeps.
func someTaxes(r *rand.Rand, s *Store, c *Cart) Visitor {
	s.Modules = AllModules()
	if r.IntN(8) == 0 {
		s.Modules &^= 1 << ModuleCustomers
	}
	if r.IntN(5) > 0 {
		s.Country = *country(someCountries[r.IntN(len(someCountries))])
		for _, name := range someCountries {
			switch to := *country(name); {
			case to == s.Country:
			case r.IntN(5) == 0:
				s.ExportCountries = append(s.ExportCountries, to)
			case r.IntN(3) == 0:
				s.ReverseChargeCountries = append(s.ReverseChargeCountries, to)
			}
		}
		var few []*TaxRate
		for range 3 {
			few = append(few, someRates(r, s))
		}
		for _, p := range s.Products {
			p.Tax = few[r.IntN(len(few))]
		}
		for i := range s.ShippingMethods {
			s.ShippingMethods[i].Tax, s.ShippingMethods[i].TaxOfGoods = few[r.IntN(len(few))], r.IntN(2) == 0
		}
	}
	for i := range c.Lines {
		c.Lines[i].Tax = someRate(r)
	}
	address := func() (a Address) {
		if r.IntN(2) == 0 {
			a = Address{Name: "A", Country: slices.Concat(someCountries, noCountries)[r.IntN(len(someCountries)+len(noCountries))]}
			if r.IntN(2) == 0 {
				a.Country = strings.ToLower(a.Country)
			}
		}
		return a
	}
	if r.IntN(3) > 0 {
		kept := KeptCheckout{Shipping: address(), Billing: address(), At: noon.Add(-time.Duration(r.IntN(30)) * time.Hour)}
		if r.IntN(2) == 0 {
			kept.Country = *country(someCountries[r.IntN(len(someCountries))])
		}
		c.Checkout = &kept
	}
	return Visitor{Known: r.IntN(3) > 0, CustomerID: testID(0xada), ReverseCharge: r.IntN(2) == 0}
}

// someRates is a random rate with some countries, but none of the store's own and of exports.
func someRates(r *rand.Rand, s *Store) *TaxRate {
	rate := &TaxRate{Rate: someRate(r)}
	for _, name := range someCountries {
		if to := *country(name); to != s.Country && !slices.Contains(s.ExportCountries, to) && r.IntN(2) == 0 {
			if rate.Countries == nil {
				rate.Countries = map[Country]Percent{}
			}
			rate.Countries[to] = someRate(r)
		}
	}
	return rate
}

// slowTax is the taxation of a cart by the words of docs/api/tax.md, with fractions.
type slowTax struct {
	store     *Store
	country   string // empty in a store without one
	exemption string
}

func slowTaxOf(c *Cart, s *Store, v Visitor, asked string) *slowTax {
	m := &slowTax{store: s}
	if m.country = s.Country.String(); m.country == "" {
		return m
	}
	ships := false
	for _, l := range c.Lines {
		for _, p := range s.Products {
			ships = ships || p.ID == l.ProductID && p.RequiresShipping
		}
	}
	if asked != "" {
		m.country = asked
	} else if k := c.Checkout; k != nil {
		if k.Country.String() != "" {
			m.country = k.Country.String()
		}
		address := k.Billing
		if ships {
			address = k.Shipping
		}
		if name := strings.ToUpper(address.Country); noon.Sub(k.At) < 24*time.Hour && slices.Contains(someCountries, name) {
			m.country = name
		}
	}
	for _, to := range s.ExportCountries {
		if to.String() == m.country {
			m.exemption = "export"
		}
	}
	for _, to := range s.ReverseChargeCountries {
		if to.String() == m.country && v.Known && v.ReverseCharge && s.Modules.Has(ModuleCustomers) {
			m.exemption = "reverse_charge"
		}
	}
	return m
}

// rate is the rate of a code: that of the tax country, or the home rate, which an exempt cart has.
func (m *slowTax) rate(of *TaxRate) Percent {
	for to, rate := range of.Countries {
		if to.String() == m.country && m.exemption == "" {
			return rate
		}
	}
	return of.Rate
}

func (m *slowTax) lineRate(l *Line) Percent {
	for _, p := range m.store.Products {
		if p.ID == l.ProductID {
			return m.rate(p.Tax)
		}
	}
	return l.Tax
}

// halfUpOf is a × p / whole, rounded half up.
func halfUpOf(a Amount, p, whole Percent) Amount {
	x := new(big.Rat).Mul(new(big.Rat).SetInt64(int64(a)), big.NewRat(int64(p), int64(whole)))
	x.Add(x, big.NewRat(1, 2))
	return Amount(new(big.Int).Div(x.Num(), x.Denom()).Int64())
}

// base is a sum without its tax.
func (m *slowTax) base(sum Amount, rate Percent) Amount {
	if !m.store.PricesIncludeTax {
		return sum
	}
	return sum - halfUpOf(sum, rate, Hundred+rate)
}

// figures are the sums by rate as totals.
func (m *slowTax) figures(sums map[Percent]Amount) (base, tax, total Amount, breakdown []TaxRow) {
	for rate, sum := range sums {
		row := TaxRow{Rate: rate, Base: m.base(sum, rate)}
		switch {
		case m.exemption != "":
		case m.store.PricesIncludeTax:
			row.Tax = sum - row.Base
		default:
			row.Tax = halfUpOf(sum, rate, Hundred)
		}
		base, tax = base+row.Base, tax+row.Tax
		breakdown = append(breakdown, row)
	}
	slices.SortFunc(breakdown, func(a, b TaxRow) int { return int(min(1, max(-1, b.Rate-a.Rate))) })
	if m.exemption != "" && len(breakdown) > 0 {
		breakdown = []TaxRow{{Base: base}}
	}
	return base, tax, base + tax, breakdown
}

// compareTaxes compares random carts in random countries with the slow model: totals, orders by each method,
// rows of deliveries, and the amounts of lines.
func compareTaxes(t *testing.T, carts int) {
	r := dice.New(t)
	var e Evaluation // reused: nothing of the last cart may remain
	met := map[string]int{}
	for range carts {
		s, c := someDiscounts(r)
		someDelivery(r, s)
		visitor := someTaxes(r, s, c)
		s.Index()
		e.Evaluate(c, s, visitor, noon)
		m := slowTaxOf(c, s, visitor, "")
		if got, want := cartTax(&e), m.cart(&e); got != want {
			t.Fatalf("store %s, exports %v, reverse charge %v, visitor %+v, kept %+v\n got %s\nwant %s", s.Country, s.ExportCountries,
				s.ReverseChargeCountries, visitor, c.Checkout, got, want)
		}
		if broken, is := e.Broken(); is {
			t.Fatalf("%s does not hold: %+v", broken, e)
		}
		for i := range c.Lines {
			d := e.LineDetails(s, s.PriceView(&visitor, e.Tax.Country, noon), i, nil)
			rate := m.lineRate(&c.Lines[i])
			if d.TotalNet != m.base(e.LineTotals[i], rate) || d.UnitNet != m.base(d.Unit, rate) || d.Rate != m.shown(rate) {
				t.Fatalf("line %d: %+v", i, d.LineAmounts)
			}
		}
		m.compareOrders(t, c, visitor)
		asked := someCountries[r.IntN(len(someCountries))]
		there := slowTaxOf(c, s, visitor, asked)
		for _, o := range DeliveryOptions(c, s, visitor, noon, country(asked)) {
			there.compareRow(t, c, visitor, &o)
		}
		met[m.exemption]++
		met[fmt.Sprint("included ", s.PricesIncludeTax)]++
		met[fmt.Sprint("abroad ", m.country != s.Country.String())]++
	}
	for name, n := range met {
		if n < carts/100 {
			t.Errorf("only %d carts with %q", n, name)
		}
	}
}

func (m *slowTax) shown(rate Percent) Percent {
	if m.exemption != "" {
		return 0
	}
	return rate
}

// sums are the line totals of an evaluated cart by rate.
func (m *slowTax) sums(e *Evaluation) map[Percent]Amount {
	sums := map[Percent]Amount{}
	for i := range e.LineTotals {
		sums[m.lineRate(&e.Cart.Lines[i])] += e.LineTotals[i]
	}
	return sums
}

func (m *slowTax) cart(e *Evaluation) string {
	base, tax, total, breakdown := m.figures(m.sums(e))
	exemption := ""
	if m.exemption != "" {
		exemption = " " + m.exemption
	}
	return fmt.Sprintf("%s%s %d = %d + %d,%s", m.country, exemption, total, base, tax, rows(breakdown))
}

// deliveryRate is the rate of a delivery of a cart by a method.
func (m *slowTax) deliveryRate(e *Evaluation, method *ShippingMethod) Percent {
	highest, ships := Percent(0), false
	for i := range e.Cart.Lines {
		for _, p := range m.store.Products {
			if p.ID == e.Cart.Lines[i].ProductID && p.RequiresShipping {
				highest, ships = max(highest, m.rate(p.Tax)), true
			}
		}
	}
	if method.TaxOfGoods && ships {
		return highest
	}
	return m.rate(method.Tax)
}

// compareOrders compares the order of a cart by each method, and what it freezes.
func (m *slowTax) compareOrders(t *testing.T, c *Cart, v Visitor) {
	t.Helper()
	sold := evaluateForCheckout(c, m.store, v, noon)
	consignment, goods := sold.consignment(), sold.goods(m.store)
	base, _, _, _ := m.figures(m.sums(&sold.Evaluation))
	for i := range m.store.ShippingMethods {
		method, o := &m.store.ShippingMethods[i], Order{}
		o.fill(&goods, consignment.by(method), sold.Tax)
		sums, rate := m.sums(&sold.Evaluation), m.deliveryRate(&sold.Evaluation, method)
		sums[rate] += o.Shipping.Price
		all, tax, total, breakdown := m.figures(sums)
		want := OrderTotals{Subtotal: base, ShippingTotal: all - base, TaxTotal: tax, Total: total, Breakdown: breakdown}
		if got := orderTax(&o.Totals); got != orderTax(&want) || o.Tax != sold.Tax {
			t.Fatalf("by %+v: the order %s; want %s", method, got, orderTax(&want))
		}
		if frozen := o.Shipping.TaxRate; m.country != "" && frozen != rate || m.country == "" && frozen != 0 {
			t.Fatalf("by %+v: the order has the rate %s; want %s", method, frozen, rate)
		}
		for i := range o.Lines {
			if l := &o.Lines[i]; l.TaxRate != m.shown(m.lineRate(&c.Lines[i])) || l.Net(l.Total, &o.Tax) != m.base(l.Total, m.lineRate(&c.Lines[i])) {
				t.Fatalf("the order's line %+v", l)
			}
		}
	}
}

// compareRow compares a row of deliveries in a country.
func (m *slowTax) compareRow(t *testing.T, c *Cart, v Visitor, o *DeliveryOption) {
	t.Helper()
	to, _ := ParseCountry(m.country)
	var e Evaluation
	if !m.store.Modules.Has(ModuleCustomers) {
		v = Visitor{}
	}
	e.evaluateIn(to, c, m.store, v, noon)
	sums, rate := m.sums(&e), m.deliveryRate(&e, o.ShippingMethod)
	base, _, _, _ := m.figures(sums)
	sums[rate] += o.Cost
	all, _, total, _ := m.figures(sums)
	gross := m.base(o.Cost, rate)
	if m.exemption == "" {
		_, _, gross, _ = m.figures(map[Percent]Amount{rate: o.Cost})
	}
	if o.OrderTotal != total || o.Net != all-base || o.Gross != gross || o.TaxRate != m.shown(rate) {
		t.Fatalf("in %s %s: the row %+v; want order_total %d, without tax %d, with tax %d at %s", m.country, m.exemption, o, total, all-base, gross, m.shown(rate))
	}
}

func TestTaxesMatchTheModel(t *testing.T) { compareTaxes(t, 1_500) }
