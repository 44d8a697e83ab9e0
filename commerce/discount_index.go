package commerce

import (
	"slices"

	"github.com/google/uuid"
)

// discountIndex is the store's discounts, made ready to be applied to a cart: what
// an evaluation does per line does not depend on how many products there are.
type discountIndex struct {
	// automatic are the active ones without a code, in the order in which they apply.
	automatic []readyDiscount
	// byCode finds the active ones with a code, by CodeKey. The code of an inactive one is
	// an unknown code.
	byCode map[string]*readyDiscount
	// sets holds, for each product that a discount names, the numbers of the lists it
	// is named in, ascending.
	sets map[uuid.UUID][]int32
}

// readyDiscount is a discount with its position among the others.
type readyDiscount struct {
	*Discount
	// position is the order in which discounts apply: lower first.
	position int
	// products is kind products' list; buy and get are kind bogo's.
	products, buy, get int32
}

// everyProduct is the number of an empty list, which means every product.
const everyProduct int32 = 0

// indexDiscounts makes the index; the order within a kind is the document's.
func indexDiscounts(discounts []Discount) discountIndex {
	x := discountIndex{byCode: map[string]*readyDiscount{}, sets: map[uuid.UUID][]int32{}}
	lists := everyProduct
	number := func(ids []uuid.UUID) int32 {
		if len(ids) == 0 {
			return everyProduct
		}
		lists++
		for _, id := range ids {
			if in := x.sets[id]; len(in) == 0 || in[len(in)-1] != lists { // an id may stand in a list twice
				x.sets[id] = append(in, lists)
			}
		}
		return lists
	}
	for i := range discounts {
		d := &discounts[i]
		ready := readyDiscount{Discount: d, position: discountKinds[d.Kind].order*len(discounts) + i}
		ready.products, ready.buy, ready.get = number(d.ProductIDs), number(d.Buy.ProductIDs), number(d.Get.ProductIDs)
		switch {
		case !d.Active:
		case d.Code != "":
			x.byCode[CodeKey(d.Code)] = &ready
		default:
			x.automatic = append(x.automatic, ready)
		}
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

// WithUsage returns the store with other usage counts; nothing else differs. used
// is asked for each discount with a limit.
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
