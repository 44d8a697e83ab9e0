package commerce

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

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
