package commerce

import (
	"encoding/binary"
	"slices"

	"github.com/google/uuid"
)

// ProductRange is a part of the catalogue: the products that it names and those of its categories with
// all their descendants, or every product if it names neither, without the excluded ones.
type ProductRange struct {
	ProductIDs, CategoryIDs, ExcludedIDs []uuid.UUID
}

// rangeNumber is the number of a range in the store's rangeIndex. Below zero it is the number of a list
// whose products are excluded: the range has every other product.
type rangeNumber int32

// everyProduct is the number of a range without ids, which has every product.
const everyProduct rangeNumber = 0

// rangeIndex has, for each product that is in a list, the numbers of its lists, ascending: the lists that
// name it and those that name a category of it or one above. It does not depend on what discounts have
// been used.
type rangeIndex = Shared[uuid.UUID, []rangeNumber]

// within reports whether a product with these lists is in a range.
func (n rangeNumber) within(lists []rangeNumber) bool {
	if n == everyProduct {
		return true
	}
	_, found := slices.BinarySearch(lists, max(n, -n))
	return found == (n > 0)
}

// rangeLists are the lists that ranges need.
type rangeLists struct {
	last rangeNumber
	// products and categories are the lists that name an id; excluded are those that do not have it nevertheless.
	products, categories, excluded map[uuid.UUID][]rangeNumber
}

func newRangeLists() *rangeLists {
	return &rangeLists{0, map[uuid.UUID][]rangeNumber{}, map[uuid.UUID][]rangeNumber{}, map[uuid.UUID][]rangeNumber{}}
}

// number makes the list of a range and returns the range's number.
func (l *rangeLists) number(r *ProductRange) rangeNumber {
	if len(r.ProductIDs)+len(r.CategoryIDs)+len(r.ExcludedIDs) == 0 {
		return everyProduct
	}
	l.last++
	if len(r.ProductIDs)+len(r.CategoryIDs) == 0 {
		l.enter(l.products, r.ExcludedIDs)
		return -l.last
	}
	l.enter(l.products, r.ProductIDs)
	l.enter(l.categories, r.CategoryIDs)
	l.enter(l.excluded, r.ExcludedIDs)
	return l.last
}

func (l *rangeLists) enter(lists map[uuid.UUID][]rangeNumber, ids []uuid.UUID) {
	for _, id := range ids {
		if in := lists[id]; len(in) == 0 || in[len(in)-1] != l.last { // a list may name an id twice
			lists[id] = append(in, l.last)
		}
	}
}

// includeDescendants adds the lists of each category to those of all below it.
func (l *rangeLists) includeDescendants(categories []Category) {
	if len(l.categories) > 0 {
		l.categories = l.withAncestors(categories)
	}
}

// index gives the lists to the products. Products with equal lists share them.
func (l *rangeLists) index(products []*Product) rangeIndex {
	var none rangeIndex
	x := none.Change()
	if len(l.products)+len(l.categories) == 0 {
		return none
	}
	if len(l.categories) > 0 {
		x.Grow(len(products))
	}
	shared := map[string][]rangeNumber{}
	for _, p := range products {
		if lists := l.of(p, shared); len(lists) > 0 {
			x.Set(p.ID, lists)
		}
	}
	return x.Done()
}

// of are the lists of a product, which equal ones of shared stand for if that is not nil.
func (l *rangeLists) of(p *Product, shared map[string][]rangeNumber) []rangeNumber {
	lists := l.products[p.ID]
	for _, category := range p.CategoryIDs {
		lists = union(lists, l.categories[category], shared)
	}
	if out := l.excluded[p.ID]; len(out) > 0 {
		lists = slices.DeleteFunc(slices.Clone(lists), func(n rangeNumber) bool { _, found := slices.BinarySearch(out, n); return found })
	}
	return lists
}

// withAncestors are the lists of each category and of all above it.
func (l *rangeLists) withAncestors(categories []Category) map[uuid.UUID][]rangeNumber {
	parents := make(map[uuid.UUID]uuid.UUID, len(categories))
	for i := range categories {
		parents[categories[i].ID] = categories[i].ParentID
	}
	all := make(map[uuid.UUID][]rangeNumber, len(categories))
	var path []uuid.UUID
	for i := range categories {
		path = path[:0]
		at := categories[i].ID
		lists, known := all[at]
		for !known && at != uuid.Nil {
			path = append(path, at)
			at = parents[at]
			lists, known = all[at]
		}
		for n := len(path) - 1; n >= 0; n-- {
			lists = union(lists, l.categories[path[n]], nil)
			all[path[n]] = lists
		}
	}
	return all
}

// union returns all numbers of two lists. It makes a list only if neither has all of them, and returns an
// equal one of shared if that is not nil.
func union(a, b []rangeNumber, shared map[string][]rangeNumber) []rangeNumber {
	if len(a) < len(b) {
		a, b = b, a
	}
	has := func(n rangeNumber) bool { _, found := slices.BinarySearch(a, n); return found }
	if !slices.ContainsFunc(b, func(n rangeNumber) bool { return !has(n) }) {
		return a
	}
	both := slices.Concat(a, b)
	slices.Sort(both)
	both = slices.Compact(both)
	if shared == nil {
		return both
	}
	key := make([]byte, 0, 4*len(both))
	for _, n := range both {
		key = binary.LittleEndian.AppendUint32(key, uint32(n))
	}
	if known := shared[string(key)]; known != nil {
		return known
	}
	shared[string(key)] = both
	return both
}
