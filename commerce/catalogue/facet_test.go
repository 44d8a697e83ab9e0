package catalogue

import (
	"fmt"
	"testing"

	"cartd/commerce"
)

// An attribute with more than 50 values, of which nearly all differ, has no facet. It is found, and it
// takes no memory of facets.
func TestIdentifyingAttributesHaveNoFacet(t *testing.T) {
	shop := func(products, values int, variants bool) *commerce.Store {
		s := &commerce.Store{}
		for i := range products {
			p := &commerce.Product{ID: testID(i + 1), Slug: fmt.Sprint("p", i), Name: "P", Active: true}
			number := []commerce.Attribute{{Name: "Number", Values: []string{fmt.Sprint("n", i%values)}}}
			p.Attributes = []commerce.Attribute{{Name: "Colour", Values: []string{[]string{"White", "Black"}[i%2]}}}
			if variants {
				p.Variants = []commerce.Variant{{ID: testID(10_000 + i), Active: true, Display: commerce.Display{Attributes: number}}}
			} else {
				p.Attributes = append(p.Attributes, number...)
			}
			s.Products = append(s.Products, p)
		}
		return s
	}
	for _, row := range []struct {
		products, values int
		facet            bool
	}{
		{50, 50, true}, {51, 51, false}, {63, 51, false}, {64, 51, true}, {100, 80, true}, {100, 81, false}, {1000, 1000, false}, {1000, 500, true},
	} {
		for _, variants := range []bool{false, true} {
			s := shop(row.products, row.values, variants)
			c := New(s)
			f := Filter{Attributes: []AttributeFilter{{"number", []string{"N7"}}}}
			prices := c.PricesIn(commerce.PriceView{})
			all := c.Facets(find(c, &Filter{}, prices), prices, new(FacetBuffer))
			filtered := c.Facets(find(c, &f, prices), prices, new(FacetBuffer))
			names, identifying := 1, IdentifyingAttributes(s)
			if row.facet {
				names = 2
			}
			if len(all.Attributes) != names || len(filtered.Attributes) != names || filtered.Attributes[0].Values[0].Text == "" || (len(identifying) == 0) != row.facet {
				t.Errorf("%+v, variants %v: facets %v, filtered %v, without a facet %v", row, variants, all.Attributes, filtered.Attributes, identifying)
			}
			if !row.facet && (identifying[0] != AttributeSpread{"Number", row.values, row.products}) {
				t.Errorf("%+v: %+v", row, identifying)
			}
			if found := find(c, &f, prices); found.Len() != (row.products-8)/row.values+1 {
				t.Errorf("%+v: the filter finds %d", row, found.Len())
			}
			want := 2 + 2 // names and colours
			if row.facet {
				want += row.values
			}
			if got := c.facetBytes(); got != 8*want+row.products/8 {
				t.Errorf("%+v: %d bytes for facets, want %d counts", row, got, want)
			}
		}
	}
}
