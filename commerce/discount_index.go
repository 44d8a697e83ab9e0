package commerce

import (
	"slices"

	"github.com/google/uuid"
)

// discountIndex is the store's discounts prepared for evaluations. The work for each line does not
// grow with the number of products.
type discountIndex struct {
	// automatic are the active discounts without a code, in the order in which they apply.
	automatic []readyDiscount
	// byCode finds the active discounts with a code, by CodeKey. The code of an inactive one is
	// unknown.
	byCode map[string]*readyDiscount
	// batches finds the active discounts with batches of codes.
	batches batchIndex
	// sets has, for each product named by a discount, the numbers of its lists, ascending.
	sets map[uuid.UUID][]int32
}

// readyDiscount is a discount with its position among the others.
type readyDiscount struct {
	*Discount
	// position is the rank in the order in which discounts apply; a lower one applies first.
	position int
	// products is the list of kind products. buy and get are the lists of kind bogo.
	products, buy, get int32
}

// everyProduct is the number of an empty list, which means every product.
const everyProduct int32 = 0

// indexDiscounts makes the index. Discounts of one kind stay in the document's order.
func indexDiscounts(discounts []Discount) discountIndex {
	x := discountIndex{byCode: map[string]*readyDiscount{}, sets: map[uuid.UUID][]int32{}}
	lists := everyProduct
	number := func(ids []uuid.UUID) int32 {
		if len(ids) == 0 {
			return everyProduct
		}
		lists++
		for _, id := range ids {
			if in := x.sets[id]; len(in) == 0 || in[len(in)-1] != lists { // a list may name an id twice
				x.sets[id] = append(in, lists)
			}
		}
		return lists
	}
	for i := range discounts {
		d := &discounts[i]
		ready := readyDiscount{Discount: d, position: d.Kind.rank()*len(discounts) + i}
		ready.products, ready.buy, ready.get = number(d.ProductIDs), number(d.Buy.ProductIDs), number(d.Get.ProductIDs)
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
	return x
}

// within reports whether a product with these list numbers is in a list.
func within(in []int32, list int32) bool {
	if list == everyProduct {
		return true
	}
	_, found := slices.BinarySearch(in, list)
	return found
}

// WithUsage returns the store with other usage counts. used returns the count of a discount with a
// limit.
func (s *Store) WithUsage(used func(*Discount) int64) *Store {
	next := *s
	next.Discounts = slices.Clone(s.Discounts)
	for i := range next.Discounts {
		if d := &next.Discounts[i]; d.UsageLimit != nil {
			d.Used = used(d)
		}
	}
	next.discounts = indexDiscounts(next.Discounts)
	return &next
}
