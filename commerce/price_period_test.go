package commerce

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
)

// during is a period from noon for two hours.
func during(a Amount, group uuid.UUID) PricePeriod {
	return PricePeriod{From: noon, Until: noon.Add(2 * time.Hour), Price: a, GroupID: group}
}

// The catalogue's price with the end of its period and the price in whose place it is shown:
// "800 until 14:00, not 1000". Products, price_until and original_price.
func TestPricesOfPeriods(t *testing.T) {
	base := func(a Amount, periods ...PricePeriod) Prices { return Prices{Base: price(a), Periods: periods} }
	only := func(periods ...PricePeriod) Prices { return Prices{Periods: periods} }
	everyone, others := uuid.Nil, otherGroup
	later := during(800, everyone)
	later.Until = later.Until.Add(time.Hour)
	variants := func(of Prices, variants ...Prices) Product {
		p := Product{Prices: of}
		for i, prices := range variants {
			p.Variants = append(p.Variants, Variant{ID: testID(i), Active: true, Prices: prices})
		}
		return p
	}
	for _, c := range []struct {
		name    string
		product Product
		now     time.Duration // after noon
		want    string
	}{
		{"just before", variants(base(1000, during(800, everyone))), -1, "1000"},
		{"at its beginning", variants(base(1000, during(800, everyone))), 0, "800 until 14:00, not 1000"},
		{"just before its end", variants(base(1000, during(800, everyone))), 2*time.Hour - 1, "800 until 14:00, not 1000"},
		{"at its end", variants(base(1000, during(800, everyone))), 2 * time.Hour, "1000"},
		{"one after another", variants(base(1000, during(800, everyone), PricePeriod{From: noon.Add(2 * time.Hour), Until: noon.Add(3 * time.Hour), Price: 700})),
			2 * time.Hour, "700 until 15:00, not 1000"},
		{"above the price without periods", variants(base(1000, during(1200, everyone))), 0, "1000"},
		{"the price without periods", variants(base(1000, during(1000, everyone))), 0, "1000"},
		{"the visitor's group", variants(base(1000, during(800, tradeGroup))), 0, "800 until 14:00, not 1000"},
		{"another group", variants(base(1000, during(800, others))), 0, "1000"},
		{"the lowest of everyone's and the group's", variants(base(1000, during(800, everyone), during(900, tradeGroup))), 0, "800 until 14:00, not 1000"},
		{"the one that ends last", variants(base(1000, during(800, tradeGroup), later)), 0, "800 until 15:00, not 1000"},
		{"beside the group's price", variants(Prices{Base: price(1000), Group: []GroupPrice{{tradeGroup, 900}}, Periods: []PricePeriod{during(850, everyone)}}),
			0, "850 until 14:00, not 900"},
		{"beside a tier", variants(Prices{Base: price(1000), Tiers: []Tier{{One, 700, everyone}}, Periods: []PricePeriod{during(800, everyone)}}), 0, "700"},
		{"no other price", variants(only(during(800, everyone))), 0, "800 until 14:00"},
		{"no other price, before it", variants(only(during(800, everyone))), -1, "none"},
		{"a product made to measure", Product{Capability: MadeToMeasure, Prices: only(during(800, everyone))}, 0, "none"},

		{"the product's counts for a variant without prices", variants(base(1000, during(800, everyone)), Prices{}), 0,
			"800 until 14:00, not 1000; 800 until 14:00, not 1000"},
		{"the product's does not for a variant with prices", variants(base(1000, during(800, everyone)), base(900)), 0, "900; 900"},
		{"a variant's beside the product's prices", variants(base(1000), only(during(800, everyone)), Prices{}), 0,
			"800 until 14:00, not 1000; 800 until 14:00, not 1000; 1000"},
		{"a variant's beside the product's periods", variants(base(1000, during(800, everyone)), only(during(900, everyone))), 0,
			"800 until 14:00, not 1000; 800 until 14:00, not 1000"},
		{"a variant's beside its own prices", variants(base(500), base(1000, during(800, everyone))), 0,
			"800 until 14:00, not 1000; 800 until 14:00, not 1000"},
		{"of the variant whose price is shown", variants(Prices{}, base(1000, during(800, everyone)), base(700)), 0,
			"700; 800 until 14:00, not 1000; 700"},
		{"of the first variant of those with the price", variants(Prices{}, base(800), base(1000, during(800, everyone))), 0,
			"800; 800; 800 until 14:00, not 1000"},
	} {
		s := &Store{Policy: Policy{Pricing: PricingDisplay{ShowOriginalPrice: true}}}
		view := s.PriceView(&trade, Country{}, noon.Add(c.now))
		show := func(view PriceView, variant *Variant, amount Amount, ok bool) string {
			text := "none"
			if ok {
				text = fmt.Sprint(amount)
			}
			if end := view.PriceUntil(&c.product, variant); ok && !end.IsZero() {
				text += " until " + end.Format("15:04")
			}
			if original, shown := view.OriginalPrice(s, &c.product, variant); ok && shown {
				text += fmt.Sprint(", not ", original)
			}
			return text
		}
		all := func(view PriceView) string {
			amount, of, ok := view.Price(&c.product)
			text := show(view, of, amount, ok)
			for i := range c.product.Variants {
				v := &c.product.Variants[i]
				amount, ok := view.VariantPrice(&c.product, v)
				text += "; " + show(view, v, amount, ok)
			}
			return text
		}
		if got := all(view); got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
		view.Hidden = true
		for i := range c.product.Variants {
			if !view.PriceUntil(&c.product, &c.product.Variants[i]).IsZero() {
				t.Errorf("%s: the end of a hidden price is shown", c.name)
			}
		}
		view.Hidden, s.Policy.Pricing.ShowOriginalPrice = false, false
		if original, shown := view.OriginalPrice(s, &c.product, nil); shown {
			t.Errorf("%s: the store shows no original prices, and yet %d", c.name, original)
		}
	}
}

// An order of any quantity has the price of a period, if it is the lowest. Explain names it after the
// other prices that are equal.
func TestPeriodsCountAtEveryQuantity(t *testing.T) {
	for _, c := range []struct {
		product, variant uuid.UUID
		quantity         Quantity
		periods          []PricePeriod
		want             Amount
		from             PriceOrigin
	}{
		{tile, uuid.Nil, One, []PricePeriod{during(890, uuid.Nil)}, 890, PriceOrigin{Source: FromPeriod}},
		{tile, uuid.Nil, 10 * One, []PricePeriod{during(890, uuid.Nil)}, 890, PriceOrigin{Source: FromPeriod}},
		{tile, uuid.Nil, 10 * One, []PricePeriod{during(910, uuid.Nil)}, 900, PriceOrigin{FromTier, 10 * One}},
		{tile, uuid.Nil, 10 * One, []PricePeriod{during(900, uuid.Nil)}, 900, PriceOrigin{FromTier, 10 * One}},
		{tile, uuid.Nil, One, []PricePeriod{during(1000, uuid.Nil)}, 1000, PriceOrigin{Source: FromBase}},
		{tile, uuid.Nil, One, []PricePeriod{during(890, tradeGroup)}, 1000, PriceOrigin{Source: FromBase}},
		{bulk, uuid.Nil, One, []PricePeriod{during(890, uuid.Nil)}, 890, PriceOrigin{Source: FromPeriod}},
		{drill, grey, One, []PricePeriod{during(890, uuid.Nil)}, 890, PriceOrigin{Source: FromPeriod}},
		{drill, white, One, []PricePeriod{during(890, uuid.Nil)}, 5500, PriceOrigin{Source: FromVariant}},
	} {
		s := newScene(t)
		s.shop.Product(c.product).Prices.Periods = c.periods
		s.in.Now = noon
		s.do(s.addVariant(c.product, c.variant, c.quantity))
		if step := Explain(s.cart, s.shop, guest, s.in.Now, nil).Lines[0]; step.Line.UnitPrice != c.want || step.From != c.from {
			t.Errorf("%s of %s at %+v: %d from %+v; want %d from %+v", c.quantity, c.product, c.periods, step.Line.UnitPrice, step.From, c.want, c.from)
		}
	}
	s := newScene(t)
	s.shop.Product(drill).Variants[0].Prices.Periods = []PricePeriod{during(890, uuid.Nil)}
	s.in.Now = noon
	s.do(s.addVariant(drill, white, One))
	if step := Explain(s.cart, s.shop, guest, s.in.Now, nil).Lines[0]; step.Line.UnitPrice != 890 || step.From.Source != FromPeriod {
		t.Errorf("a variant's own period: %d from %s", step.Line.UnitPrice, step.From.Source)
	}
}
