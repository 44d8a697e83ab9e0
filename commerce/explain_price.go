package commerce

import "github.com/google/uuid"

// PriceOrigin is the origin of a line's stored unit price, found by today's prices.
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
)

// String returns the source as the API spells it.
func (p PriceSource) String() string {
	return [...]string{"stored", "base", "group", "tier", "variant", "configuration"}[p]
}

// priceOrigin finds the current price that equals the line's, among those that UnitPrice chooses
// from.
func (l *Line) priceOrigin(s *Store, ctx Pricing) PriceOrigin {
	p := s.Product(l.ProductID)
	switch {
	case l.Configuration != nil:
		return l.configuredOrigin()
	case p == nil:
		return PriceOrigin{}
	case l.VariantID == uuid.Nil:
		return p.Prices.origin(l, ctx)
	}
	variant := p.Variant(l.VariantID)
	switch {
	case variant == nil:
		return PriceOrigin{}
	case !variant.Prices.any():
		return p.Prices.origin(l, ctx)
	}
	origin := variant.Prices.origin(l, ctx)
	if origin.Source != FromStored {
		origin.Source = FromVariant
	}
	return origin
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
