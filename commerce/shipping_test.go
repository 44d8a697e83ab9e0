package commerce

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

func country(text string) *Country {
	c, _ := ParseCountry(text)
	return &c
}

// optionsText are options as text: the last byte of the method's id, its cost, the order's total.
func optionsText(options []DeliveryOption) (text []string) {
	for _, o := range options {
		text = append(text, fmt.Sprintf("%x %d %d", o.ID[15], o.Cost, o.OrderTotal))
	}
	return text
}

// freeFrom50 prices the cart's two tiles, and takes ten per cent off the order. If asked to, a discount
// makes the delivery free from 50.00 on. docs/api/discounts.md#free-from-50.
func freeFrom50(unit Amount, included, discount bool) func(*scene) {
	return func(s *scene) {
		s.cart.Lines[0].UnitPrice, s.shop.PricesIncludeTax = unit, included
		s.shop.Discounts = []Discount{{ID: testID(0xd3), Kind: DiscountOrder, Active: true, Value: DiscountValue{Percent: 10e9}}}
		if discount {
			s.shop.Discounts = append(s.shop.Discounts, Discount{ID: testID(0xd4), Kind: DiscountShipping, Active: true, MinOrder: price(5000),
				Value: DiscountValue{Percent: Hundred}})
		}
	}
}

// The methods that can be chosen, with their prices. Delivery.
func TestDeliveryOptions(t *testing.T) {
	half := Discount{ID: testID(0xd1), Kind: DiscountShipping, Active: true, Value: DiscountValue{Percent: 50e9}}
	fixed := Discount{ID: testID(0xd2), Kind: DiscountShipping, Active: true, Value: DiscountValue{Fixed: true, Amount: 100}}
	code := half
	code.Code = "H"
	tierFrom50 := func(m *ShippingMethod) { m.Tiers = []ShippingTier{{5000, 0}} }
	var benelux = []Country{*country("nl"), *country("BE")}
	for _, c := range []struct {
		name    string
		country *Country
		edit    func(*scene)
		method  func(*ShippingMethod)
		want    []string
	}{
		{"no limits", nil, nil, nil, []string{"51 0 2000", "52 695 2695"}},
		{"an empty cart", nil, func(s *scene) { s.cart.Lines = nil }, nil, nil},
		{"no line requires shipping", nil, func(s *scene) { s.shop.Product(tile).RequiresShipping = false }, nil, nil},
		{"one of two lines requires shipping", nil, func(s *scene) { s.cart.Lines = append(s.cart.Lines, Line{ProductID: gift, Quantity: One}) }, nil,
			[]string{"51 0 2000", "52 695 2695"}},
		{"every product is gone", nil, func(s *scene) { s.cart.Lines[0].ProductID = nowhere }, nil, nil},
		{"inactive", nil, func(s *scene) { s.shop.Product(tile).Active = false }, nil, []string{"51 0 2000", "52 695 2695"}},

		{"its country", country("NL"), nil, func(m *ShippingMethod) { m.Countries = benelux }, []string{"51 0 2000", "52 695 2695"}},
		{"no country is judged", nil, nil, func(m *ShippingMethod) { m.Countries = benelux }, []string{"51 0 2000", "52 695 2695"}},
		{"no two letters", &Country{}, nil, func(m *ShippingMethod) { m.Countries = benelux }, []string{"51 0 2000"}},

		{"goods without tax: the total counts", nil, func(s *scene) { s.shop.PricesIncludeTax = false }, func(m *ShippingMethod) { m.MinGoods = price(2420) },
			[]string{"51 0 2420", "52 695 3261"}},
		{"goods after discounts", nil, func(s *scene) {
			s.shop.Discounts = []Discount{{ID: testID(0xd3), Kind: DiscountOrder, Active: true, Value: DiscountValue{Percent: 10e9}}}
		}, func(m *ShippingMethod) { m.MaxGoods = price(1800) }, []string{"51 0 1800", "52 695 2495"}},

		{"weights are exact", nil, func(s *scene) { // 10.000001
			s.shop.Product(cord).Weight = grams(1)
			s.cart.Lines = append(s.cart.Lines, Line{ProductID: cord, Quantity: 1})
		}, func(m *ShippingMethod) { m.MaxWeight = grams(10) }, []string{"51 0 2000"}},
		{"the variant's weight", nil, func(s *scene) {
			s.shop.Product(drill).Weight, s.shop.Product(drill).Variant(white).Weight = grams(9), grams(1)
			s.cart.Lines = append(s.cart.Lines, Line{ProductID: drill, VariantID: white, Quantity: One})
		}, func(m *ShippingMethod) { m.MaxWeight = grams(11) }, []string{"51 0 2000", "52 695 2695"}},
		{"the product's weight for a variant without", nil, func(s *scene) {
			s.shop.Product(drill).Weight = grams(9)
			s.cart.Lines = append(s.cart.Lines, Line{ProductID: drill, VariantID: white, Quantity: One})
		}, func(m *ShippingMethod) { m.MaxWeight = grams(18) }, []string{"51 0 2000"}},
		{"a made-to-measure product's weight", nil, func(s *scene) {
			s.shop.Product(blind).Weight = grams(7)
			s.cart.Lines = append(s.cart.Lines, Line{ProductID: blind, Quantity: One, Configuration: &Configuration{Components: []ComponentUse{{tile, "3"}}}})
		}, func(m *ShippingMethod) { m.MaxWeight = grams(17) }, []string{"51 0 2000", "52 695 2695"}},
		{"a product that is gone weighs nothing", nil, func(s *scene) { s.cart.Lines = append(s.cart.Lines, Line{ProductID: nowhere, Quantity: One}) },
			func(m *ShippingMethod) { m.MaxWeight = grams(10) }, []string{"51 0 2000", "52 695 2695"}},
		{"above every weight", nil, func(s *scene) {
			s.shop.Product(tile).Weight, s.cart.Lines[0].Quantity, s.cart.Lines[0].UnitPrice = grams(maxWeight), MaxQuantity, 0
		}, func(m *ShippingMethod) { m.MaxWeight = grams(maxWeight) }, []string{"51 0 0"}},

		{"at a tier", nil, nil, func(m *ShippingMethod) { m.Tiers = []ShippingTier{{0, 500}, {2000, 900}, {2001, 0}} }, []string{"51 0 2000", "52 900 2900"}},
		{"above the last tier", nil, nil, func(m *ShippingMethod) { m.Tiers = []ShippingTier{{0, 500}, {1000, 0}} }, []string{"51 0 2000", "52 0 2000"}},

		{"a percentage, half up for each method", nil, func(s *scene) { s.shop.Discounts = []Discount{half} }, nil, []string{"51 0 2000", "52 347 2347"}},
		{"at most the price", nil, func(s *scene) { s.shop.Discounts = []Discount{fixed} }, func(m *ShippingMethod) { m.Price = 50 },
			[]string{"51 0 2000", "52 0 2000"}},
		{"one after the other, in the document's order", nil, func(s *scene) { s.shop.Discounts = []Discount{fixed, half} }, nil,
			[]string{"51 0 2000", "52 297 2297"}},
		{"the other way round", nil, func(s *scene) { s.shop.Discounts = []Discount{half, fixed} }, nil, []string{"51 0 2000", "52 247 2247"}},
		{"off a tier", nil, func(s *scene) { s.shop.Discounts = []Discount{half} }, func(m *ShippingMethod) { m.Tiers = []ShippingTier{{1, 100}} },
			[]string{"51 0 2000", "52 50 2050"}},
		{"free from 50.00 by a tier: 52.00 less ten per cent is 46.80", nil, freeFrom50(2600, true, false), tierFrom50, []string{"51 0 4680", "52 695 5375"}},
		{"free from 50.00 by a discount: 52.00", nil, freeFrom50(2600, true, true), nil, []string{"51 0 4680", "52 0 4680"}},
		{"free from 50.00 by a tier: 54.45 with tax, less ten per cent is 49.01", nil, freeFrom50(2250, false, false), tierFrom50,
			[]string{"51 0 4901", "52 695 5741"}},
		{"free from 50.00 by a tier: 60.50 with tax, less ten per cent is 54.45", nil, freeFrom50(2500, false, false), tierFrom50,
			[]string{"51 0 5445", "52 0 5445"}},
		{"free from 50.00 by a discount: 45.00 without tax", nil, freeFrom50(2250, false, true), nil, []string{"51 0 4901", "52 695 5741"}},

		{"a code that is not attached", nil, func(s *scene) { s.shop.Discounts = []Discount{code} }, nil, []string{"51 0 2000", "52 695 2695"}},
		{"a code", nil, func(s *scene) {
			text := "h"
			s.shop.Discounts, s.cart.Codes = []Discount{code}, []AttachedCode{{Code: text}}
		}, nil, []string{"51 0 2000", "52 347 2347"}},

		{"an order above the greatest amount", nil, func(s *scene) { s.cart.Lines[0].UnitPrice = MaxAmount / 2 }, nil, []string{fmt.Sprint("51 0 ", MaxAmount-1)}},
	} {
		s := newScene(t)
		s.shop.Product(tile).RequiresShipping, s.shop.Product(tile).Weight = true, grams(5)
		s.do(s.add(tile, 2*One))
		s.shop.ShippingMethods = []ShippingMethod{{ID: testID(0x51)}, {ID: testID(0x52), Price: 695, Tax: taxed(21e9)}}
		if c.method != nil {
			c.method(&s.shop.ShippingMethods[1])
		}
		if c.edit != nil {
			c.edit(s)
		}
		s.shop.Index()
		if got := optionsText(DeliveryOptions(s.cart, s.shop, guest, noon, c.country)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}

// someDelivery adds to a random store random weights and methods.
func someDelivery(r *rand.Rand, s *Store) {
	for _, p := range s.Products {
		p.RequiresShipping, p.Active = r.IntN(2) == 0, true
		p.Prices.Base = price(Amount(r.IntN(500)))
		if r.IntN(3) > 0 {
			p.Weight = grams(Milligrams(r.IntN(1000)))
		}
	}
	bound := func(limit int64) *Amount {
		if r.IntN(3) > 0 {
			return nil
		}
		return price(Amount(upTo(r, limit)))
	}
	for i := range r.IntN(5) {
		m := ShippingMethod{ID: testID(0x500 + i), Price: Amount(upTo(r, 1e5)), Tax: taxed(someRate(r)), MinGoods: bound(1e5), MaxGoods: bound(1e9)}
		for _, c := range []string{"NL", "BE", "DE"} {
			if r.IntN(3) == 0 {
				m.Countries = append(m.Countries, *country(c))
			}
		}
		if r.IntN(3) == 0 {
			m.MaxWeight = grams(Milligrams(upTo(r, 1e7)))
		}
		for from := Amount(upTo(r, 1e4)); r.IntN(2) == 0; from += 1 + Amount(upTo(r, 1e7)) {
			m.Tiers = append(m.Tiers, ShippingTier{from, Amount(upTo(r, 1e5))})
		}
		s.ShippingMethods = append(s.ShippingMethods, m)
	}
}

// deliveryModel says whether a method suits goods, by the page's words with floating weights that
// are exact in the test's range.
func deliveryModel(m *ShippingMethod, goods Amount, grams float64, to string) bool {
	switch {
	case len(m.Countries) > 0 && !slices.Contains(m.Countries, *country(to)):
		return false
	case m.MinGoods != nil && goods < *m.MinGoods, m.MaxGoods != nil && goods > *m.MaxGoods:
		return false
	}
	return m.MaxWeight == nil || grams <= float64(*m.MaxWeight)*1000
}

// The total of every row is the total of the order that a checkout with its method makes, and a
// method without a row is refused: both tax bases, discounts on the delivery, tiers, weights,
// countries; carts, and quotes whose basis and prices an import has changed since.
func TestOrderTotalsOfDeliveryOptions(t *testing.T) { compareDeliveryOptions(t, 2_000) }

func compareDeliveryOptions(t *testing.T, n int) {
	t.Helper()
	r := dice.New(t)
	met := map[string]int{}
	for range n {
		s, c := someDiscounts(r)
		s.Modules = 1<<moduleCount - 1
		s.Policy = Policy{IdentityMode: "guest_allowed", Audience: "both", MaxLines: 100, MaxQuantityPerLine: MaxQuantity}
		someDelivery(r, s)
		s.Index()
		c.Email = "a@b.co"
		c.Lines = slices.DeleteFunc(c.Lines, func(l Line) bool { return s.Product(l.ProductID) == nil })
		for i := range c.Lines {
			c.Lines[i].Quantity = (c.Lines[i].Quantity/One + 1) * One
		}
		to := []string{"NL", "be", "FR"}[r.IntN(3)]
		var e Evaluation
		e.Evaluate(c, s, guest, noon)
		shipped, weight := false, 0.0
		for i := range c.Lines {
			p := s.Product(c.Lines[i].ProductID)
			if shipped = shipped || p.RequiresShipping; p.Weight != nil {
				weight += float64(*p.Weight) * float64(c.Lines[i].Quantity)
			}
		}
		quote := &Quote{CartID: c.ID, Version: 1, Goods: e.goods(s), Tax: e.Tax}
		today := *s
		today.PricesIncludeTax, today.Products = r.IntN(2) == 0, nil
		today.Index()
		options := DeliveryOptions(c, s, guest, noon, country(to))
		quoted, _ := quote.DeliveryOptions(&today, country(to))
		if !shipped && len(options)+len(quoted) > 0 {
			t.Fatalf("%d and %d methods for goods that are not shipped", len(options), len(quoted))
		}
		suitable := 0
		for i := range s.ShippingMethods {
			m := &s.ShippingMethods[i]
			suits := shipped && deliveryModel(m, e.Total, weight, to)
			if suits {
				suitable++
			}
			asked := AskedDelivery{Method: AskedID{Sent: true, ID: m.ID}, Shipping: AskedAddress{Sent: true, Address: Address{Country: to}}}
			checkout := func() (*Order, *Refusal) {
				_, effects, refusal := ChangeCart(c, &Checkout{OrderID: orderID, CheckoutForm: CheckoutForm{CheckoutFields: CheckoutFields{AskedDelivery: asked}}},
					&Input{Store: s, Now: noon})
				if refusal != nil {
					return nil, refusal
				}
				return effects.Sale.Order, nil
			}
			accept := func() (*Order, *Refusal) {
				_, effects, refusal := ChangeQuote(quote, &AcceptQuote{AcceptForm: AcceptForm{AskedDelivery: asked}}, &Input{Store: &today, Now: noon})
				if refusal != nil {
					return nil, refusal
				}
				return effects.Sale.Order, nil
			}
			for kind, of := range map[string]struct {
				options []DeliveryOption
				sell    func() (*Order, *Refusal)
			}{"cart": {options, checkout}, "quote": {quoted, accept}} {
				if len(c.Lines) == 0 {
					continue
				}
				at := slices.IndexFunc(of.options, func(o DeliveryOption) bool { return o.ID == m.ID })
				order, refusal := of.sell()
				switch {
				case kind == "cart" && shipped && (at >= 0) != suits:
					t.Fatalf("%+v of %d, %v to %s: listed %v", m, e.Total, weight, to, at >= 0)
				case shipped && (refusal == nil) != (at >= 0):
					t.Fatalf("%s: %+v to %s: listed %v, refused %v", kind, m, to, at >= 0, refusal)
				case !shipped && refusal != nil:
					t.Fatalf("%s: %+v without need: %v", kind, m, refusal)
				case refusal != nil:
					if got, want := shortly(refusal), "shipping_method_id: The selected shipping method id is invalid."; got != want {
						t.Fatalf("%s: refused %s; want %s", kind, got, want)
					}
				case at >= 0 && (of.options[at].OrderTotal != order.Totals.Total || of.options[at].Cost != order.Shipping.Price ||
					of.options[at].Net != order.Totals.ShippingTotal || of.options[at].Gross != order.Shipping.PriceWithTax):
					t.Fatalf("%s: %+v\nlisted at %+v; sold at %+v, %+v", kind, m, of.options[at], order.Shipping, order.Totals)
				}
				met[fmt.Sprint(kind, ", listed ", at >= 0, ", shipped ", shipped)]++
				if at >= 0 {
					met[fmt.Sprint("included ", s.PricesIncludeTax, ", today ", today.PricesIncludeTax)]++
					met[fmt.Sprint("discounts ", len(quote.Goods.Shipping) > 0)]++
					met[fmt.Sprint("tiers ", len(m.Tiers) > 0)]++
				}
			}
		}
		if shipped && suitable == 0 && len(s.ShippingMethods) > 0 && today.PricesIncludeTax == s.PricesIncludeTax {
			if len(quoted) != len(s.ShippingMethods) {
				t.Fatalf("no method suits the quote: %d of %d are offered", len(quoted), len(s.ShippingMethods))
			}
			met["none suits"]++
		}
	}
	for name, times := range met {
		if times < n/100 {
			t.Errorf("only %d of %s", times, name)
		}
	}
	if len(met) < 13 {
		t.Errorf("met only %v", met)
	}
}

// An accept compares the expected total with the order's, as a checkout does.
func TestExpectedTotalOfAnAccept(t *testing.T) {
	for _, c := range []struct {
		expected Amount
		want     string
	}{{1695, "sold"}, {1000, "CART_CHANGED"}} {
		s, quote := quoted(t)
		_, _, r := s.answer(quote, accept(func(a *AcceptQuote) { a.ExpectedTotal = &c.expected }))
		if shortly(r) != c.want || r != nil && *r.CurrentTotal != 1695 {
			t.Errorf("expecting %d: %s, %+v; want %s", c.expected, shortly(r), r, c.want)
		}
	}
}

func TestCountries(t *testing.T) {
	for text, want := range map[string]string{"nl": "NL", "Be": "BE", "ZZ": "ZZ", "": "", "N": "", "NLD": "", "n1": "", "é": "", "@@": "", "[[": ""} {
		if got, ok := ParseCountry(text); ok != (want != "") || ok && got.String() != want {
			t.Errorf("%q is %s, %v; want %q", text, got, ok, want)
		}
	}
	list := func(texts ...string) (m ShippingMethod) {
		for _, text := range texts {
			m.Countries = append(m.Countries, *country(text))
		}
		return m
	}
	for _, c := range []struct {
		methods    []ShippingMethod
		want       string
		everywhere bool
	}{
		{nil, "[]", false},
		{[]ShippingMethod{list("be", "NL"), list("NL", "DE", "BE")}, "[BE NL DE]", false},
		{[]ShippingMethod{list("NL"), list()}, "[]", true},
	} {
		got, ok := (&Store{ShippingMethods: c.methods}).ShippingCountries()
		if fmt.Sprint(got) != c.want || ok == c.everywhere {
			t.Errorf("of %v: %v, %v; want %s", c.methods, got, ok, c.want)
		}
	}
}

func TestWeightsAreCutOff(t *testing.T) {
	maximum := maxWeight.times(MaxQuantity)
	if maximum != math.MaxInt64 || maximum.plus(maximum) != math.MaxInt64 || maxWeight.times(One).plus(1) != 1_000_000_000_000_001 {
		t.Errorf("the greatest weight is %d, twice %d", maximum, maximum.plus(maximum))
	}
}

// 100 methods for a cart of 100 lines.
func BenchmarkDeliveryOptions(b *testing.B) {
	s, c := &Store{PricesIncludeTax: true}, NewCart(cartID, noon)
	var to []Country
	for i := range 30 {
		to = append(to, Country{'A', byte('A' + i%26)})
	}
	for i := range 100 {
		s.Products = append(s.Products, &Product{ID: uuid.New(), RequiresShipping: true, Weight: grams(5), Tax: taxed([]Percent{21e9, 9e9, 0}[i%3]), Active: true})
		c.Lines = append(c.Lines, Line{ProductID: s.Products[i].ID, Quantity: One, UnitPrice: 1000})
		s.ShippingMethods = append(s.ShippingMethods, ShippingMethod{
			ID: uuid.New(), Price: 695, Tax: taxed(21e9), Countries: append(to[:29:29], *country("NL")), MaxWeight: grams(maxWeight), Tiers: []ShippingTier{{100, 500},
				{1 << 40, 0}},
		})
	}
	s.Index()
	nl := country("NL")
	t := evaluateForCheckout(c, s, guest, noon)
	b.Run("of an evaluated cart", func(b *testing.B) {
		for b.Loop() {
			if len(t.consignment().options(nl)) != 100 {
				b.Fatal("not all methods")
			}
		}
	})
	b.Run("with the evaluation", func(b *testing.B) {
		for b.Loop() {
			if len(DeliveryOptions(c, s, guest, noon, nl)) != 100 {
				b.Fatal("not all methods")
			}
		}
	})
}

// A method is not judged for the country of an address with faults.
func TestMethodBesideAFaultyAddress(t *testing.T) {
	s := keptScene(t, true)
	form := CheckoutForm{Email: "a@b.co", CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{Method: sentID(express), Shipping: sentAddress(keptHome)}}}
	form.Faults.Add("shipping_address.city", saying("Wrong city")[0])
	if _, _, r := s.try(&Checkout{OrderID: orderID, CheckoutForm: form}); shortly(r) != "shipping_address.city: Wrong city" {
		t.Errorf("got %s", shortly(r))
	}
}
