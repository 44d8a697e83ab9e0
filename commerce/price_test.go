package commerce

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

func TestUnitPriceMatchesTheModel(t *testing.T) {
	r := dice.New(t)
	groups := []uuid.UUID{uuid.Nil, tradeGroup, otherGroup}
	dated := 0
	prices := func() (p Prices) {
		if r.IntN(2) == 0 {
			p.Base = price(Amount(r.IntN(20)))
		}
		for range r.IntN(4) {
			p.Tiers = append(p.Tiers, Tier{Quantity(1 + r.IntN(3000)), Amount(r.IntN(20)), groups[r.IntN(3)]})
		}
		for _, g := range groups[1:] {
			if r.IntN(3) == 0 {
				p.Group = append(p.Group, GroupPrice{g, Amount(r.IntN(20))})
			}
		}
		p.Periods = somePeriods(r, 20)
		return p
	}
	for range 20_000 {
		p, v := &Product{Prices: prices()}, &Variant{}
		switch r.IntN(3) {
		case 0:
			v = nil
		case 1:
			v.Prices = prices()
		default:
			v.Prices.Periods = somePeriods(r, 20)
		}
		ctx, q := Pricing{GroupID: groups[r.IntN(3)], Now: someMoment(r)}, Quantity(1+r.IntN(3500))
		want, wantOK := modelPrice(p, v, ctx, q)
		if got, ok := UnitPrice(p, v, ctx, q); got != want || ok != wantOK {
			t.Fatalf("%+v, %+v, group %s, quantity %s: got %d, %v; want %d, %v", p.Prices, v, ctx.GroupID, q, got, ok, want, wantOK)
		}
		undated := ctx
		undated.Now = time.Time{}
		if before, had := modelPrice(p, v, undated, q); wantOK && (!had || before != want) {
			dated++
		}
	}
	if dated < 1000 {
		t.Errorf("only %d prices of periods", dated)
	}
}

// someMoment is one of a few moments around noon, so that it is often a beginning or an end.
func someMoment(r *rand.Rand) time.Time {
	return noon.Add(time.Duration(r.IntN(10)) * time.Millisecond)
}

// somePeriods makes periods that follow each other, some without a pause, for everyone or for a group.
func somePeriods(r *rand.Rand, below int) (all []PricePeriod) {
	if r.IntN(2) == 0 {
		return nil
	}
	for _, group := range []uuid.UUID{uuid.Nil, tradeGroup} {
		from := noon.Add(time.Duration(r.IntN(4)) * time.Millisecond)
		for range r.IntN(3) {
			until := from.Add(time.Duration(1+r.IntN(4)) * time.Millisecond)
			all = append(all, PricePeriod{From: from, Until: until, Price: Amount(r.IntN(below)), GroupID: group})
			from = until.Add(time.Duration(r.IntN(2)) * time.Millisecond)
		}
	}
	return all
}

// modelPrice lists every price that counts and takes the minimum.
func modelPrice(p *Product, v *Variant, ctx Pricing, q Quantity) (Amount, bool) {
	fields, periods := p.Prices, p.Prices.Periods
	if v != nil && (v.Prices.Base != nil || len(v.Prices.Group)+len(v.Prices.Tiers) > 0) {
		fields, periods = v.Prices, v.Prices.Periods
	} else if v != nil {
		periods = slices.Concat(periods, v.Prices.Periods)
	}
	var offers []Amount
	if fields.Base != nil {
		offers = []Amount{*fields.Base}
	}
	for _, g := range fields.Group {
		if ctx.GroupID != uuid.Nil && g.GroupID == ctx.GroupID {
			offers = []Amount{g.Price}
		}
	}
	for _, tier := range fields.Tiers {
		mine := tier.GroupID == uuid.Nil || tier.GroupID == ctx.GroupID
		if mine && !q.decimal().LessThan(tier.MinQuantity.decimal()) {
			offers = append(offers, tier.Price)
		}
	}
	for _, period := range periods {
		mine := period.GroupID == uuid.Nil || period.GroupID == ctx.GroupID
		if mine && ctx.Now.Compare(period.From) >= 0 && ctx.Now.Compare(period.Until) < 0 {
			offers = append(offers, period.Price)
		}
	}
	if len(offers) == 0 {
		return 0, false
	}
	return slices.Min(offers), true
}

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

// Price and tiers of products and their active variants, for a guest and for a group: "1000[10:450]".
func TestShownPrices(t *testing.T) {
	base := func(a Amount) Prices { return Prices{Base: price(a)} }
	tiers := func(base *Amount, tiers ...Tier) Prices { return Prices{Base: base, Tiers: tiers} }
	for _, c := range []struct {
		name         string
		product      Product
		guest, trade string
	}{
		{"tiers from 1 on count", Product{Prices: tiers(price(1000), Tier{One, 900, uuid.Nil}, Tier{500, 950, uuid.Nil})},
			"900[0.5:950 1:900]", "900[0.5:950 1:900]"},
		{"the lower of the same quantity", Product{Prices: tiers(price(9), Tier{5000, 6, tradeGroup}, Tier{5000, 7, uuid.Nil}, Tier{8000, 4, uuid.Nil},
			Tier{8000, 5, tradeGroup})},
			"9[5:7 8:4]", "9[5:6 8:4]"},
		{"the same quantity thrice", Product{Prices: tiers(price(9), Tier{5000, 6, uuid.Nil}, Tier{5000, 5, uuid.Nil}, Tier{5000, 7, uuid.Nil})}, "9[5:5]", "9[5:5]"},
		{"made to measure", Product{Capability: MadeToMeasure, Prices: tiers(price(9), Tier{One, 7, uuid.Nil})}, "none[]", "none[]"},
		{"no active variant", Product{Prices: tiers(price(5), Tier{2000, 4, uuid.Nil}), Variants: []Variant{{Prices: base(1)}}}, "none[2:4]", "none[2:4]"},
		{"variants", Product{Prices: tiers(price(1000), Tier{10 * One, 500, uuid.Nil}, Tier{10 * One, 400, tradeGroup}), Variants: []Variant{
			{Active: true, Prices: base(1200)}, {Active: true}, {Prices: base(1)}, {Active: true,
				Prices: tiers(nil, Tier{10 * One, 700, uuid.Nil}, Tier{2000, 650, tradeGroup})},
			{Active: true, Prices: Prices{Group: []GroupPrice{{tradeGroup, 900}}}},
		}}, "1000[10:500] 1200[] 1000[10:500] none[10:700] none[]", "900[10:400] 1200[] 1000[10:400] none[2:650 10:700] 900[]"},
		{"variants without a price", Product{Variants: []Variant{{Active: true}, {Active: true, Prices: tiers(nil, Tier{2000, 1, uuid.Nil})}}},
			"none[] none[] none[2:1]", "none[] none[] none[2:1]"},
	} {
		p := &c.product
		hidden := strings.TrimSpace(strings.Repeat("none[] ", strings.Count(c.guest, "[")))
		wants := []string{c.guest, c.trade, hidden}
		for i, view := range []PriceView{{}, {Pricing: Pricing{GroupID: tradeGroup}}, {Hidden: true}} {
			show := func(variant *Variant, amount Amount, ok bool) string {
				text := "none"
				if ok {
					text = fmt.Sprint(amount)
				}
				var shown []string
				for _, tier := range view.AppendTiers(nil, p, variant) {
					shown = append(shown, fmt.Sprintf("%s:%d", tier.MinQuantity.AppendJSON(nil), tier.Price))
				}
				return fmt.Sprint(text, shown)
			}
			amount, _, ok := view.Price(p)
			got := show(nil, amount, ok)
			for i := range p.Variants {
				if v := &p.Variants[i]; v.Active {
					amount, ok := view.VariantPrice(p, v)
					got += " " + show(v, amount, ok)
				}
			}
			if got != wants[i] {
				t.Errorf("%s, %+v: %s; want %s", c.name, view, got, wants[i])
			}
		}
	}
}
