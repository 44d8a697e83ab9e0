package commerce

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Pricing is the context of prices, group conditions and the price display. The zero value is the
// guest's, without the prices of periods. Spec: Unit price context.
type Pricing struct {
	GroupID uuid.UUID // zero if there is none
	B2B     bool
	// Now is the moment of the request. It decides which periods run.
	Now time.Time
}

// pricing is the context of a request: the token's customer, else the cart's bound customer, else
// the guest. Only the token matters: the owner of a bound cart always sends it, and a guest
// customer has no group and no company.
func (c *Cart) pricing(in *Input) Pricing { return in.Visitor.pricing(in.Now) }

func (v *Visitor) pricing(now time.Time) Pricing {
	if !v.Known {
		return Pricing{Now: now}
	}
	return Pricing{GroupID: v.GroupID, B2B: v.B2B, Now: now}
}

// UnitPrice returns the price of one unit of a product, or of its variant if there is one, at a
// quantity. It is the minimum of the base price (or the group's in its place), of every tier that is
// reached and of every period that runs. A variant with any price of its own uses only its own, else
// the product's; its periods count beside either. It returns false if there is no price.
func UnitPrice(p *Product, variant *Variant, ctx Pricing, q Quantity) (Amount, bool) {
	price, found := pricesOf(p, variant).lowest(ctx, q)
	if period := runningPeriod(p, variant, ctx); period != nil && (!found || period.Price < price) {
		return period.Price, true
	}
	return price, found
}

// pricesOf are the prices, without those of periods, that a product or its variant is sold at.
func pricesOf(p *Product, variant *Variant) *Prices {
	if variant != nil && variant.Prices.any() {
		return &variant.Prices
	}
	return &p.Prices
}

func (p *Prices) any() bool { return p.Base != nil || len(p.Group) > 0 || len(p.Tiers) > 0 }

func (p *Prices) lowest(ctx Pricing, q Quantity) (lowest Amount, found bool) {
	offer := func(a Amount) {
		if !found || a < lowest {
			lowest, found = a, true
		}
	}
	if group, ok := p.group(ctx.GroupID); ok {
		offer(group)
	} else if p.Base != nil {
		offer(*p.Base)
	}
	for i := range p.Tiers {
		t := &p.Tiers[i]
		if t.reached(ctx, q) {
			offer(t.Price)
		}
	}
	return lowest, found
}

// reached reports whether a tier counts at a quantity in a context.
func (t *Tier) reached(ctx Pricing, q Quantity) bool {
	return t.MinQuantity <= q && (t.GroupID == uuid.Nil || t.GroupID == ctx.GroupID)
}

func (p *Prices) group(id uuid.UUID) (Amount, bool) {
	if id == uuid.Nil {
		return 0, false
	}
	for i := range p.Group {
		if p.Group[i].GroupID == id {
			return p.Group[i].Price, true
		}
	}
	return 0, false
}

// The limits of dated prices.
const (
	MaxPricePeriods = 20  // of a product or of a variant
	MaxPriceMoments = 500 // different beginnings and ends of a document
)

// PricePeriod is a price from one moment to another, for one group or, with a zero GroupID, for every
// visitor. The periods of one group follow each other without an overlap.
type PricePeriod struct {
	From    time.Time // inclusive
	Until   time.Time // exclusive
	Price   Amount
	GroupID uuid.UUID
}

// runs reports whether the period's price counts in a context.
func (p *PricePeriod) runs(ctx Pricing) bool {
	return (p.GroupID == uuid.Nil || p.GroupID == ctx.GroupID) && !ctx.Now.Before(p.From) && ctx.Now.Before(p.Until)
}

// periodsOf are the lists of periods that count for a product, or for its variant if there is one: those
// of the variant and, unless it has prices of its own, those of the product.
func periodsOf(p *Product, variant *Variant) [2][]PricePeriod {
	switch {
	case variant == nil:
		return [2][]PricePeriod{p.Prices.Periods}
	case variant.Prices.any():
		return [2][]PricePeriod{variant.Prices.Periods}
	}
	return [2][]PricePeriod{variant.Prices.Periods, p.Prices.Periods}
}

// runningPeriod is the period with the lowest price among those that run and count for a product or its
// variant; nil if there is none. Of equal prices it is the one that ends last.
func runningPeriod(p *Product, variant *Variant, ctx Pricing) (lowest *PricePeriod) {
	for _, periods := range periodsOf(p, variant) {
		for i := range periods {
			next := &periods[i]
			switch {
			case !next.runs(ctx):
			case lowest == nil, next.Price < lowest.Price, next.Price == lowest.Price && next.Until.After(lowest.Until):
				lowest = next
			}
		}
	}
	return lowest
}

// DatedProducts counts the products that have a period, or a variant with one.
func (s *Store) DatedProducts() (n int) {
	for _, p := range s.Products {
		if len(p.Prices.Periods) > 0 || slices.ContainsFunc(p.Variants, func(v Variant) bool { return len(v.Prices.Periods) > 0 }) {
			n++
		}
	}
	return n
}
