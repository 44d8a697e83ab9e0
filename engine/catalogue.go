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

// contextPrices is a catalogue's price index in one context. The first request makes it.
type contextPrices struct {
	used  uint64
	make  sync.Once
	index *catalogue.PriceIndex
}

// NewCatalogue indexes a store; it is nil if the store has no catalogue. The time grows with the
// store.
func NewCatalogue(s *commerce.Store) *Catalogue {
	if !s.Modules.Has(commerce.ModuleCatalog) {
		return nil
	}
	return &Catalogue{Catalogue: catalogue.New(s), prices: map[priceContext]*contextPrices{}}
}

// Order returns all positions in the order of a sort; nil means the document's order.
func (c *Catalogue) Order(sort catalogue.Sort, v commerce.PriceView) []int32 {
	if !sort.ByPrice() {
		return c.ByName(sort)
	}
	return c.Prices(v).Order(sort)
}

// Prices returns the price index of a context. The first request in a context makes it.
func (c *Catalogue) Prices(v commerce.PriceView) *catalogue.PriceIndex {
	p := c.pricesOf(priceContext{v.Pricing.GroupID, v.Hidden})
	p.make.Do(func() { p.index = c.PricesIn(v) })
	return p.index
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
