package commerce

import "testing"

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
