package commerce

import "github.com/google/uuid"

// Pricing is the context of prices, group conditions and the price display. The zero value is the
// guest's. Spec: Unit price context.
type Pricing struct {
	GroupID uuid.UUID // zero if there is none
	B2B     bool
}

// pricing is the context of a request: the token's customer, else the cart's bound customer, else
// the guest. Only the token matters: the owner of a bound cart always sends it, and a guest
// customer has no group and no company.
func (c *Cart) pricing(in *Input) Pricing { return in.Visitor.pricing() }

func (v *Visitor) pricing() Pricing {
	if !v.Known {
		return Pricing{}
	}
	return Pricing{GroupID: v.GroupID, B2B: v.B2B}
}

// UnitPrice returns the price of one unit of a product, or of its variant if there is one, at a
// quantity. It is the minimum of the base price (or the group's in its place) and of every tier
// that is reached. A variant with any price of its own uses only its own. It returns false if there
// is no price.
func UnitPrice(p *Product, variant *Variant, ctx Pricing, q Quantity) (Amount, bool) {
	if variant != nil && variant.Prices.any() {
		return variant.Prices.lowest(ctx, q)
	}
	return p.Prices.lowest(ctx, q)
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
