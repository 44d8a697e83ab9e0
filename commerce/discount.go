package commerce

import (
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
