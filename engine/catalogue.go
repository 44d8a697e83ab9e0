package engine

import (
	"sync"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Catalogue is a store's catalogue with the price orders that were used lately.
type Catalogue struct {
	*commerce.Catalogue

	mu     sync.Mutex
	orders map[priceContext]*priceOrders
	// uses counts the calls of ordersOf. The order with the lowest number is dropped first.
	uses uint64
}

// maxPriceOrders is the number of pricing contexts that have price orders: the guests' and those of
// the 16 groups used last.
const maxPriceOrders = 17

// priceContext identifies the prices that a visitor sees.
type priceContext struct {
	group  uuid.UUID
	hidden bool
}

// priceOrders are a catalogue's price orders in one context. The first request sorts them.
type priceOrders struct {
	used     uint64
	make     sync.Once
	up, down []int32
}

// NewCatalogue indexes a store; it is nil if the store has no catalogue. The time grows with the
// store.
func NewCatalogue(s *commerce.Store) *Catalogue {
	if !s.Modules.Has(commerce.ModuleCatalog) {
		return nil
	}
	return &Catalogue{Catalogue: commerce.NewCatalogue(s), orders: map[priceContext]*priceOrders{}}
}

// Order returns all positions in the order of a sort; nil means the document's order. The first
// request for prices in a context sorts the catalogue.
func (c *Catalogue) Order(sort commerce.ProductSort, v commerce.PriceView) []int32 {
	if !sort.ByPrice() {
		return c.ByName(sort)
	}
	o := c.ordersOf(priceContext{v.Pricing.GroupID, v.Hidden})
	o.make.Do(func() { o.up, o.down = c.PriceOrders(v) })
	if sort == commerce.SortPrice {
		return o.up
	}
	return o.down
}

func (c *Catalogue) ordersOf(context priceContext) *priceOrders {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.orders[context]
	if o == nil {
		o = new(priceOrders)
		c.orders[context] = o
	}
	c.uses++
	o.used = c.uses
	if len(c.orders) > maxPriceOrders {
		c.dropOldest()
	}
	return o
}

// dropOldest drops the orders of the group used longest ago. The guests' orders stay.
func (c *Catalogue) dropOldest() {
	var oldest priceContext
	for context, o := range c.orders {
		if context.group != uuid.Nil && (oldest.group == uuid.Nil || o.used < c.orders[oldest].used) {
			oldest = context
		}
	}
	delete(c.orders, oldest)
}
