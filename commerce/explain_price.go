package commerce

import (
	"slices"

	"github.com/google/uuid"
)

// PriceOrigin is the origin of a line's unit price, found by today's prices.
type PriceOrigin struct {
	Source PriceSource
	// Tier is the minimum quantity of the tier that gave the price; 0 if no tier did.
	Tier Quantity
}

// PriceSource names the field that a price came from: docs/api/discounts.md#explain.
type PriceSource uint8

const (
	// FromStored: no current price equals the line's; the line keeps its own.
	FromStored PriceSource = iota
	FromBase
	FromGroup
	FromTier
	// FromVariant: one of the variant's own prices.
	FromVariant
	FromConfiguration
	// FromPeriod: the price of a period that runs.
	FromPeriod
)

// String returns the source as the API spells it.
func (p PriceSource) String() string {
	return [...]string{"stored", "base", "group", "tier", "variant", "configuration", "period"}[p]
}

// priceOrigin finds the current price of the line's product that equals the line's, among those that
// UnitPrice chooses from. p is nil if the product is gone.
func (l *Line) priceOrigin(p *Product, ctx Pricing) PriceOrigin {
	switch {
	case l.Configuration != nil:
		return l.configuredOrigin()
	case p == nil:
		return PriceOrigin{}
	}
	var variant *Variant
	if l.VariantID != uuid.Nil {
		if variant = p.Variant(l.VariantID); variant == nil {
			return PriceOrigin{}
		}
	}
	prices := pricesOf(p, variant)
	origin := prices.origin(l, ctx)
	if origin.Source != FromStored && prices != &p.Prices {
		origin.Source = FromVariant
	}
	if origin.Source == FromStored && l.hasPeriodPrice(p, variant, ctx) {
		origin.Source = FromPeriod
	}
	return origin
}

// hasPeriodPrice reports whether a running period that counts for the line has its price.
func (l *Line) hasPeriodPrice(p *Product, variant *Variant, ctx Pricing) bool {
	for _, periods := range periodsOf(p, variant) {
		if slices.ContainsFunc(periods, func(period PricePeriod) bool { return period.Price == l.UnitPrice && period.runs(ctx) }) {
			return true
		}
	}
	return false
}

func (l *Line) configuredOrigin() PriceOrigin {
	var sum Amount
	for _, part := range l.Configuration.Breakdown {
		sum += part.Amount
	}
	if sum != l.UnitPrice {
		return PriceOrigin{}
	}
	return PriceOrigin{Source: FromConfiguration}
}

func (p *Prices) origin(l *Line, ctx Pricing) PriceOrigin {
	group, ok := p.group(ctx.GroupID)
	switch {
	case ok && group == l.UnitPrice:
		return PriceOrigin{Source: FromGroup}
	case !ok && p.Base != nil && *p.Base == l.UnitPrice:
		return PriceOrigin{Source: FromBase}
	}
	for i := range p.Tiers {
		if t := &p.Tiers[i]; t.Price == l.UnitPrice && t.reached(ctx, l.Quantity) {
			return PriceOrigin{FromTier, t.MinQuantity}
		}
	}
	return PriceOrigin{}
}
