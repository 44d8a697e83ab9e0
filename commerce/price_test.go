package commerce

import (
	"slices"
	"testing"

	"github.com/google/uuid"
)

func TestUnitPrice(t *testing.T) {
	tiers := []Tier{{10 * One, 900, uuid.Nil}, {5 * One, 700, tradeGroup}}
	for _, c := range []struct {
		rule             string
		product, variant *Prices
		group            uuid.UUID
		quantity         Quantity
		want             Amount
		wantOK           bool
	}{
		{"base", &Prices{Base: price(1000)}, nil, uuid.Nil, One, 1000, true},
		{"0 is a price", &Prices{Base: price(0)}, nil, uuid.Nil, One, 0, true},
		{"nothing at all", &Prices{}, nil, uuid.Nil, One, 0, false},
		{"below every tier", &Prices{Tiers: tiers}, nil, uuid.Nil, 9999, 0, false},
		{"at the tier", &Prices{Tiers: tiers}, nil, uuid.Nil, 10 * One, 900, true},
		{"a group's tier is not for others", &Prices{Tiers: tiers}, nil, otherGroup, 5 * One, 0, false},
		{"a group's tier", &Prices{Tiers: tiers}, nil, tradeGroup, 5 * One, 700, true},
		{"the group price takes the base's place, even above it", &Prices{Base: price(1000), Group: []GroupPrice{{tradeGroup, 1200}}}, nil, tradeGroup, One, 1200, true},
		{"another group's price counts for nothing", &Prices{Base: price(1000), Group: []GroupPrice{{tradeGroup, 800}}}, nil, otherGroup, One, 1000, true},
		{"only another group's price", &Prices{Group: []GroupPrice{{tradeGroup, 800}}}, nil, uuid.Nil, One, 0, false},
		{"a tier above the base does not raise it", &Prices{Base: price(100), Tiers: tiers}, nil, uuid.Nil, 10 * One, 100, true},
		{"a variant without prices has the product's", &Prices{Base: price(1000)}, &Prices{}, uuid.Nil, One, 1000, true},
		{"a variant's price, though higher", &Prices{Base: price(1000)}, &Prices{Base: price(1500)}, uuid.Nil, One, 1500, true},
		{"a variant's tiers alone", &Prices{Base: price(1000), Tiers: tiers}, &Prices{Tiers: []Tier{{20 * One, 5, uuid.Nil}}}, uuid.Nil, 10 * One, 0, false},
		{"a variant's group price alone", &Prices{Base: price(1000)}, &Prices{Group: []GroupPrice{{tradeGroup, 1}}}, uuid.Nil, One, 0, false},
	} {
		product, variant := &Product{Prices: *c.product}, (*Variant)(nil)
		if c.variant != nil {
			variant = &Variant{Prices: *c.variant}
		}
		if got, ok := UnitPrice(product, variant, Pricing{GroupID: c.group}, c.quantity); got != c.want || ok != c.wantOK {
			t.Errorf("%s: got %d, %v; want %d, %v", c.rule, got, ok, c.want, c.wantOK)
		}
	}
}

func TestUnitPriceMatchesTheModel(t *testing.T) {
	r := dice(t)
	groups := []uuid.UUID{uuid.Nil, tradeGroup, otherGroup}
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
		return p
	}
	for range 20_000 {
		p, v := &Product{Prices: prices()}, &Variant{}
		switch r.IntN(3) {
		case 0:
			v = nil
		case 1:
			v.Prices = prices()
		}
		ctx, q := Pricing{GroupID: groups[r.IntN(3)]}, Quantity(1+r.IntN(3500))
		want, wantOK := modelPrice(p, v, ctx, q)
		if got, ok := UnitPrice(p, v, ctx, q); got != want || ok != wantOK {
			t.Fatalf("%+v, %+v, group %s, quantity %s: got %d, %v; want %d, %v", p.Prices, v, ctx.GroupID, q, got, ok, want, wantOK)
		}
	}
}

// modelPrice lists every price that counts and takes the minimum.
func modelPrice(p *Product, v *Variant, ctx Pricing, q Quantity) (Amount, bool) {
	fields := p.Prices
	if v != nil && (v.Prices.Base != nil || len(v.Prices.Group)+len(v.Prices.Tiers) > 0) {
		fields = v.Prices
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
	if len(offers) == 0 {
		return 0, false
	}
	return slices.Min(offers), true
}
