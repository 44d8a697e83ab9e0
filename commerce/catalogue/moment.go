package catalogue

import (
	"slices"
	"time"

	"cartd/commerce"
)

// PriceEpoch numbers the times between the moments at which prices of a catalogue change: 0 is the time
// before the first moment. The moment itself belongs to the time after it.
type PriceEpoch int

// priceMoments are the moments at which prices change, ascending, with the positions of the products
// that have a period which begins or ends then.
type priceMoments struct {
	times []time.Time
	// products has list i for times[i].
	products lists
}

// indexMoments finds the moments of the active products and their active variants.
func indexMoments(products []*commerce.Product) priceMoments {
	moving := map[time.Time][]int32{}
	for i, p := range products {
		if p == nil {
			continue
		}
		note := func(periods []commerce.PricePeriod) {
			for j := range periods {
				appendPosition(moving, periods[j].From, int32(i))
				appendPosition(moving, periods[j].Until, int32(i))
			}
		}
		note(p.Prices.Periods)
		for j := range p.Variants {
			if v := &p.Variants[j]; v.Active {
				note(v.Prices.Periods)
			}
		}
	}
	m := priceMoments{products: lists{starts: []int32{0}}}
	for at := range moving {
		m.times = append(m.times, at)
	}
	slices.SortFunc(m.times, time.Time.Compare)
	for _, at := range m.times {
		m.products.all = append(m.products.all, moving[at]...)
		m.products.end()
	}
	return m
}

// EpochOf returns the time of a context's moment. Where prices are hidden they do not change.
func (c *Catalogue) EpochOf(v commerce.PriceView) PriceEpoch {
	if v.Hidden {
		return 0
	}
	at, begins := slices.BinarySearchFunc(c.moments.times, v.Pricing.Now, time.Time.Compare)
	if begins {
		at++
	}
	return PriceEpoch(at)
}

// Epoch is the time that the prices are those of.
func (p *PriceIndex) Epoch() PriceEpoch { return p.epoch }

// Current reports whether the prices are those of the catalogue's products, at the time of the index.
func (p *PriceIndex) Current() bool { return p.outdated == nil }

// FollowPrices returns the prices of the catalogue that this one follows, for MovePrices; nil if it cannot begin with
// them, because prices change at other moments now.
func (c *Catalogue) FollowPrices(p *PriceIndex) *PriceIndex {
	if c.redated {
		return nil
	}
	if c.changed == nil || p.up == nil {
		return p
	}
	next := *p
	next.outdated = slices.Clone(c.changed)
	for i, word := range p.outdated {
		next.outdated[i] |= word
	}
	return &next
}

// MovePrices returns the prices in a context, of which p has those of another time or of a catalogue that this one
// follows. It reads only the products that have changed, or have a period that begins or ends between the two times.
func (c *Catalogue) MovePrices(p *PriceIndex, v commerce.PriceView) *PriceIndex {
	to := c.EpochOf(v)
	if to == p.epoch && p.Current() {
		return p
	}
	moved := makeBitSet(len(c.products))
	copy(moved, p.outdated)
	for at := min(p.epoch, to); at < max(p.epoch, to); at++ {
		for _, position := range c.moments.products.list(int32(at)) {
			moved.add(position)
		}
	}
	stay := &PriceIndex{up: make([]int32, 0, len(p.up)), amounts: make([]commerce.Amount, 0, len(p.amounts))}
	var moving []int32
	for i, at := range p.up {
		switch {
		case moved.has(at):
			if c.products[at] != nil {
				moving = append(moving, at)
			}
		case i < len(p.amounts):
			stay.amounts = append(stay.amounts, p.amounts[i])
			fallthrough
		default:
			stay.up = append(stay.up, at)
		}
	}
	priced, without := c.readPrices(v, moving)
	return stay.with(c, v, priced, without)
}
