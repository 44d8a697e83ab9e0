package catalogue

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cartd/commerce"
)

// shelved is a catalogue of products with these names.
func shelved(names ...string) *Catalogue {
	s := &commerce.Store{}
	for i, name := range names {
		s.Products = append(s.Products, &commerce.Product{ID: testID(i + 1), Slug: fmt.Sprint("p", i), Name: name, Active: true})
	}
	return New(s)
}

// At most three different words of a query are corrected, those that come first. Beside a word that is not
// corrected the product has most words.
func TestAQueryHasAtMostThreeCorrectedWords(t *testing.T) {
	c := shelved("roller bracket curtain fabric")
	for _, row := range []struct {
		query string
		want  []Correction
		found int
	}{
		{"rolller brackett curtian", []Correction{{"rolller", "roller"}, {"brackett", "bracket"}, {"curtian", "curtain"}}, 1},
		{"rolller brackett rolller curtian rolller", []Correction{{"rolller", "roller"}, {"brackett", "bracket"}, {"curtian", "curtain"}}, 1},
		{"roller rolller brackett curtian fabricc", []Correction{{"rolller", "roller"}, {"brackett", "bracket"}, {"curtian", "curtain"}}, 1},
		{"nothing nowhere nobody rolller", nil, 0},
	} {
		found := find(c, &Filter{Query: row.query}, nil)
		if !slices.Equal(found.Corrected, row.want) || found.Len() != row.found ||
			found.Partial != strings.Contains(row.query, "fabricc") {
			t.Errorf("%q: %d products, corrected %v; want %d, %v", row.query, found.Len(), found.Corrected, row.found, row.want)
		}
	}
}

// hanNames are names of six Chinese letters, each with another first letter.
func hanNames(n int) (names []string) {
	for i := range n {
		names = append(names, string(rune(0x4e00+i))+"乙丙丁戊己")
	}
	return names
}

// At most 500 words are tried for a word: with thousands of letters that could come first, an error in a
// later letter is corrected, one in the first letter only among the first of them.
func TestAWordHasAtMost500Candidates(t *testing.T) {
	names := hanNames(8000)
	c := shelved(names...)
	last := string([]rune(names[7999])[0])
	for query, want := range map[string]string{
		last + "乙丙丁戊庚":                 names[7999], // another letter
		last + "丙乙丁戊己":                 names[7999], // swapped
		last + "乙丙丙丁戊己":                names[7999], // one more
		last + "乙丙丁己":                  names[7999], // one less
		string(rune(0x9fff)) + "乙丙丁戊己": names[0],    // of the candidates the first by text
	} {
		if got := c.words.nearest(query); got != want {
			t.Errorf("%s is corrected to %q, want %q", query, got, want)
		}
	}
	// Only the last one has most products, and it is beyond the candidates.
	c = shelved(append(names, names[7999])...)
	if got := c.words.nearest(string(rune(0x9fff)) + "乙丙丁戊己"); got == names[7999] {
		t.Errorf("the candidate of all 8,000 letters was found: %s", got)
	}
}

// Between words a search may be ended.
func TestASearchEndsBetweenWords(t *testing.T) {
	c, enough := shelved("roller bracket curtain"), errors.New("enough")
	query := Filter{Query: "rolller brackett curtian"}
	for calls := range 6 {
		left := calls
		found, err := c.Find(&query, nil, func() error {
			if left--; left < 0 {
				return enough
			}
			return nil
		})
		if found != nil || !errors.Is(err, enough) {
			t.Errorf("after %d words: %v, %v", calls, found, err)
		}
	}
	if found := find(c, &query, nil); found.Len() != 1 {
		t.Errorf("without an end: %d products", found.Len())
	}
}

// Letters without a decomposition are sorted like their plain letter.
func TestNamesAreSortedByTheirPlainLetters(t *testing.T) {
	c := shelved("Zebra", "Łódź map", "Lamp", "Øl", "Oak", "Œuvre", "Ðak", "Cup", "Ærø", "Apple")
	var names []string
	for _, at := range c.ByName(SortName) {
		names = append(names, c.products[at].Name)
	}
	if got, want := strings.Join(names, ", "), "Ærø, Apple, Cup, Ðak, Lamp, Łódź map, Oak, Œuvre, Øl, Zebra"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

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
