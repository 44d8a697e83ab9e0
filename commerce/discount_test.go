package commerce

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"
)

// docs/store-document.md#discounts, Products. Product 1 is in category 11, which is below 10; product 2 in 10 and in 20;
// product 3 in none.
func TestProductsOfARange(t *testing.T) {
	s := &Store{
		Categories: []Category{{ID: testID(11), ParentID: testID(10)}, {ID: testID(10)}, {ID: testID(20)}, {ID: testID(30)}},
		Products: []*Product{
			{ID: testID(1), CategoryIDs: []uuid.UUID{testID(11)}},
			{ID: testID(2), CategoryIDs: []uuid.UUID{testID(10), testID(20)}},
			{ID: testID(3)},
		},
	}
	ids := func(numbers ...int) (all []uuid.UUID) {
		for _, n := range numbers {
			all = append(all, testID(n))
		}
		return all
	}
	for _, c := range []struct {
		rule string
		of   ProductRange
		want string // product 4 is gone
	}{
		{"every product", ProductRange{}, "[1 2 3 4]"},
		{"named", ProductRange{ProductIDs: ids(3, 3)}, "[3]"},
		{"a category with its descendants", ProductRange{CategoryIDs: ids(10)}, "[1 2]"},
		{"a category without its ancestors", ProductRange{CategoryIDs: ids(11)}, "[1]"},
		{"an empty category", ProductRange{CategoryIDs: ids(30)}, "[]"},
		{"either matches", ProductRange{ProductIDs: ids(3), CategoryIDs: ids(20, 20)}, "[2 3]"},
		{"excluded from a category", ProductRange{CategoryIDs: ids(10), ExcludedIDs: ids(2)}, "[1]"},
		{"excluded although named", ProductRange{ProductIDs: ids(1, 3), ExcludedIDs: ids(3, 2)}, "[1]"},
		{"every product without the excluded ones", ProductRange{ExcludedIDs: ids(1, 3)}, "[2 4]"},
		{"nothing is left", ProductRange{ProductIDs: ids(1), ExcludedIDs: ids(1)}, "[]"},
	} {
		for part, d := range []Discount{{ProductRange: c.of}, {Buy: BogoBuy{ProductRange: c.of}}, {Get: BogoGet{ProductRange: c.of}}} {
			d.Active = true
			// Its lists stand among those of others.
			other := Discount{Active: true, ProductRange: ProductRange{CategoryIDs: ids(11, 20), ProductIDs: ids(2)}}
			s.Discounts = []Discount{other, d, other}
			s.Index()
			numbers := s.discounts.numbers[1]
			number := [...]rangeNumber{numbers.products, numbers.buy, numbers.get}[part]
			got := []int{}
			for n := 1; n <= 4; n++ {
				if number.within(s.discounts.ranges.Get(testID(n))) {
					got = append(got, n)
				}
			}
			if fmt.Sprint(got) != c.want {
				t.Errorf("%s: %v, want %s", c.rule, got, c.want)
			}
		}
	}
}

// Products with the same lists share them, so that many products in few categories cost little memory.
func TestEqualListsAreShared(t *testing.T) {
	s := &Store{Categories: []Category{{ID: testID(10)}, {ID: testID(20)}}}
	for i := range 3 {
		s.Products = append(s.Products, &Product{ID: testID(1 + i), CategoryIDs: []uuid.UUID{testID(10), testID(20)}})
	}
	for _, category := range []int{10, 20} {
		s.Discounts = append(s.Discounts, Discount{Active: true, ProductRange: ProductRange{CategoryIDs: []uuid.UUID{testID(category)}}})
	}
	s.Index()
	first, last := s.discounts.ranges.Get(testID(1)), s.discounts.ranges.Get(testID(3))
	if !slices.Equal(first, []rangeNumber{1, 2}) || &first[0] != &last[0] {
		t.Errorf("%v and %v", first, last)
	}
}

// largeRanges is a store of 100,000 products in 2,000 categories of three levels, with a discount of 200 categories.
func largeRanges() *Store {
	s := &Store{}
	of := ProductRange{ExcludedIDs: []uuid.UUID{testID(7)}}
	for i := range 2_000 {
		c := Category{ID: testID(0x1_0000_0000 + i)}
		if i >= 20 {
			c.ParentID = s.Categories[i/10].ID
		}
		if i%10 == 3 {
			of.CategoryIDs = append(of.CategoryIDs, c.ID)
		}
		s.Categories = append(s.Categories, c)
	}
	for i := range 100_000 {
		s.Products = append(s.Products, &Product{ID: testID(1 + i), CategoryIDs: []uuid.UUID{s.Categories[i%2000].ID, s.Categories[i*7%2000].ID}})
	}
	s.Discounts = []Discount{{ID: testID(0xd), Kind: DiscountProducts, Active: true, Value: DiscountValue{Percent: 10e9}, ProductRange: of}}
	s.Index()
	return s
}

// A line change evaluates the cart once.
func BenchmarkDiscountOf200Categories(b *testing.B) {
	with := largeRanges()
	without := *with
	without.Discounts = nil
	without.discounts = discountIndex{}
	cart := NewCart(cartID, noon)
	for i := range 3 {
		cart.Lines = append(cart.Lines, Line{ID: testID(i), ProductID: testID(1 + 33_333*i), UnitPrice: 1999, Quantity: One})
	}
	for name, s := range map[string]*Store{"with": with, "without": &without} {
		b.Run(name, func(b *testing.B) {
			var e Evaluation
			for b.Loop() {
				e.Evaluate(cart, s, guest, noon)
			}
		})
	}
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			with.discounts = indexDiscounts(with)
		}
	})
}

// A further use of a discount leaves the lists alone: they take the time of all products.
func TestUsageKeepsTheRanges(t *testing.T) {
	s := &Store{Products: []*Product{{ID: testID(1)}}, Discounts: []Discount{{Active: true, ProductRange: ProductRange{ProductIDs: []uuid.UUID{testID(1)}}}}}
	s.Index()
	next := s.WithUsage(func(*Discount) int64 { return 1 })
	if before, after := s.discounts.ranges.Get(testID(1)), next.discounts.ranges.Get(testID(1)); len(after) != 1 || &before[0] != &after[0] {
		t.Errorf("%v became %v", before, after)
	}
}
