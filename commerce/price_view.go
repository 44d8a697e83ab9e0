package commerce

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"
)

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
