package commerce

import (
	"slices"
	"testing"

	"github.com/google/uuid"
)

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
