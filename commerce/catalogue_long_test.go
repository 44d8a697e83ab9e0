//go:build long

package commerce

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// shelfOf is a store of products with five attributes, three of them on two variants each, in a tree
// of 500 categories.
func shelfOf(products int) *Store {
	s := &Store{}
	for i := range 500 {
		c := Category{ID: testID(i + 1), Slug: fmt.Sprint("c", i)}
		if i >= 20 {
			c.ParentID = testID(i/20 + 1)
		}
		s.Categories = append(s.Categories, c)
	}
	kinds := []string{"Roller blind", "Venetian slat", "Bracket steel", "Curtain rail", "Fabric washed", "Lift cord"}
	one := func(name, format string, n int) Attribute {
		return Attribute{Name: name, Values: []string{fmt.Sprintf(format, n)}}
	}
	for i := range products {
		p := &Product{
			ID: testID(1000 + i), Slug: fmt.Sprint("p-", i), Active: true, SKU: fmt.Sprintf("RB-%06d", i),
			Name: fmt.Sprintf("%s %d", kinds[i%len(kinds)], i%500), Prices: Prices{Base: price(Amount(i * 7919 % 100_003))},
		}
		p.CategoryIDs = append(p.CategoryIDs, testID(i%500+1))
		p.Attributes = []Attribute{one("Brand", "Maker %d", i%700), one("Material", "Cloth %d", i%30)}
		for v := range 2 {
			variant := Variant{ID: testID(1_000_000 + 2*i + v), Active: true, Name: fmt.Sprint("Kind ", v), SKU: fmt.Sprintf("RB-%06d-%d", i, v)}
			variant.Attributes = []Attribute{one("Colour", "Shade %d", (i+v)%40), one("Size", "%d cm", (i*3+v)%20), one("Room", "Room %d", i%12)}
			p.Variants = append(p.Variants, variant)
		}
		s.Products = append(s.Products, p)
	}
	return s
}

// Showing products: the goals at 100,000 products with five attributes each.
func TestLongCatalogueGoals(t *testing.T) {
	const products, runs = 100_000, 300
	s := shelfOf(products)
	before, began := heap(), time.Now()
	c := NewCatalogue(s)
	t.Logf("built in %v, %d B a product", time.Since(began), (heap()-before)/products)
	two := []AttributeFilter{{"Colour", []string{"Shade 3", "Shade 4"}}, {"Size", []string{"9 cm", "10 cm"}}}
	var prices *PriceIndex
	list := func(f ProductFilter, facets bool, sort ProductSort) func() {
		return func() {
			if prices == nil {
				prices = c.PricesIn(PriceView{})
			}
			found := find(c, &f, prices)
			order := c.ByName(sort)
			if sort.ByPrice() {
				order = prices.Order(sort)
			}
			c.Page(&found.ProductSet, order, 0, min(25, found.Len()))
			if facets {
				c.Facets(found, prices, new(FacetBuffer))
			}
		}
	}
	for _, goal := range []struct {
		name        string
		p99, first  time.Duration
		do          func()
		newContexts bool
	}{
		{"two filters and facets", 10 * time.Millisecond, 80 * time.Millisecond, list(ProductFilter{Attributes: two}, true, SortPrice), true},
		{"facets of all products", 10 * time.Millisecond, 80 * time.Millisecond, list(ProductFilter{}, true, SortDocument), true},
		{"a category, prices and facets", 10 * time.Millisecond, 80 * time.Millisecond,
			list(ProductFilter{InCategory: "c1", PriceMin: price(1000), PriceMax: price(90_000)}, true, SortName), true},
		{"a corrected word", 10 * time.Millisecond, 80 * time.Millisecond, list(ProductFilter{Query: "rolller"}, false, SortDocument), false},
		{"a query of corrected words", 10 * time.Millisecond, 80 * time.Millisecond, list(ProductFilter{Query: "vennetian sltas makre clohd colurs"}, true, SortName), false},
		{"no filter, sorted by name", time.Millisecond, 80 * time.Millisecond, list(ProductFilter{}, false, SortName), false},
	} {
		// The best of a few series counts: another program of the machine makes one slower, none faster.
		if goal.newContexts {
			took := time.Hour
			for range 3 {
				prices = nil
				began := time.Now()
				goal.do()
				took = min(took, time.Since(began))
			}
			if took > goal.first {
				t.Errorf("%s: the first request of a pricing context took %v, want under %v", goal.name, took, goal.first)
			} else {
				t.Logf("%s: the first request of a pricing context: %v", goal.name, took)
			}
		}
		var took []time.Duration
		for range 5 {
			series := make([]time.Duration, runs)
			for i := range series {
				began := time.Now()
				goal.do()
				series[i] = time.Since(began)
			}
			slices.Sort(series)
			if took == nil || series[runs*99/100] < took[runs*99/100] {
				took = series
			}
		}
		p99 := took[runs*99/100]
		t.Logf("%s: median %v, 99th percentile %v", goal.name, took[runs/2], p99)
		if p99 > goal.p99 {
			t.Errorf("%s: 99th percentile %v, want under %v", goal.name, p99, goal.p99)
		}
	}
}
