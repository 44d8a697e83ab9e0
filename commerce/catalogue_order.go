package commerce

import (
	"cmp"
	"slices"
)

// ProductSort is an order of a list of products. Equal products stay in the document's order.
type ProductSort uint8

const (
	SortDocument ProductSort = iota
	SortName
	SortNameDown
	SortPrice
	SortPriceDown
)

// ProductSorts are the sorts of a request, in the order of the constants after SortDocument.
var ProductSorts = []string{"name", "-name", "price", "-price"}

// ParseProductSort reads a sort as the API spells it.
func ParseProductSort(text string) (ProductSort, bool) {
	i := slices.Index(ProductSorts, text)
	return ProductSort(i + 1), i >= 0
}

// ByPrice reports whether the order depends on the pricing context.
func (s ProductSort) ByPrice() bool { return s == SortPrice || s == SortPriceDown }

// productOrder has all positions of a catalogue, ascending and descending by one property.
type productOrder struct{ up, down []int32 }

func orderBy(n int, up, down func(a, b int32) int) (o productOrder) {
	o.up = make([]int32, n)
	for i := range o.up {
		o.up[i] = int32(i)
	}
	o.down = slices.Clone(o.up)
	slices.SortStableFunc(o.up, up)
	slices.SortStableFunc(o.down, down)
	return o
}

// orderByName sorts by folded names.
func orderByName(names []string) productOrder {
	up := func(a, b int32) int { return cmp.Compare(names[a], names[b]) }
	return orderBy(len(names), up, func(a, b int32) int { return up(b, a) })
}

// ByName is the order of a sort that does not depend on prices; nil means the document's order.
func (c *Catalogue) ByName(sort ProductSort) []int32 {
	switch sort {
	case SortName:
		return c.byName.up
	case SortNameDown:
		return c.byName.down
	}
	return nil
}

// PriceOrders sorts by price in a context, ascending and descending. Products without a price come
// last in both orders.
func (c *Catalogue) PriceOrders(v PriceView) (up, down []int32) {
	const none Amount = -1
	prices := make([]Amount, len(c.Products))
	for i, p := range c.Products {
		prices[i] = none
		if price, ok := v.Price(p); ok {
			prices[i] = price
		}
	}
	by := func(compare func(a, b Amount) int) func(a, b int32) int {
		return func(a, b int32) int {
			switch x, y := prices[a], prices[b]; {
			case x == none && y == none:
				return 0
			case x == none:
				return 1
			case y == none:
				return -1
			default:
				return compare(x, y)
			}
		}
	}
	o := orderBy(len(prices), by(cmp.Compare[Amount]), by(func(a, b Amount) int { return cmp.Compare(b, a) }))
	return o.up, o.down
}
