package commerce

import (
	"testing"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

// A line's full total without its discount is its total, and the discount is the sum of the shares
// that an explanation lists.
func TestDetailsAreTheSharesOfTheExplanation(t *testing.T) {
	r := dice.New(t)
	var e Evaluation
	for range 5_000 {
		s, c := someDiscounts(r)
		visitor := []Visitor{guest, trade}[r.IntN(2)]
		e.Evaluate(c, s, visitor, noon)
		shares := map[uuid.UUID]Amount{}
		for _, step := range Explain(c, s, visitor, noon, nil).Discounts {
			for _, share := range step.Shares {
				shares[share.Line.ID] += share.Amount
			}
		}
		for i := range c.Lines {
			l := &c.Lines[i]
			d := e.LineDetails(s, s.PriceView(&visitor, Country{}, noon), i, nil)
			full := halfUp(l.UnitPrice.decimal().Mul(l.Quantity.decimal()))
			if d.Full != full || d.Discount != shares[l.ID] || d.Full-d.Discount != e.LineTotals[i] {
				t.Fatalf("line %d: %+v; want %d less %d = %d", i, d, full, shares[l.ID], e.LineTotals[i])
			}
			net := func(a Amount) Amount {
				if !s.PricesIncludeTax {
					return a
				}
				whole := hundred.Add(l.applied(s, &e.Tax).decimal())
				return a - halfUp(a.decimal().Mul(l.applied(s, &e.Tax).decimal()).DivRound(whole, 30))
			}
			want := LineAmounts{
				Rate: l.applied(s, &e.Tax), Unit: l.UnitPrice, Full: full, Discount: shares[l.ID], Total: e.LineTotals[i],
				UnitNet: net(l.UnitPrice), FullNet: net(full), DiscountNet: net(shares[l.ID]), TotalNet: net(e.LineTotals[i]),
			}
			if d.LineAmounts != want || d.StoredNet != net(d.Stored) || d.CurrentNet != net(d.Current) || d.OriginalNet != net(d.Original) {
				t.Fatalf("line %d: %+v; want %+v, and each price without tax", i, d, want)
			}
		}
	}
}

// docs/api/carts.md#details: original_unit_price. The line has ten units, so that the tier counts. The price of a
// line that no present price gives is an old one: no reduction from it is shown.
func TestOriginalPrice(t *testing.T) {
	group := testID(0x91)
	base, cheap := Amount(1000), Amount(700)
	tiered := Prices{Base: &base, Group: []GroupPrice{{group, 900}}, Tiers: []Tier{{MinQuantity: 10 * One, Price: 800}}}
	for _, c := range []struct {
		name   string
		given  func(*Store, *Product, *Line, *Visitor)
		unit   Amount
		want   Amount
		absent bool
	}{
		{"the base price above a tier", nil, 800, 1000, false},
		{"not above the unit price", nil, 1000, 0, true},
		{"below the unit price", nil, 1001, 0, true},
		{"an old price", nil, 801, 0, true},
		{"a tier that is not reached", func(_ *Store, _ *Product, l *Line, _ *Visitor) { l.Quantity = 9 * One }, 800, 0, true},
		{"the tier of another group", func(_ *Store, p *Product, _ *Line, _ *Visitor) {
			p.Prices.Tiers = []Tier{{One, 800, group}}
		}, 800, 0, true},
		{"a period", func(_ *Store, p *Product, _ *Line, _ *Visitor) {
			p.Prices.Periods = []PricePeriod{{From: noon, Until: noon.Add(1), Price: 750}}
		}, 750, 1000, false},
		{"a period that has ended", func(_ *Store, p *Product, _ *Line, _ *Visitor) {
			p.Prices.Periods = []PricePeriod{{From: noon.Add(-1), Until: noon, Price: 750}}
		}, 750, 0, true},
		{"the product's price of a variant that has its own", func(_ *Store, p *Product, l *Line, _ *Visitor) {
			p.Variants, l.VariantID = []Variant{{ID: testID(0x93), Prices: Prices{Base: &cheap}}}, testID(0x93)
		}, 600, 0, true},
		{"the group's in place of the base price", func(_ *Store, _ *Product, _ *Line, v *Visitor) { v.GroupID = group }, 800, 900, false},
		{"the group's is the unit price", func(_ *Store, _ *Product, _ *Line, v *Visitor) { v.GroupID = group }, 900, 0, true},
		{"another group", func(_ *Store, _ *Product, _ *Line, v *Visitor) { v.GroupID = testID(0x92) }, 800, 1000, false},
		{"switched off", func(s *Store, _ *Product, _ *Line, _ *Visitor) { s.Policy.Pricing.ShowOriginalPrice = false }, 800, 0, true},
		{"hidden from guests", func(s *Store, _ *Product, _ *Line, v *Visitor) {
			s.Policy.Pricing.GuestPriceVisibility, v.Known = "hidden", false
		}, 800, 0, true},
		{"hidden, but logged in", func(s *Store, _ *Product, _ *Line, _ *Visitor) { s.Policy.Pricing.GuestPriceVisibility = "hidden" }, 800, 1000, false},
		{"no base price", func(_ *Store, p *Product, _ *Line, _ *Visitor) { p.Prices.Base = nil }, 800, 0, true},
		{"the variant's own", func(_ *Store, p *Product, l *Line, _ *Visitor) {
			p.Variants, l.VariantID = []Variant{{ID: testID(0x93), Prices: Prices{Base: &cheap, Tiers: []Tier{{One, 600, uuid.Nil}}}}}, testID(0x93)
		}, 600, 700, false},
		{"a variant without prices", func(_ *Store, p *Product, l *Line, _ *Visitor) {
			p.Variants, l.VariantID = []Variant{{ID: testID(0x93)}}, testID(0x93)
		}, 800, 1000, false},
		{"configured", func(_ *Store, _ *Product, l *Line, _ *Visitor) { l.Configuration = &Configuration{} }, 800, 0, true},
		{"gone", func(_ *Store, _ *Product, l *Line, _ *Visitor) { l.ProductID = nowhere }, 800, 0, true},
	} {
		p := &Product{ID: testID(0x90), Name: "P", Active: true, Prices: tiered}
		s := &Store{Products: []*Product{p}, Policy: Policy{Pricing: PricingDisplay{ShowOriginalPrice: true, GuestPriceVisibility: "visible"}}}
		v := Visitor{Known: true}
		cart := &Cart{Lines: []Line{{ProductID: p.ID, Quantity: 10 * One, UnitPrice: c.unit}}}
		if c.given != nil {
			c.given(s, p, &cart.Lines[0], &v)
		}
		s.Index()
		var e Evaluation
		e.Evaluate(cart, s, v, noon)
		if d := e.LineDetails(s, s.PriceView(&v, Country{}, noon), 0, nil); d.ShowsOriginal == c.absent || d.ShowsOriginal && d.Original != c.want {
			t.Errorf("%s: %d, shown %v; want %d", c.name, d.Original, d.ShowsOriginal, c.want)
		}
	}
}

// docs/api/carts.md#details: media is the variant's first picture, else the product's first.
func TestPictureOfALine(t *testing.T) {
	own, others := []Media{{URL: "/own"}, {URL: "/second"}}, []Media{{URL: "/product"}, {URL: "/third"}}
	for _, c := range []struct {
		product Product
		variant *Variant
		want    string
	}{
		{Product{Display: Display{Media: others}}, &Variant{Display: Display{Media: own}}, "/own"},
		{Product{Display: Display{Media: others}}, &Variant{}, "/product"},
		{Product{Display: Display{Media: others}}, nil, "/product"},
		{Product{}, &Variant{Display: Display{Media: own}}, "/own"},
		{Product{}, &Variant{}, ""},
		{Product{}, nil, ""},
	} {
		got := ""
		if p := pictureOf(&c.product, c.variant); p != nil {
			got = p.URL
		}
		if got != c.want {
			t.Errorf("%+v, %+v: %q; want %q", c.product.Media, c.variant, got, c.want)
		}
	}
}

// docs/api/carts.md#details: a line is purchasable unless a checkout would refuse it today, for the reason that
// explain's checks name: of the line itself, else of an item of which there is too little.
func TestLinesThatACheckoutWouldRefuse(t *testing.T) {
	r := dice.New(t)
	met := map[string]int{}
	for range 2_000 {
		w := newPriceWalk(t, r, map[string]int{})
		unlimited(w.shop)
		for range 1 + r.IntN(5) {
			w.add()
		}
		if r.IntN(2) == 0 {
			w.do(w.addConfigured(One, []string{"linen", "silk"}[r.IntN(2)]))
		}
		w.changeDocument()
		s := w.shop
		if r.IntN(4) == 0 {
			s.Modules = s.Modules &^ Modules(0).With(ModuleCustomers)
		}
		for _, p := range s.Products {
			p.TrackStock = r.IntN(2) == 0
		}
		if p := s.Product(drill); r.IntN(3) == 0 {
			p.Variants[r.IntN(2)].Active = false
		}
		s.Index()
		available := StockLevels{}
		for _, item := range w.cart.WantedItems(s) {
			available[item] = StockLevel{OnHand: Micros(r.IntN(40)-10) * One.Micros(), Limit: Micros(r.IntN(2)*r.IntN(20)) * One.Micros()}
		}
		reasons := map[uuid.UUID]string{} // of lines, and of items
		for _, check := range CheckoutChecks(w.cart, s, w.in.Visitor, w.in.Now, available) {
			reason := check.Code
			if reason == "" {
				reason = check.Message
			}
			switch {
			case check.Short == nil && check.LineID != uuid.Nil:
				reasons[check.LineID] = reason
			case check.Short != nil && check.Short.VariantID != uuid.Nil:
				reasons[check.Short.VariantID] = reason
			case check.Short != nil:
				reasons[check.Short.ProductID] = reason
			}
		}
		e, stock := w.evaluate(), NewCartStock(w.cart, s, available)
		view := s.PriceView(&w.in.Visitor, Country{}, w.in.Now)
		for i := range w.cart.Lines {
			l := &w.cart.Lines[i]
			want := reasons[l.ID]
			without := *e.LineDetails(s, view, i, nil)
			if got := reasonOf(without.Refused); got != want || without.StockRead || without.HasLevel {
				t.Fatalf("line %+v without stock: %q, want %q", l, got, want)
			}
			for _, ask := range l.appendAsks(nil, s) {
				if want == "" && s.HoldsStock() {
					want = reasons[ask.Item]
				}
			}
			d := e.LineDetails(s, view, i, stock)
			item, tracked := s.tracked(l.ProductID, l.VariantID)
			tracked = tracked && l.Configuration == nil
			if got := reasonOf(d.Refused); got != want || !d.StockRead || d.HasLevel != tracked || tracked && d.Level != available[item] {
				t.Fatalf("line %+v of %+v: %q, available %v, %v; want %q", l, available, got, d.Level, d.HasLevel, want)
			}
			met[want]++
		}
	}
	for _, reason := range []string{"", "OUT_OF_STOCK", "INVALID_CONFIGURATION", "Product is not available."} {
		if met[reason] < 20 {
			t.Errorf("%q happened %d times: too few to show anything", reason, met[reason])
		}
	}
}

func reasonOf(r *Refusal) string {
	if r == nil {
		return ""
	}
	return r.Reason()
}

// A check of stock names the first line that asks for the item.
func TestChecksOfStockNameTheLine(t *testing.T) {
	s := newScene(t)
	for _, p := range s.shop.Products {
		p.TrackStock = true
	}
	s.shop.Product(tile).TextFields = []TextField{{Key: "name", MaxLength: 20}}
	s.shop.Index()
	s.do(s.add(cord, 2500))
	s.do(s.add(tile, 2*One))
	named := s.add(tile, 3*One)
	named.Properties = &SentProperties{{Key: "name", Text: "Ada"}}
	s.do(named)
	s.do(s.addVariant(drill, white, One))
	checks := CheckoutChecks(s.cart, s.shop, guest, s.in.Now, freeLevels(map[uuid.UUID]Micros{cord: 3e6, tile: 4e6, white: 0}))
	want := []CheckoutCheck{
		{OutOfStock.Message, OutOfStock.Code, s.cart.Lines[1].ID, &StockShort{tile, uuid.Nil, 5e6, 4e6}},
		{OutOfStock.Message, OutOfStock.Code, s.cart.Lines[3].ID, &StockShort{drill, white, 1e6, 0}},
	}
	if len(checks) != 2 || frozen(t, checks) != frozen(t, want) {
		t.Errorf("got %s\nwant %s", frozen(t, checks), frozen(t, want))
	}
}
