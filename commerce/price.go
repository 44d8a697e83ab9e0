package commerce

import (
	"cmp"
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

// PriceView is the context in which a catalogue shows prices. Amounts stay in the store's price basis.
// docs/api/catalogue.md#products, price.
type PriceView struct {
	Pricing Pricing
	// Hidden is true if the visitor is a guest and the store hides prices from guests.
	Hidden bool
	// Tax is the taxation of the shown amounts.
	Tax Taxation
}

// PriceView returns the context of a visitor in a tax country, which may be zero, at a moment.
func (s *Store) PriceView(v *Visitor, country Country, now time.Time) PriceView {
	return PriceView{v.pricing(now), !v.Known && s.Policy.Pricing.GuestPriceVisibility == "hidden", s.Taxation(country, v)}
}

// Price returns a product's price at quantity 1; with variants it is the lowest of the active ones, and
// of is the first variant that has it. It returns false if there is none, if the product is made to
// measure, or if prices are hidden.
func (v PriceView) Price(p *Product) (lowest Amount, of *Variant, found bool) {
	if v.Hidden || p.Capability == MadeToMeasure {
		return 0, nil, false
	}
	if len(p.Variants) == 0 {
		lowest, found = UnitPrice(p, nil, v.Pricing, One)
		return lowest, nil, found
	}
	for i := range p.Variants {
		if !p.Variants[i].Active {
			continue
		}
		if price, ok := UnitPrice(p, &p.Variants[i], v.Pricing, One); ok && (!found || price < lowest) {
			lowest, of, found = price, &p.Variants[i], true
		}
	}
	return lowest, of, found
}

// PriceUntil returns the end of the period whose price Price or VariantPrice shows; zero if that is a
// price without an end.
func (v PriceView) PriceUntil(p *Product, variant *Variant) time.Time {
	if period, _, _ := v.shownPeriod(p, variant); period != nil {
		return period.Until
	}
	return time.Time{}
}

// OriginalPrice returns the price without periods, if a period's is shown in its place and the store
// shows original prices; false if there is none.
func (v PriceView) OriginalPrice(s *Store, p *Product, variant *Variant) (Amount, bool) {
	period, original, found := v.shownPeriod(p, variant)
	return original, period != nil && found && s.Policy.Pricing.ShowOriginalPrice
}

// shownPeriod returns the period whose price is shown, nil if there is none, and the price without
// periods.
func (v PriceView) shownPeriod(p *Product, variant *Variant) (period *PricePeriod, original Amount, found bool) {
	if v.Hidden || p.Capability == MadeToMeasure {
		return nil, 0, false
	}
	if period = runningPeriod(p, variant, v.Pricing); period == nil {
		return nil, 0, false
	}
	if original, found = pricesOf(p, variant).lowest(v.Pricing, One); found && original <= period.Price {
		return nil, 0, false
	}
	return period, original, found
}

// PriceFrom returns the price that a made-to-measure product begins from; false if it has none or
// prices are hidden.
func (v PriceView) PriceFrom(p *Product) (Amount, bool) {
	if v.Hidden || p.PriceFrom == nil {
		return 0, false
	}
	return *p.PriceFrom, true
}

// Shown is the price by which products are sorted and filtered: the price, else the one that a
// product begins from.
func (v PriceView) Shown(p *Product) (Amount, bool) {
	if price, _, ok := v.Price(p); ok {
		return price, true
	}
	return v.PriceFrom(p)
}

// VariantPrice returns a variant's price at quantity 1; false if it has none or prices are hidden.
func (v PriceView) VariantPrice(p *Product, variant *Variant) (Amount, bool) {
	if v.Hidden {
		return 0, false
	}
	return UnitPrice(p, variant, v.Pricing, One)
}

// AppendTiers appends the tiers that count in the context, ascending by quantity. Of two with the
// same quantity it takes the lower price. They are the product's own or, with a variant that has
// prices of its own, the variant's.
func (v PriceView) AppendTiers(dst []Tier, p *Product, variant *Variant) []Tier {
	if v.Hidden || p.Capability == MadeToMeasure {
		return dst
	}
	prices := pricesOf(p, variant)
	from := len(dst)
	for i := range prices.Tiers {
		if t := &prices.Tiers[i]; t.GroupID == uuid.Nil || t.GroupID == v.Pricing.GroupID {
			dst = append(dst, *t)
		}
	}
	own := dst[from:]
	slices.SortFunc(own, func(a, b Tier) int {
		return cmp.Or(cmp.Compare(a.MinQuantity, b.MinQuantity), cmp.Compare(a.Price, b.Price))
	})
	own = slices.CompactFunc(own, func(a, b Tier) bool { return a.MinQuantity == b.MinQuantity })
	return dst[:from+len(own)]
}

// ShowsStock reports whether a product has its own stock status: the module stock is on, and the
// product is tracked and not made to measure.
func (s *Store) ShowsStock(p *Product) bool {
	return s.Modules.Has(ModuleStock) && p.TrackStock && p.Capability == Standard
}
