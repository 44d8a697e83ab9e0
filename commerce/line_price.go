package commerce

import (
	"slices"

	"github.com/google/uuid"
)

// LinePrices is a store's rule for the unit price of a line whose product has another price now than at
// the line's last add or change. docs/api/lines.md#prices-that-move.
type LinePrices uint8

const (
	KeepPrices   LinePrices = iota // the stored price
	LowerPrices                    // the lower of the stored and the current price
	FollowPrices                   // the current price
	linePricesCount
)

var linePricesNames = [linePricesCount]string{"keep", "lower", "follow"}

// String returns the rule as the API spells it.
func (p LinePrices) String() string { return linePricesNames[p] }

// LinePricesNames lists the rules' names, in the order of the rules.
func LinePricesNames() []string { return slices.Clone(linePricesNames[:]) }

// priced is the cart with the unit prices at which the store sells its lines now. It is the cart
// itself if those are the stored ones by the store's rule, else a copy with its lines in the memory of
// room. Every evaluation begins with it, and nothing behind it knows the stored prices.
func (c *Cart) priced(s *Store, ctx Pricing, room []Line) *Cart {
	if s.Policy.LinePrices == KeepPrices {
		return c
	}
	next := *c
	next.Lines = append(room[:0], c.Lines...)
	for i := range next.Lines {
		l := &next.Lines[i]
		current, found := l.current(s.Product(l.ProductID), ctx)
		if found && (s.Policy.LinePrices == FollowPrices || current < l.UnitPrice) {
			l.UnitPrice = current
		}
	}
	return &next
}

// current returns the price that a change of the line with its own quantity would store. It returns
// false if that change would leave the price as it is: the line is configured, its product or variant
// is gone or inactive, or there is no price at this quantity. Spec: Line behaviour 4.
func (l *Line) current(p *Product, ctx Pricing) (Amount, bool) {
	if l.Configuration != nil || p == nil || !p.Active {
		return 0, false
	}
	var variant *Variant
	if l.VariantID != uuid.Nil {
		if variant = p.Variant(l.VariantID); variant == nil || !variant.Active {
			return 0, false
		}
	}
	return UnitPrice(p, variant, ctx, l.Quantity)
}

// reprice sets the price of a line for its quantity. A line without a current price keeps its own.
// Spec: Line behaviour 4.
func (l *Line) reprice(p *Product, ctx Pricing) {
	if price, ok := l.current(p, ctx); ok {
		l.UnitPrice = price
	}
}
