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

// orderTax is what totals of an order say, in words.
func orderTax(t *OrderTotals) string {
	return fmt.Sprintf("%d = %d + %d + %d,%s", t.Total, t.Subtotal, t.ShippingTotal, t.TaxTotal, rows(t.Breakdown))
}

func (s *scene) sellTo(name string) *CheckoutForm {
	return &CheckoutForm{Email: "buyer@example.com", CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{
		Method: sentID(post), Shipping: sentAddress(Address{Name: "Buyer", Country: name}),
	}}}
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

// A basket has the tax country that the request names, else the store's.
func TestTaxCountryOfABasket(t *testing.T) {
	s := taxScene(t)
	var e Evaluation
	for asked, want := range map[*Country]string{nil: "NL 3333 = 2755 + 578, 21: 2755 + 578", country("DE"): "DE 3333 = 2801 + 532, 19: 2801 + 532"} {
		b := &Basket{Lines: AddLines{{AddLine: s.add(lamp, One)}}, Country: asked}
		if got := cartTax(b.Price(&e, s.shop, guest, nil, noon).Evaluation); got != want {
			t.Errorf("%s; want %s", got, want)
		}
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
