package engine

import (
	"sync"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/catalogue"
)

// Catalogue is a store's catalogue with the price indexes that were used lately.
type Catalogue struct {
	*catalogue.Catalogue

	// making is held while one of the catalogue's price indexes is made.
	making sync.Mutex

	mu     sync.Mutex
	prices map[priceContext]*contextPrices
	// uses counts the calls of pricesOf. The index with the lowest number is dropped first.
	uses uint64
}

// maxContexts is the number of pricing contexts that have a price index: the guests' and those of
// the 16 groups used last.
const maxContexts = 17

// priceContext identifies the prices that a visitor sees.
type priceContext struct {
	group  uuid.UUID
	hidden bool
}

// contextPrices has the price indexes of a catalogue in one context: that of the present time, and that
// of the time before the last moment at which prices changed, for requests that were judged before it.
// Requests make them.
type contextPrices struct {
	used uint64

	mu     sync.Mutex
	latest [2]*catalogue.PriceIndex // the one that was made last comes first
}

// at returns the index of a time; nil if there is none.
func (p *contextPrices) at(epoch catalogue.PriceEpoch) *catalogue.PriceIndex {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, index := range p.latest {
		if index != nil && index.Epoch() == epoch && index.Current() {
			return index
		}
	}
	return nil
}

func (p *contextPrices) add(index *catalogue.PriceIndex) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest = [2]*catalogue.PriceIndex{index, p.latest[0]}
}

func (p *contextPrices) last() *catalogue.PriceIndex {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.latest[0]
}

// indexing has a place for the price index that a node makes: it makes one at a time, in the order of the
// requests. Of each catalogue one request waits for the place, so that the contexts of one store do not
// keep other stores from it.
var indexing = make(chan struct{}, 1)

// NewCatalogue indexes a store; it is nil if the store has no catalogue. The time grows with the
// store.
func NewCatalogue(s *commerce.Store) *Catalogue {
	if !s.Modules.Has(commerce.ModuleCatalog) {
		return nil
	}
	return &Catalogue{Catalogue: catalogue.New(s), prices: map[priceContext]*contextPrices{}}
}

// maxAtOnce is the number of products up to which a catalogue that follows another one is indexed anew at once.
const maxAtOnce = 1000

// FollowCatalogue returns the catalogue of the store that follows another one; nil if it has none. was is the catalogue
// of the store before, or nil. Its index is made anew at once if the store has few products, or if there is no index
// to follow; else Outdated says whether it should be, in the background.
func FollowCatalogue(was *Catalogue, before, next *commerce.Store) *Catalogue {
	if was == nil || !next.Modules.Has(commerce.ModuleCatalog) {
		return NewCatalogue(next)
	}
	c := &Catalogue{Catalogue: was.Follow(before, next), prices: map[priceContext]*contextPrices{}}
	if c.Outdated() && len(next.Products) <= maxAtOnce {
		return NewCatalogue(next)
	}
	c.followPrices(was)
	return c
}

// followPrices takes over the price indexes of the catalogue before.
func (c *Catalogue) followPrices(was *Catalogue) {
	was.mu.Lock()
	defer was.mu.Unlock()
	c.uses = was.uses
	for context, p := range was.prices {
		next := &contextPrices{used: p.used}
		p.mu.Lock()
		for i, index := range p.latest {
			if index != nil {
				next.latest[i] = c.FollowPrices(index)
			}
		}
		p.mu.Unlock()
		c.prices[context] = next
	}
}

// Order returns all positions in the order of a sort; nil means the document's order.
func (c *Catalogue) Order(sort catalogue.Sort, v commerce.PriceView) []int32 {
	if !sort.ByPrice() {
		return c.ByName(sort)
	}
	return c.Prices(v).Order(sort)
}

// Prices returns the price index of a context at its moment. The first request in a context makes it,
// and so does the first one after a moment at which prices change, or after a change of products: of the index
// before it, in which only the products that change move.
func (c *Catalogue) Prices(v commerce.PriceView) *catalogue.PriceIndex {
	p, epoch := c.pricesOf(priceContext{v.Pricing.GroupID, v.Hidden}), c.EpochOf(v)
	if index := p.at(epoch); index != nil {
		return index
	}
	c.making.Lock()
	defer c.making.Unlock()
	if index := p.at(epoch); index != nil {
		return index
	}
	indexing <- struct{}{}
	defer func() { <-indexing }()
	index := p.last()
	if index == nil {
		index = c.PricesIn(v)
	} else {
		index = c.MovePrices(index, v)
	}
	p.add(index)
	return index
}

func (c *Catalogue) pricesOf(context priceContext) *contextPrices {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.prices[context]
	if p == nil {
		p = new(contextPrices)
		c.prices[context] = p
	}
	c.uses++
	p.used = c.uses
	if len(c.prices) > maxContexts {
		c.dropOldest()
	}
	return p
}

// dropOldest drops the index of the group used longest ago. The guests' index stays.
func (c *Catalogue) dropOldest() {
	var oldest priceContext
	for context, p := range c.prices {
		if context.group != uuid.Nil && (oldest.group == uuid.Nil || p.used < c.prices[oldest].used) {
			oldest = context
		}
	}
	delete(c.prices, oldest)
}
