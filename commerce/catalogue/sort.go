package catalogue

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"cartd/commerce"
)

// Sort is an order of a list of products. Equal products stay in the document's order.
type Sort uint8

const (
	SortDocument Sort = iota
	SortName
	SortNameDown
	SortPrice
	SortPriceDown
)

// Sorts are the sorts of a request, in the order of the constants after SortDocument.
var Sorts = []string{"name", "-name", "price", "-price"}

// ParseSort reads a sort as the API spells it.
func ParseSort(text string) (Sort, bool) {
	i := slices.Index(Sorts, text)
	return Sort(i + 1), i >= 0
}

// ByPrice reports whether the order depends on the pricing context.
func (s Sort) ByPrice() bool { return s == SortPrice || s == SortPriceDown }

// productOrder has all positions of a catalogue, ascending and descending by one property.
type productOrder struct{ up, down []int32 }

// orderByName sorts by normalized names.
func orderByName(names []string) productOrder {
	up := make([]int32, len(names))
	for i := range up {
		up[i] = int32(i)
	}
	slices.SortFunc(up, func(a, b int32) int { return cmp.Or(strings.Compare(names[a], names[b]), cmp.Compare(a, b)) })
	return productOrder{up, appendDown(make([]int32, 0, len(up)), up, func(i, j int) bool { return names[up[i]] == names[up[j]] })}
}

// appendDown appends an ascending order descending; equal ones, by their indexes in it, stay in the
// document's order.
func appendDown(down, up []int32, equal func(i, j int) bool) []int32 {
	for to := len(up); to > 0; {
		from := to - 1
		for from > 0 && equal(from-1, to-1) {
			from--
		}
		down, to = append(down, up[from:to]...), from
	}
	return down
}

// ByName is the order of a sort that does not depend on prices; nil means the document's order.
func (c *Catalogue) ByName(sort Sort) []int32 {
	switch sort {
	case SortName:
		return c.byName.up
	case SortNameDown:
		return c.byName.down
	}
	return nil
}

// PriceIndex has a catalogue's prices in one context, from one moment at which prices change to the next.
// A product counts with its price, else with the one that it begins from. Where prices are hidden no
// product has one.
type PriceIndex struct {
	// epoch is the time that the prices are those of.
	epoch PriceEpoch
	// outdated are the positions of products that have changed since the prices were read; nil if none has.
	outdated bitSet
	// up and down have all positions by price. Products without a price come last in both. nil if no
	// product has a price: the order is the document's.
	up, down []int32
	amounts  []commerce.Amount // of up, without those that have none
}

// PricesIn reads and sorts the prices in a context.
func (c *Catalogue) PricesIn(v commerce.PriceView) *PriceIndex {
	if v.Hidden {
		return &PriceIndex{}
	}
	priced, without := c.readPrices(v, slices.AppendSeq(make([]int32, 0, c.every.Len()), c.every.each))
	return new(PriceIndex).with(c, v, priced, without)
}

// pricedProduct is a position with its price.
type pricedProduct struct {
	amount   commerce.Amount
	position int32
}

func (p pricedProduct) compare(other pricedProduct) int {
	if p.amount != other.amount {
		return cmp.Compare(p.amount, other.amount)
	}
	return int(p.position - other.position)
}

// readPrices returns products sorted by price, then those without a price.
func (c *Catalogue) readPrices(v commerce.PriceView, positions []int32) (priced []pricedProduct, without []int32) {
	priced = make([]pricedProduct, 0, len(positions))
	for _, at := range positions {
		if amount, ok := v.Shown(c.products[at]); ok {
			priced = append(priced, pricedProduct{amount, at})
		} else {
			without = append(without, at)
		}
	}
	slices.SortFunc(priced, pricedProduct.compare)
	return priced, without
}

// with returns the index with further products, which it does not have yet.
func (p *PriceIndex) with(c *Catalogue, v commerce.PriceView, priced []pricedProduct, without []int32) *PriceIndex {
	size := len(p.up) + len(priced) + len(without)
	next := &PriceIndex{epoch: c.EpochOf(v), up: make([]int32, 0, size), amounts: make([]commerce.Amount, 0, len(p.amounts)+len(priced))}
	add := func(n pricedProduct) {
		next.up, next.amounts = append(next.up, n.position), append(next.amounts, n.amount)
	}
	for i, amount := range p.amounts {
		at := pricedProduct{amount, p.up[i]}
		for len(priced) > 0 && priced[0].compare(at) < 0 {
			add(priced[0])
			priced = priced[1:]
		}
		add(at)
	}
	for _, last := range priced {
		add(last)
	}
	next.down = appendDown(make([]int32, 0, size), next.up, func(i, j int) bool { return next.amounts[i] == next.amounts[j] })
	rest := append(slices.Clone(p.up[len(p.amounts):]), without...)
	slices.Sort(rest)
	next.up, next.down = append(next.up, rest...), append(next.down, rest...)
	return next
}

// Order returns all positions by price, ascending or descending.
func (p *PriceIndex) Order(sort Sort) []int32 {
	if sort == SortPriceDown {
		return p.down
	}
	return p.up
}

// between returns the positions of the products whose price is within bounds. A nil bound is none.
func (p *PriceIndex) between(low, high *commerce.Amount) []int32 {
	from, to := 0, len(p.amounts)
	if low != nil {
		from, _ = slices.BinarySearch(p.amounts, *low)
	}
	if high != nil && *high < math.MaxInt64 {
		to, _ = slices.BinarySearch(p.amounts, *high+1)
	}
	return p.up[from:max(from, to)]
}

// bounds returns the lowest and the highest price in a set; false if no product of it has one.
func (p *PriceIndex) bounds(s *ProductSet) (low, high commerce.Amount, ok bool) {
	has := func(i int) bool { return s.has(p.up[i]) }
	first, last := 0, len(p.amounts)-1
	for first <= last && !has(first) {
		first++
	}
	if first > last {
		return 0, 0, false
	}
	for !has(last) {
		last--
	}
	return p.amounts[first], p.amounts[last], true
}

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
