package engine

import (
	"sync"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Catalogue is a loaded store's catalogue with the orders by price that are in use.
type Catalogue struct {
	*commerce.Catalogue

	mu     sync.Mutex
	orders map[priceContext]*priceOrders
	// uses counts the orders asked for; it tells which were used last.
	uses uint64
}

// maxPriceOrders is how many pricing contexts a catalogue is kept sorted for: the guests' and
// those of the 16 groups used last.
const maxPriceOrders = 17

// priceContext is what prices depend on.
type priceContext struct {
	group  uuid.UUID
	hidden bool
}

// priceOrders are a catalogue's orders by price in one context, made by the first request.
type priceOrders struct {
	used     uint64
	make     sync.Once
	up, down []int32
}

// NewCatalogue indexes a store; nil if it has no catalogue. Time grows with the store.
func NewCatalogue(s *commerce.Store) *Catalogue {
	if !s.Modules.Has(commerce.ModuleCatalog) {
		return nil
	}
	return &Catalogue{Catalogue: commerce.NewCatalogue(s), orders: map[priceContext]*priceOrders{}}
}

// Order returns all positions in the order of a sort; nil is the document's order. The first
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

// dropOldest forgets the orders of the group that was asked for longest ago.
func (c *Catalogue) dropOldest() {
	var oldest priceContext
	for context, o := range c.orders {
		if context.group != uuid.Nil && (oldest.group == uuid.Nil || o.used < c.orders[oldest].used) {
			oldest = context
		}
	}
	delete(c.orders, oldest)
}
