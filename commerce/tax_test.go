package commerce

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

func TestSplitTaxRoundsHalfUp(t *testing.T) {
	for _, c := range []struct {
		sum       Amount
		rate      Percent
		included  bool
		base, tax Amount
	}{
		{1999, 21e9, true, 1652, 347}, // 346.93
		{1, 100e9, true, 0, 1},        // 0.5
		{50, 9e9, false, 50, 5},       // 4.5
		{MaxAmount, 100e9, true, 4_503_599_627_370_495, 4_503_599_627_370_496},
		{MaxAmount, 100e9, false, MaxAmount, MaxAmount},
	} {
		if base, tax := splitTax(c.sum, c.rate, c.included); base != c.base || tax != c.tax {
			t.Errorf("%d at %s %%, included %v: %d + %d; want %d + %d", c.sum, c.rate, c.included, base, tax, c.base, c.tax)
		}
	}
}

func TestSplitTaxIsTheDecimalOne(t *testing.T) {
	r := dice.New(t)
	for range 20_000 {
		sum, rate, included := Amount(upTo(r, int64(MaxAmount))), someRate(r), r.IntN(2) == 0
		wantBase, wantTax := modelTax(sum, rate, included)
		if base, tax := splitTax(sum, rate, included); base != wantBase || tax != wantTax {
			t.Fatalf("%d at %s %%, included %v: %d + %d; want %d + %d", sum, rate, included, base, tax, wantBase, wantTax)
		}
	}
}

// modelTax is the rule of the store document in decimals.
func modelTax(sum Amount, rate Percent, included bool) (base, tax Amount) {
	share := sum.decimal().Mul(rate.decimal())
	if included {
		tax = halfUp(share.DivRound(hundred.Add(rate.decimal()), 0))
		return sum - tax, tax
	}
	return sum, halfUp(share.Shift(-2))
}

func someRate(r *rand.Rand) Percent {
	usual := []Percent{0, 21e9, 9e9, 5_500_000_000, Hundred}
	if r.IntN(2) == 0 {
		return usual[r.IntN(len(usual))]
	}
	return Percent(upTo(r, int64(Hundred)))
}

// The goods of the examples of docs/api/tax.md: K is 3 × lamp and 1 × novel.
var (
	lamp    = testID(0x201) // 3333 at 21 %
	novel   = testID(0x202) // 1111 at 9 %
	service = testID(0x203) // 3333 at 21 %, not shipped
	post    = testID(0x251) // 695 at 21 %
)

func rateOf(percent string) Percent {
	p, err := ParsePercent(percent)
	if err != nil {
		panic(err)
	}
	return p
}

// countryRates are rates by country.
func countryRates(text map[string]string) map[Country]Percent {
	all := map[Country]Percent{}
	for name, rate := range text {
		all[*country(name)] = rateOf(rate)
	}
	return all
}

// taxScene is a cart of the examples' store with the goods K.
func taxScene(t *testing.T) *scene {
	s := newScene(t)
	high := &TaxRate{"high", rateOf("21"), countryRates(map[string]string{"DE": "19", "FR": "20", "SE": "25", "IE": "23"})}
	low := &TaxRate{"low", rateOf("9"), countryRates(map[string]string{"DE": "7", "FR": "5.5", "SE": "12", "IE": "0"})}
	s.shop.Country, s.shop.ExportCountries = *country("NL"), []Country{*country("CH")}
	s.shop.ReverseChargeCountries = []Country{*country("DE"), *country("FR")}
	s.shop.Products = []*Product{
		{ID: lamp, Name: "Lamp", Active: true, RequiresShipping: true, Tax: high, Prices: Prices{Base: price(3333)}},
		{ID: novel, Name: "Book", Active: true, RequiresShipping: true, Tax: low, Prices: Prices{Base: price(1111)}},
		{ID: service, Name: "Service", Active: true, Tax: high, Prices: Prices{Base: price(3333)}},
	}
	s.shop.ShippingMethods = []ShippingMethod{{ID: post, Name: "Parcel", Price: 695, Tax: high}}
	s.shop.Index()
	s.do(s.add(lamp, 3*One))
	s.do(s.add(novel, One))
	return s
}

// in is the scene with a kept country.
func (s *scene) keepCountry(name string) {
	s.Helper()
	to := Country{}
	if name != "" {
		to = *country(name)
	}
	s.do(&KeepCheckout{Country: &to})
}

// rows are the rows of a breakdown in words.
func rows(breakdown []TaxRow) (text string) {
	for _, row := range breakdown {
		text += fmt.Sprintf(" %s: %d + %d", row.Rate, row.Base, row.Tax)
	}
	return text
}

// cartTax is what an evaluated cart says about its tax, in words.
func cartTax(e *Evaluation) string {
	return fmt.Sprintf("%s%s %d = %d + %d,%s", e.Tax.Country, mark(e.Tax.Exemption), e.Total, e.Subtotal, e.TaxTotal, rows(e.Breakdown))
}

func mark(x Exemption) string {
	if x == NotExempt {
		return ""
	}
	return " " + x.String()
}

// wantTax compares the tax of the scene's cart.
func (s *scene) wantTax(want string) {
	s.Helper()
	if got := cartTax(s.evaluate()); got != want {
		s.Errorf("the cart: %s; want %s", got, want)
	}
}

// orderTax is what totals of an order say, in words.
func orderTax(t *OrderTotals) string {
	return fmt.Sprintf("%d = %d + %d + %d,%s", t.Total, t.Subtotal, t.ShippingTotal, t.TaxTotal, rows(t.Breakdown))
}

// wantOrder compares the totals of the order with the parcel.
func (s *scene) wantOrder(want string) {
	s.Helper()
	cart := *s.cart
	kept := KeptCheckout{At: s.in.Now}
	if before := s.cart.Checkout.at(s.in.Now); before != nil {
		kept = *before
	}
	kept.Method = post
	cart.Checkout = &kept
	p := PrepareCheckout(&cart, s.shop, s.in.Visitor, s.in.Now)
	if got := orderTax(&p.Totals); got != want {
		s.Errorf("the order: %s; want %s", got, want)
	}
}

func (s *scene) sellTo(name string) *CheckoutForm {
	return &CheckoutForm{Email: "buyer@example.com", CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{
		Method: sentID(post), Shipping: sentAddress(Address{Name: "Buyer", Country: name}),
	}}}
}

// Examples 1 to 3 of docs/api/tax.md.
func TestTaxOfTheCountry(t *testing.T) {
	s := taxScene(t)
	s.wantTax("NL 11110 = 9283 + 1827, 21: 8264 + 1735 9: 1019 + 92")
	s.wantOrder("11805 = 9283 + 574 + 1948, 21: 8838 + 1856 9: 1019 + 92")
	s.keepCountry("de")
	s.wantTax("DE 11110 = 9441 + 1669, 19: 8403 + 1596 7: 1038 + 73")
	s.wantOrder("11805 = 9441 + 584 + 1780, 19: 8987 + 1707 7: 1038 + 73")
	s.do(&KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Shipping: sentAddress(Address{Name: "Buyer", Country: "SE"})}}})
	s.wantTax("SE 11110 = 8991 + 2119, 25: 7999 + 2000 12: 992 + 119")
	s.in.Now = s.in.Now.Add(25 * time.Hour)
	s.wantTax("DE 11110 = 9441 + 1669, 19: 8403 + 1596 7: 1038 + 73")
	s.keepCountry("FR")
	s.wantTax("FR 11110 = 9385 + 1725, 20: 8332 + 1667 5.5: 1053 + 58")
	s.keepCountry("BE")
	s.wantTax("BE 11110 = 9283 + 1827, 21: 8264 + 1735 9: 1019 + 92")
	s.keepCountry("")
	s.wantTax("NL 11110 = 9283 + 1827, 21: 8264 + 1735 9: 1019 + 92")
	if s.cart.Checkout != nil {
		t.Errorf("a cleared country leaves %+v", s.cart.Checkout)
	}
}

// Example 4: an export has no tax, and the home tax comes off.
func TestTaxOfAnExport(t *testing.T) {
	s := taxScene(t)
	s.keepCountry("CH")
	s.wantTax("CH export 9283 = 9283 + 0, 0: 9283 + 0")
	e := s.evaluate()
	if e.LineTotals[0] != 9999 || e.LineTotals[1] != 1111 {
		t.Errorf("line totals %v; want the listed ones", e.LineTotals)
	}
	d := e.LineDetails(s.shop, s.shop.PriceView(&s.in.Visitor, e.Tax.Country, s.in.Now), 0, nil)
	if d.UnitNet != 2755 || d.Rate != 0 || d.Unit != 3333 {
		t.Errorf("the line: %d at %s, without tax %d", d.Unit, d.Rate, d.UnitNet)
	}
	x := Explain(s.cart, s.shop, s.in.Visitor, s.in.Now, nil)
	steps := ""
	for _, step := range x.Taxes {
		steps += fmt.Sprintf(" %s of %d: %d + %d exempt %v, %s of %s / %s", step.Rate, step.Sum, step.Base, step.Tax, step.Exempt, step.Quotient,
			step.Of, step.Divide)
	}
	if want := " 21 of 9999: 8264 + 1735 exempt true, 1735 of 9999 / 121 9 of 1111: 1019 + 92 exempt true, 91 of 1111 / 109"; steps != want {
		t.Errorf("explained:%s; want%s", steps, want)
	}
	o := DeliveryOptions(s.cart, s.shop, guest, s.in.Now, country("CH"))[0]
	if o.Cost != 695 || o.Net != 574 || o.Gross != 574 || o.TaxRate != 0 || o.OrderTotal != 9857 {
		t.Errorf("the parcel: %+v", o)
	}
	s.cart.Lines = nil
	s.wantTax("CH export 0 = 0 + 0,")
}

// Example 5: the minimum order value looks at the total with the tax of the country.
func TestMinimumOfAnExport(t *testing.T) {
	s := taxScene(t)
	s.shop.Policy.MinOrderValue = price(10_000)
	s.refuse(&Checkout{OrderID: orderID, CheckoutForm: *s.sellTo("CH")}, MinOrderNotReached)
	s.do(&Checkout{OrderID: orderID, CheckoutForm: *s.sellTo("NL")})
}

// Example 6: reverse charge.
func TestTaxOfReverseCharge(t *testing.T) {
	s := taxScene(t)
	business := Visitor{Known: true, CustomerID: testID(0xb2b), B2B: true, Approved: true, ReverseCharge: true}
	s.in.Visitor, s.in.Contact = business, &Contact{ID: business.CustomerID, VATID: "DE123456789", ReverseCharge: true, Email: "b@example.com"}
	for _, c := range []struct{ country, want string }{
		{"DE", "DE reverse_charge 9283 = 9283 + 0, 0: 9283 + 0"},
		{"NL", "NL 11110 = 9283 + 1827, 21: 8264 + 1735 9: 1019 + 92"},
		{"SE", "SE 11110 = 8991 + 2119, 25: 7999 + 2000 12: 992 + 119"},
	} {
		s.keepCountry(c.country)
		s.wantTax(c.want)
	}
	s.in.Visitor = guest
	s.keepCountry("DE")
	s.wantOrder("11805 = 9441 + 584 + 1780, 19: 8987 + 1707 7: 1038 + 73")
	form := s.sellTo("DE")
	form.ExpectedTotal = price(11805)
	s.in.Visitor = business
	_, _, r := s.try(&Checkout{OrderID: orderID, CheckoutForm: *form})
	if r == nil || r.Code != TotalChanged.Code || *r.CurrentTotal != 9857 {
		t.Fatalf("got %v; want 409 with 9857", r)
	}
	form.ExpectedTotal = price(9857)
	s.do(&Checkout{OrderID: orderID, CheckoutForm: *form})
	o := s.effects.Sale.Order
	if o.VATID != "DE123456789" || o.Tax != (Taxation{*country("DE"), ReverseCharge, true}) || o.Shipping.TaxRate != rateOf("21") || o.Lines[0].TaxRate != 0 ||
		o.Lines[0].Tax != rateOf("21") || o.Lines[1].Tax != rateOf("9") {
		t.Errorf("the order: %+v", o)
	}
	s.shop.Modules = s.shop.Modules &^ (1 << ModuleCustomers)
	if x := s.shop.Taxation(*country("DE"), &business).Exemption; x != NotExempt {
		t.Errorf("with the customers module off: %s", x)
	}
}

// Example 7: prices without tax.
func TestTaxOfTheCountryIsAdded(t *testing.T) {
	s := taxScene(t)
	s.shop.PricesIncludeTax = false
	s.wantOrder("14151 = 11110 + 695 + 2346, 21: 10694 + 2246 9: 1111 + 100")
	s.keepCountry("DE")
	s.wantOrder("13915 = 11110 + 695 + 2110, 19: 10694 + 2032 7: 1111 + 78")
	s.keepCountry("CH")
	s.wantOrder("11805 = 11110 + 695 + 0, 0: 11805 + 0")
	for _, step := range Explain(s.cart, s.shop, guest, s.in.Now, nil).Taxes {
		if !step.Exempt || step.Tax != 0 || step.Base != step.Sum || step.Quotient.Sign() != 0 {
			t.Errorf("explained: %+v", step)
		}
	}
}

// Example 8: a delivery with the rate of the goods, and a rate of 0, which is no exemption.
func TestTaxOfTheDelivery(t *testing.T) {
	s := taxScene(t)
	s.do(RemoveLine{LineID: s.cart.Lines[0].ID.String()})
	s.do(s.add(novel, One))
	s.wantOrder("2917 = 2039 + 574 + 304, 21: 574 + 121 9: 2039 + 183")
	s.shop.ShippingMethods[0].TaxOfGoods = true
	s.wantOrder("2917 = 2039 + 637 + 241, 9: 2676 + 241")
	s.keepCountry("CH")
	s.wantOrder("2676 = 2039 + 637 + 0, 0: 2676 + 0")
	s.shop.ShippingMethods[0].TaxOfGoods = false
	s.keepCountry("IE")
	s.wantOrder("2917 = 2222 + 565 + 130, 23: 565 + 130 0: 2222 + 0")
	if x := s.evaluate().Tax.Exemption; x != NotExempt {
		t.Errorf("a rate of 0 is %s", x)
	}
}

// Example 9: a quote is for its tax country.
func TestTaxCountryOfAQuote(t *testing.T) {
	s := taxScene(t)
	s.keepCountry("DE")
	s.do(&RequestQuote{QuoteID: quoteID, QuoteForm: QuoteForm{Email: "buyer@example.com"}})
	quote := s.effects.Sale.Quote
	accept := func(to string) (*Quote, Effects, *Refusal) {
		a := &AcceptQuote{OrderID: orderID, AcceptForm: AcceptForm{AskedDelivery: s.sellTo(to).AskedDelivery}}
		return ChangeQuote(quote, a, &s.in)
	}
	if _, _, r := accept("NL"); inWords(r) != inWords(FaultOf("shipping_address.country", MsgQuoteCountry(*country("DE")))) ||
		r.Message != "This quote is for DE." {
		t.Errorf("in NL: %v", r)
	}
	_, effects, r := accept("de")
	if r != nil || effects.Sale.Order.Totals.Total != 11805 || orderTax(&effects.Sale.Order.Totals) != "11805 = 9441 + 584 + 1780, 19: 8987 + 1707 7: 1038 + 73" {
		t.Fatalf("in DE: %v, %+v", r, effects.Sale)
	}
	if _, r := quote.DeliveryOptions(s.shop, country("NL")); inWords(r) != inWords(FaultOf("country", MsgQuoteCountry(*country("DE")))) {
		t.Errorf("deliveries in NL: %v", r)
	}
	for _, to := range []*Country{nil, country("DE")} {
		if options, r := quote.DeliveryOptions(s.shop, to); r != nil || len(options) != 1 || options[0].TaxRate != rateOf("19") || options[0].OrderTotal != 11805 {
			t.Errorf("deliveries in %v: %v, %+v", to, r, options)
		}
	}
	// Rates of later days do not count, and nor does the store's country for a quote without one.
	s.shop.Products[0].Tax = taxed(0)
	if _, effects, _ = accept("DE"); effects.Sale.Order.Totals.Total != 11805 {
		t.Errorf("after a change of rates: %+v", effects.Sale.Order.Totals)
	}
	quote.Tax.Country = Country{}
	if _, _, r := accept("NL"); r != nil {
		t.Errorf("a quote of a store without country: %v", r)
	}
}

// Example 10: without goods to ship the billing address counts.
func TestTaxCountryOfServices(t *testing.T) {
	s := taxScene(t)
	s.cart.Lines = nil
	s.do(s.add(service, One))
	s.do(&KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{
		Shipping: sentAddress(Address{Name: "Buyer", Country: "SE"}), Billing: sentAddress(Address{Name: "Buyer", Country: "DE"}),
	}}})
	if c := s.evaluate().Tax.Country; c != *country("DE") {
		t.Errorf("the tax country is %s; want DE", c)
	}
	s.do(&RequestQuote{QuoteID: quoteID, QuoteForm: QuoteForm{Email: "buyer@example.com"}})
	a := &AcceptQuote{OrderID: orderID, AcceptForm: AcceptForm{AskedDelivery: AskedDelivery{Billing: sentAddress(Address{Name: "Buyer", Country: "SE"})}}}
	_, _, r := ChangeQuote(s.effects.Sale.Quote, a, &s.in)
	if inWords(r) != inWords(FaultOf("billing_address.country", MsgQuoteCountry(*country("DE")))) {
		t.Errorf("billed to SE: %v", r)
	}
}

// The addresses that a checkout sells with take the place of the kept ones; the kept country counts without one.
func TestTaxCountryOfACheckout(t *testing.T) {
	inBook := Address{ID: testID(0xa1), Type: "shipping", Name: "Ada", Country: "FR"}
	for _, c := range []struct {
		name       string
		kept, sent string // the country of a kept and of a sent address
		book       bool
		want       string
	}{
		{"the kept country", "", "", false, ""},
		{"a sent address", "", "SE", false, "SE"},
		{"a sent address before a kept one", "FR", "SE", false, "SE"},
		{"a kept address", "FR", "", false, "FR"},
		{"an address of the book", "SE", "", true, "FR"},
		{"a country of one letter is none", "", "1x", false, "DE"},
	} {
		s := taxScene(t)
		s.keepCountry("DE")
		form := s.sellTo(c.sent)
		if c.kept != "" {
			s.do(&KeepCheckout{CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Shipping: sentAddress(Address{Name: "Kept", Country: c.kept})}}})
		}
		if c.sent == "" {
			form.Shipping = AskedAddress{}
		}
		if c.book {
			s.in.Visitor, s.in.Contact = ada, &Contact{ID: ada.CustomerID, Addresses: []Address{inBook}}
			form.Shipping.InBook = sentID(inBook.ID)
		}
		next, effects, r := s.try(&Checkout{OrderID: orderID, CheckoutForm: *form})
		if c.want == "" {
			if r == nil {
				t.Errorf("%s: sold without an address", c.name)
			}
			continue
		}
		if r != nil || effects.Sale.Order.Tax.Country != *country(c.want) || next.Checkout != nil {
			t.Errorf("%s: %v, %+v", c.name, r, effects.Sale)
		}
	}
}

// A line whose product is gone has the home rate of its last write, in every country.
func TestTaxOfAGoneProduct(t *testing.T) {
	s := taxScene(t)
	s.keepCountry("DE")
	s.shop.Products = s.shop.Products[1:]
	s.shop.Index()
	s.wantTax("DE 11110 = 9302 + 1808, 21: 8264 + 1735 7: 1038 + 73")
}

// The kept country lasts, is a value that a claim takes over, and is the country of the deliveries in any store.
func TestKeptCountry(t *testing.T) {
	s := taxScene(t)
	s.shop.Country, s.shop.ExportCountries, s.shop.ReverseChargeCountries = Country{}, nil, nil
	s.shop.ShippingMethods = append(s.shop.ShippingMethods, ShippingMethod{ID: express, Name: "Express", Price: 995, Countries: []Country{*country("BE")}})
	s.keepCountry("DE")
	p := PrepareCheckout(s.cart, s.shop, guest, s.in.Now)
	if len(p.Methods) != 1 || p.Country != *country("DE") || (p.Tax.Country != Country{}) {
		t.Errorf("in a store without country: %+v", p)
	}
	s.in.Now = s.in.Now.Add(48 * time.Hour)
	if k := s.cart.Checkout.at(s.in.Now); k == nil || k.Country != *country("DE") {
		t.Errorf("after two days: %+v", k)
	}
	other := s.cart
	claimed := newScene(t)
	claimed.shop, claimed.in.Store, claimed.in.Visitor, claimed.in.Now, claimed.in.Others = s.shop, s.shop, ada, s.in.Now, []*Cart{other}
	claimed.do(ClaimCart{})
	if k := claimed.cart.Checkout; k == nil || k.Country != *country("DE") {
		t.Errorf("after a claim: %+v", k)
	}
}

// A basket and its deliveries have the tax country that the request names.
func TestTaxCountryOfABasket(t *testing.T) {
	s := taxScene(t)
	b := &Basket{Lines: AddLines{{AddLine: s.add(lamp, 3*One)}, {AddLine: s.add(novel, One)}}, Country: country("DE")}
	var e Evaluation
	p := b.Price(&e, s.shop, guest, nil, noon)
	if got := cartTax(p.Evaluation); got != "DE 11110 = 9441 + 1669, 19: 8403 + 1596 7: 1038 + 73" || p.Rows[0].Rate != rateOf("19") || p.Rows[0].UnitNet != 2801 {
		t.Errorf("%s, the first row %+v", got, p.Rows[0].LineAmounts)
	}
	if o := p.Deliveries[0]; o.TaxRate != rateOf("19") || o.OrderTotal != 11805 {
		t.Errorf("the parcel: %+v", o)
	}
	b.Country = nil
	if got := cartTax(b.Price(&e, s.shop, guest, nil, noon).Evaluation); got != "NL 11110 = 9283 + 1827, 21: 8264 + 1735 9: 1019 + 92" {
		t.Errorf("without country: %s", got)
	}
}

// A PUT that changes the VAT id ends reverse charge; it needs a VAT id.
func TestReverseChargeNeedsItsVATID(t *testing.T) {
	yes, id, other, none := true, "DE1", "DE2", ""
	account := &Contact{ID: uuid.New(), Email: "a@b"}
	put := func(a *ExternalAccount) {
		a.Email = account.Email
		if r := a.Judge(account); r != nil {
			t.Fatalf("%+v: %v", a, r)
		}
		account, _ = a.Change(account, "", noon)
	}
	refused := FaultOf("reverse_charge", MsgIn("reverse_charge"))
	for _, a := range []*ExternalAccount{{ReverseCharge: &yes}, {ReverseCharge: &yes, VATID: &none}} {
		a.Email = account.Email
		if r := a.Judge(account); inWords(r) != inWords(refused) {
			t.Errorf("without VAT id: %v", r)
		}
	}
	for i, step := range []struct {
		put  ExternalAccount
		want bool
	}{
		{ExternalAccount{VATID: &id, ReverseCharge: &yes}, true},
		{ExternalAccount{}, true},
		{ExternalAccount{VATID: &id}, true},
		{ExternalAccount{VATID: &other}, false},
		{ExternalAccount{ReverseCharge: &yes}, true},
		{ExternalAccount{VATID: &none}, false},
	} {
		if put(&step.put); account.ReverseCharge != step.want || !account.Own.Has(OwnCompany) {
			t.Errorf("step %d: reverse charge %v; want %v", i, account.ReverseCharge, step.want)
		}
	}
}
