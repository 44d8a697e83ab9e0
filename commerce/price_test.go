package commerce

import (
	"math/rand/v2"
	"slices"
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
