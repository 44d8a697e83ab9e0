package commerce

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"cartd/internal/dice"
)

func TestEmptyCartEvaluatesToNothing(t *testing.T) {
	s := newScene(t)
	e := s.evaluate()
	if len(e.LineTotals)+len(e.Discounts)+len(e.Breakdown)+len(e.QuoteReasons) != 0 {
		t.Errorf("lists are not empty: %+v", e)
	}
	if e.Subtotal != 0 || e.TaxTotal != 0 || e.Total != 0 || e.DiscountTotal != 0 || e.FirstCodeError() != "" || e.RequiresQuote || e.Overflow {
		t.Errorf("totals are not zero: %+v", e)
	}
}

// docs/store-document.md#tax: the current rate while the product is in the document, then the last one.
func TestTaxIsTheProductsCurrentRate(t *testing.T) {
	s := newScene(t)
	s.do(s.add(tile, One))
	product := s.shop.Product(tile)
	want := func(rule string, rate Percent) {
		t.Helper()
		if e := s.evaluate(); len(e.Breakdown) != 1 || e.Breakdown[0].Rate != rate {
			t.Errorf("%s: breakdown %v; want the rate %s", rule, e.Breakdown, rate)
		}
	}
	want("as added", 21e9)
	product.Tax = taxed(9e9)
	want("changed", 9e9)
	product.Active = false
	want("not active", 9e9)
	s.shop.Products = nil
	s.shop.Index()
	want("gone", 21e9)
}

// Whole carts match a decimal model, and their sums add up.
func TestTotalsMatchTheModel(t *testing.T) {
	r := dice.New(t)
	var e Evaluation // reused: nothing of the last cart may remain
	for range 5_000 {
		c, s := someCart(r)
		e.Evaluate(c, s, guest, noon)
		if want := modelEvaluation(c, s); !reflect.DeepEqual(sums(&e), want) {
			t.Fatalf("%+v, included %v\ngot  %+v\nwant %+v", c.Lines, s.PricesIncludeTax, sums(&e), want)
		}
		holdSums(t, &e)
	}
}

// holdSums checks the rules that every cart's totals must meet.
func holdSums(t *testing.T, e *Evaluation) {
	t.Helper()
	if broken, is := e.Broken(); is {
		t.Fatalf("%s does not hold: %+v", broken, e)
	}
	if !slices.IsSortedFunc(e.Breakdown, func(a, b TaxRow) int { return cmp.Compare(b.Rate, a.Rate) }) {
		t.Fatalf("rates are not in order: %v", e.Breakdown)
	}
}

// totals is the part of an Evaluation that the model knows.
type totals struct {
	Lines                []Amount
	Rows                 []TaxRow
	Subtotal, Tax, Total Amount
	Overflow             bool
}

func sums(e *Evaluation) totals {
	if e.Overflow {
		return totals{Overflow: true}
	}
	return totals{slices.Clone(e.LineTotals), slices.Clone(e.Breakdown), e.Subtotal, e.TaxTotal, e.Total, false}
}

func modelEvaluation(c *Cart, s *Store) totals {
	var lines []Amount
	perRate := map[Percent]decimal.Decimal{}
	sum := decimal.Zero
	for i := range c.Lines {
		l := &c.Lines[i]
		rate := l.Tax
		for _, p := range s.Products {
			if p.ID == l.ProductID {
				rate = p.Tax.Rate
			}
		}
		total := l.UnitPrice.decimal().Mul(l.Quantity.decimal()).Round(0)
		perRate[rate] = perRate[rate].Add(total)
		if sum = sum.Add(total); sum.GreaterThan(maxAmount) {
			return totals{Overflow: true}
		}
		lines = append(lines, halfUp(total))
	}
	want := totals{Lines: lines}
	for rate, part := range perRate {
		base, tax := modelTax(halfUp(part), rate, s.PricesIncludeTax)
		want.Rows = append(want.Rows, TaxRow{rate, base, tax})
		want.Subtotal, want.Tax = want.Subtotal+base, want.Tax+tax
	}
	slices.SortFunc(want.Rows, func(a, b TaxRow) int { return cmp.Compare(b.Rate, a.Rate) })
	want.Total = want.Subtotal + want.Tax
	if want.Total > MaxAmount {
		return totals{Overflow: true}
	}
	return want
}

// someCart makes a cart of at least one line; some of its products are gone.
func someCart(r *rand.Rand) (*Cart, *Store) {
	c, s := NewCart(cartID, noon), &Store{PricesIncludeTax: r.IntN(2) == 0}
	for i := range 1 + r.IntN(8) {
		l := Line{ProductID: testID(i), Tax: someRate(r), UnitPrice: Amount(upTo(r, 1e12)), Quantity: Quantity(1 + upTo(r, 1e7))}
		if r.IntN(4) > 0 {
			s.Products = append(s.Products, &Product{ID: l.ProductID, Tax: taxed(someRate(r))})
		}
		c.Lines = append(c.Lines, l)
	}
	s.Index()
	return c, s
}

func TestAmountsAreCutOffAtMaxAmount(t *testing.T) {
	half := MaxAmount/2 + 1
	for _, c := range []struct {
		rule     string
		included bool
		lines    []Line
		want     bool
	}{
		{"exactly the greatest", true, []Line{{UnitPrice: MaxAmount, Quantity: One}}, false},
		{"a line", true, []Line{{UnitPrice: MaxAmount, Quantity: 2 * One}}, true},
		{"lines of one rate", true, []Line{{UnitPrice: half, Quantity: One}, {UnitPrice: half, Quantity: One}}, true},
		{"lines of two rates", true, []Line{{UnitPrice: half, Quantity: One}, {UnitPrice: half, Quantity: One, Tax: 21e9}}, true},
		{"by the tax that is added", false, []Line{{UnitPrice: half, Quantity: One, Tax: Hundred}}, true},
		{"far beyond int64", false, slices.Repeat([]Line{{UnitPrice: MaxAmount, Quantity: MaxQuantity, Tax: Hundred}}, 2000), true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.shop.PricesIncludeTax = c.included
			s.cart.Lines = c.lines
			e := s.evaluate()
			if e.Overflow != c.want || c.want && e.Total != MaxAmount || e.Subtotal+e.TaxTotal != e.Total {
				t.Errorf("overflow %v, total %d; want overflow %v", e.Overflow, e.Total, c.want)
			}
			for _, a := range append(e.LineTotals, e.Subtotal, e.TaxTotal, e.Total) {
				if a < 0 || a > MaxAmount {
					t.Errorf("%d is no amount", a)
				}
			}
		})
	}
}

// Spec: policy, pricing.vat_display resolves to ex automatically for B2B customers.
func TestVATDisplay(t *testing.T) {
	unresolved := trade
	unresolved.Known = false
	for _, c := range []struct {
		rule, setting string
		visitor       Visitor
		want          string
	}{
		{"guest", "inc", guest, "inc"},
		{"guest in an ex store", "ex", guest, "ex"},
		{"consumer", "inc", ada, "inc"},
		{"business", "inc", trade, "ex"},
		{"business in an ex store", "ex", trade, "ex"},
		{"a token that does not resolve", "inc", unresolved, "inc"},
	} {
		s := newScene(t)
		s.in.Visitor, s.shop.Policy.Pricing.VATDisplay = c.visitor, c.setting
		if got := s.evaluate().VATDisplay; got != c.want {
			t.Errorf("%s: %s; want %s", c.rule, got, c.want)
		}
	}
}

func TestEvaluateDoesNotAllocateWhenWarm(t *testing.T) {
	s := newScene(t)
	s.shop.Quotes.CartThreshold = price(0)
	for _, a := range []AddLine{s.add(tile, One), s.add(cord, 1500), s.add(special, One)} {
		s.do(a)
	}
	e := s.evaluate()
	if n := testing.AllocsPerRun(100, func() { e.Evaluate(s.cart, s.shop, trade, noon) }); n != 0 {
		t.Errorf("%v allocations; want none", n)
	}
	if len(e.QuoteReasons) != 2 {
		t.Errorf("reasons %v; want two", e.QuoteReasons)
	}
}

func (s *scene) evaluate() *Evaluation {
	var e Evaluation
	e.Evaluate(s.cart, s.shop, s.in.Visitor, s.in.Now)
	if broken, is := e.Broken(); is {
		s.Errorf("%s does not hold of %+v", broken, e)
	}
	return &e
}

// A line of ten tiles at 900 each, whose tier then becomes 800 or 1,000. Lines: prices that move.
func TestLinePrices(t *testing.T) {
	for _, c := range []struct {
		policy      LinePrices
		now         Amount
		want        Amount
		changed     bool
		description string
	}{
		{KeepPrices, 900, 900, false, "keep"}, {KeepPrices, 800, 900, true, "keep"}, {KeepPrices, 1000, 900, true, "keep"},
		{LowerPrices, 900, 900, false, "lower"}, {LowerPrices, 800, 800, true, "lower"}, {LowerPrices, 1000, 900, true, "lower"},
		{FollowPrices, 900, 900, false, "follow"}, {FollowPrices, 800, 800, true, "follow"}, {FollowPrices, 1000, 1000, true, "follow"},
	} {
		s := newScene(t)
		s.do(s.add(tile, 10*One))
		s.shop = testShop()
		s.in.Store, s.shop.Policy.LinePrices = s.shop, c.policy
		s.shop.Product(tile).Prices.Tiers[0].Price = c.now
		e := s.evaluate()
		d := e.LineDetails(s.shop, s.shop.PriceView(&s.in.Visitor, Country{}, s.in.Now), 0, nil)
		if e.Cart.Lines[0].UnitPrice != c.want || e.Total != 10*c.want || d.Full != 10*c.want {
			t.Errorf("%s, now %d: the line costs %d, the cart %d; want %d each", c.description, c.now, e.Cart.Lines[0].UnitPrice, e.Total, c.want)
		}
		if d.Stored != 900 || d.Current != c.now || !d.HasCurrent || d.PriceChanged() != c.changed {
			t.Errorf("%s, now %d: %+v, changed %v; want %v", c.description, c.now, d, d.PriceChanged(), c.changed)
		}
		if s.cart.Lines[0].UnitPrice != 900 {
			t.Errorf("%s: the evaluation has changed the cart", c.description)
		}
	}
}

// A line without a current price is sold at the stored one, and says so.
func TestLinesWithoutACurrentPrice(t *testing.T) {
	for _, c := range []struct {
		name   string
		add    func(*scene) AddLine
		change func(*Store)
	}{
		{"configured", func(s *scene) AddLine { return s.addConfigured(One, "linen") }, func(s *Store) { s.Product(blind).Configurator.Engine = &workshop{1} }},
		{"the product is gone", func(s *scene) AddLine { return s.add(tile, One) }, func(s *Store) { s.Products = s.Products[1:] }},
		{"the product is inactive", func(s *scene) AddLine { return s.add(tile, One) }, func(s *Store) { s.Product(tile).Active = false }},
		{"the variant is gone", func(s *scene) AddLine { return s.addVariant(drill, white, One) }, func(s *Store) { s.Product(drill).Variants = nil }},
		{"the variant is inactive", func(s *scene) AddLine { return s.addVariant(drill, white, One) },
			func(s *Store) { s.Product(drill).Variants[0].Active = false }},
		{"no price at this quantity", func(s *scene) AddLine { return s.add(bulk, 10*One) }, func(s *Store) { s.Product(bulk).Prices.Tiers[0].MinQuantity++ }},
	} {
		s := newScene(t)
		s.do(c.add(s))
		stored := s.cart.Lines[0].UnitPrice
		s.shop = testShop()
		s.in.Store, s.shop.Policy.LinePrices = s.shop, FollowPrices
		c.change(s.shop)
		s.shop.Index()
		e := s.evaluate()
		d := e.LineDetails(s.shop, s.shop.PriceView(&s.in.Visitor, Country{}, s.in.Now), 0, nil)
		if e.Cart.Lines[0].UnitPrice != stored || d.Stored != stored || d.HasCurrent || d.PriceChanged() {
			t.Errorf("%s: it costs %d, stored %d: %+v", c.name, e.Cart.Lines[0].UnitPrice, stored, d)
		}
		before := s.cart.Lines[0]
		if s.do(ChangeLine{LineID: before.ID.String(), Quantity: before.Quantity}); s.cart.Lines[0].UnitPrice != stored {
			t.Errorf("%s: a PATCH stores %d", c.name, s.cart.Lines[0].UnitPrice)
		}
	}
}

// The current price is shown to guests, too, where the store hides the catalogue's prices from them.
func TestCurrentPriceIsNotHidden(t *testing.T) {
	s := newScene(t)
	s.do(s.add(tile, One))
	s.shop.Policy.Pricing.GuestPriceVisibility = "hidden"
	view := s.shop.PriceView(&s.in.Visitor, Country{}, s.in.Now)
	if d := s.evaluate().LineDetails(s.shop, view, 0, nil); !view.Hidden || !d.HasCurrent || d.Current != 1000 {
		t.Errorf("hidden %v: %+v; want 1000", view.Hidden, d)
	}
}

// The maximum total counts at the prices at which the cart is sold.
func TestMaximumTotalAtTheCurrentPrices(t *testing.T) {
	s := newScene(t)
	s.do(s.add(dear, 60*One))
	s.shop = testShop()
	s.in.Store, s.shop.Policy.LinePrices = s.shop, FollowPrices
	s.shop.Product(dear).Prices.Base = price(MaxAmount / 40)
	s.refuse(s.add(tile, One), TotalLimitReached)
	s.shop.Product(dear).Prices.Base = price(1)
	s.do(s.add(tile, One))
}

// An amount that is off by one breaks each invariant.
func TestABrokenInvariantIsFound(t *testing.T) {
	for _, c := range []struct {
		want  Invariant
		spoil func(*Evaluation)
	}{
		{SubtotalAndTax, func(e *Evaluation) { e.Total++ }},
		{LinesAddUp, func(e *Evaluation) { e.LineTotals[0]++ }},
		{DiscountsAddUp, func(e *Evaluation) { e.DiscountTotal++ }},
		{DiscountsAddUp, func(e *Evaluation) { e.Discounts[0].Amount-- }},
		{BreakdownAddsUp, func(e *Evaluation) { e.Breakdown[0].Base++ }},
		{NothingNegative, func(e *Evaluation) { e.LineTotals[0] -= 3000; e.LineTotals[1] += 3000 }},
	} {
		for _, included := range []bool{true, false} {
			auto := coded(DiscountOrder)
			auto.Code = ""
			s := withCode(t, auto)
			s.shop.PricesIncludeTax = included
			s.do(s.add(gift, One))
			e := s.evaluate()
			if broken, is := e.Broken(); is {
				t.Fatalf("%s does not hold of %+v", broken, e)
			}
			c.spoil(e)
			if broken, is := e.Broken(); !is || broken != c.want {
				t.Errorf("included %v: found %v %v; want %s", included, broken, is, c.want)
			}
			if e.Overflow = true; true {
				if broken, is := e.Broken(); is {
					t.Errorf("%s is said of a cart that is cut off", broken)
				}
			}
		}
	}
}

// The invariants know exemptions: the home tax came off the listed amounts.
func TestABrokenInvariantOfAnExemptCartIsFound(t *testing.T) {
	for _, included := range []bool{true, false} {
		for _, c := range []struct {
			want  Invariant
			spoil func(*Evaluation)
		}{
			{LinesAddUp, func(e *Evaluation) { e.LineTotals[0]++ }},
			{BreakdownAddsUp, func(e *Evaluation) { e.Breakdown[0].Base++ }},
			{ExemptWithoutTax, func(e *Evaluation) { e.Breakdown = append(e.Breakdown, TaxRow{}) }},
		} {
			s := taxScene(t)
			s.shop.PricesIncludeTax = included
			s.keepCountry("CH")
			e := s.evaluate()
			c.spoil(e)
			if broken, is := e.Broken(); !is || broken != c.want {
				t.Errorf("included %v: found %v %v; want %s", included, broken, is, c.want)
			}
		}
	}
}
