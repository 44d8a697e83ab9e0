package commerce

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Discount is one rule that lowers the price of a cart, automatically or by code.
type Discount struct {
	ID        uuid.UUID
	Name      string
	Kind      DiscountKind
	Code      string // the document's spelling; empty if there is none
	Active    bool
	Exclusive bool      // applies alone on the goods, or not at all
	StartsAt  time.Time // inclusive; zero means always
	EndsAt    time.Time // exclusive; zero means never
	// MinOrder is the minimum sum of the line totals without discounts; nil if there is none.
	MinOrder   *Amount
	GroupIDs   []uuid.UUID // empty means every visitor
	UsageLimit *int64      // orders that may use it; nil means no limit
	Used       int64       // orders that used it
	// CustomerLimit is the number of orders of one customer that may use it; nil means no limit. Only a
	// discount with codes has one.
	CustomerLimit *int64
	// CodeBatches are batches of codes, beside Code. A discount with neither is automatic.
	CodeBatches  []CodeBatch
	Value        DiscountValue
	ProductRange // kind products
	Buy          BogoBuy
	Get          BogoGet
}

// Discount returns the discount with the id, active or not, or nil.
func (s *Store) Discount(id uuid.UUID) *Discount {
	return find(s.Discounts, func(d *Discount) bool { return d.ID == id })
}

// runs reports whether now is between the discount's start and end.
func (d *Discount) runs(now time.Time) bool {
	return !now.Before(d.StartsAt) && (d.EndsAt.IsZero() || now.Before(d.EndsAt))
}

// Automatic reports whether the discount applies without a code.
func (d *Discount) Automatic() bool { return d.Code == "" && len(d.CodeBatches) == 0 }

// DiscountValue is a percentage or a fixed amount.
type DiscountValue struct {
	Fixed   bool
	Amount  Amount
	Percent Percent
}

// BogoBuy is the required purchase.
type BogoBuy struct {
	ProductRange
	MinQuantity Quantity
}

// BogoGet is the reduction in return.
type BogoGet struct {
	ProductRange
	Quantity Quantity
	Percent  Percent
}

// discountIndex is the store's discounts prepared for evaluations. The work for each line does not
// grow with the number of products.
type discountIndex struct {
	// automatic are the active discounts without a code, in the order in which they apply.
	automatic []readyDiscount
	// delivery is the position from which on discounts lower the delivery, not the goods.
	delivery int
	// byCode finds the active discounts with a code, by CodeKey. The code of an inactive one is
	// unknown.
	byCode map[string]*readyDiscount
	// batches finds the active discounts with batches of codes.
	batches batchIndex
	// ranges has the lists of each product, numbers the ranges of each discount, in the document's order.
	ranges  rangeIndex
	numbers []discountRanges
	lists   *rangeLists
}

// discountRanges are the numbers of a discount's ranges: products of kind products, buy and get of kind bogo.
type discountRanges struct{ products, buy, get rangeNumber }

// readyDiscount is a discount with its position among the others.
type readyDiscount struct {
	*Discount
	// position is the place in the order in which discounts apply; a lower one applies first.
	position int
	discountRanges
}

// indexDiscounts makes the index of a store's discounts.
func indexDiscounts(s *Store) discountIndex {
	lists := newRangeLists()
	x := discountIndex{numbers: make([]discountRanges, len(s.Discounts)), lists: lists}
	for i := range s.Discounts {
		d := &s.Discounts[i]
		x.numbers[i] = discountRanges{lists.number(&d.ProductRange), lists.number(&d.Buy.ProductRange), lists.number(&d.Get.ProductRange)}
	}
	lists.includeDescendants(s.Categories)
	x.ranges = lists.index(s.Products)
	x.arrange(s.Discounts)
	return x
}

// follow gives the products that have changed their lists.
func (x *discountIndex) follow(changes []ProductChange) {
	next := x.ranges.Change()
	for _, c := range changes {
		switch is := c.After; {
		case is == nil:
			next.Delete(c.Before.ID)
		case c.Before == nil || !slices.Equal(is.CategoryIDs, c.Before.CategoryIDs):
			if lists := x.lists.of(is, nil); len(lists) > 0 {
				next.Set(is.ID, lists)
			} else {
				next.Delete(is.ID)
			}
		}
	}
	x.ranges = next.Done()
}

// arrange puts the active discounts in their order.
func (x *discountIndex) arrange(discounts []Discount) {
	x.automatic, x.byCode, x.batches = nil, map[string]*readyDiscount{}, batchIndex{}
	x.delivery = DiscountShipping.rank() * len(discounts)
	for i := range discounts {
		d := &discounts[i]
		ready := readyDiscount{d, d.position(i, len(discounts)), x.numbers[i]}
		if !d.Active {
			continue
		}
		if d.Automatic() {
			x.automatic = append(x.automatic, ready)
			continue
		}
		if d.Code != "" {
			x.byCode[CodeKey(d.Code)] = &ready
		}
		x.batches.add(&ready)
	}
	slices.SortFunc(x.automatic, func(a, b readyDiscount) int { return a.position - b.position })
}

// WithUsage returns the store with other usage counts, and the same ranges. used returns the count of a discount with a
// limit.
func (s *Store) WithUsage(used func(*Discount) int64) *Store {
	next := *s
	next.Discounts = slices.Clone(s.Discounts)
	for i := range next.Discounts {
		if d := &next.Discounts[i]; d.UsageLimit != nil {
			d.Used = used(d)
		}
	}
	next.discounts.arrange(next.Discounts)
	return &next
}

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
