package catalogue

import (
	"cmp"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
)

// The maximum numbers of rows in the facets.
const (
	MaxFacetNames      = 20
	MaxFacetValues     = 50
	MaxFacetCategories = 100
)

// Facets count the products of a list. Each facet looks at the list without its own filter.
type Facets struct {
	Attributes []AttributeFacet
	Categories []CategoryFacet
	// Lowest and Highest are the bounds of the prices; nil if no product shows a price.
	Lowest, Highest *commerce.Amount
}

// AttributeFacet has the values of an attribute, the most frequent first.
type AttributeFacet struct {
	Name   string
	Values []ValueFacet
}

// ValueFacet is a value with the number of its products.
type ValueFacet struct {
	Text  string
	Count int
}

// CategoryFacet is a category with the number of products in it or in a descendant.
type CategoryFacet struct {
	ID    uuid.UUID
	Count int
}

// Facets returns the facets of a list that Find has returned. Only one call at a time may use a
// buffer.
func (c *Catalogue) Facets(f *Found, prices *PriceIndex, b *FacetBuffer) *Facets {
	all := &Facets{Attributes: c.attributeFacets(f, b), Categories: c.categoryFacets(f, b)}
	within := intersection(f.other, f.category, f.attribute)
	if low, high, ok := prices.bounds(&within); ok {
		all.Lowest, all.Highest = &low, &high
	}
	return all
}

// FacetBuffer is memory for the counting of facets, for one call after another.
type FacetBuffer struct {
	names, values productCounts
	members       bitSet
}

// facetBytes is the memory that a FacetBuffer takes for the catalogue.
func (c *Catalogue) facetBytes() int {
	return sizeOfCount*(len(c.attributes.names)+int(c.attributes.counted)) + len(c.products)/8
}

// productCount counts products that come in ascending order, each once: last is the last one, plus 1.
type productCount struct{ last, count int32 }

const sizeOfCount = 8

type productCounts []productCount

func (c productCounts) add(n, position int32) {
	if c[n].last != position+1 {
		c[n].last = position + 1
		c[n].count++
	}
}

// emptied returns n zeros, in the memory of the slice if it has room for them.
func emptied[S ~[]E, E any](s S, n int) S {
	if cap(s) < n {
		return make(S, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// attributeFacets counts the products of each name and value in one walk over the rows. A row that
// fails one filter alone counts for the name of that filter.
func (c *Catalogue) attributeFacets(f *Found, b *FacetBuffer) []AttributeFacet {
	x := &c.attributes
	names, values := emptied(b.names, len(x.names)), emptied(b.values, int(x.counted))
	b.names, b.values = names, values
	within := intersection(f.other, f.category, f.price)
	for position := range within.each {
		if len(f.conditions) == 0 {
			for _, value := range x.productValues.list(position) {
				if value < x.counted {
					names.add(x.values[value].name, position)
					values[value].count++
				}
			}
			continue
		}
		for row := x.rowsOf[position]; row < x.rowsOf[position+1]; row++ {
			failed, failures := f.failures(row)
			if failures > 1 {
				continue
			}
			for _, value := range x.rowValues.list(row) {
				if value >= x.counted {
					continue
				}
				if name := x.values[value].name; failures == 0 || name == failed {
					names.add(name, position)
					values.add(value, position)
				}
			}
		}
	}
	var shown []AttributeFacet
	for _, name := range mostFrequent(names, 0, int32(len(names)), MaxFacetNames) {
		facet := AttributeFacet{Name: x.names[name]}
		for _, value := range mostFrequent(values, x.valuesOf[name].from, x.valuesOf[name].to, MaxFacetValues) {
			facet.Values = append(facet.Values, ValueFacet{x.values[value].text, int(values[value].count)})
		}
		shown = append(shown, facet)
	}
	return shown
}

// failures is the number of the attribute filters that a row does not satisfy, and the name of the
// last of them.
func (f *Found) failures(row int32) (name int32, n int) {
	for i := range f.conditions {
		if !f.conditions[i].rows.has(row) {
			name = f.conditions[i].name
			n++
		}
	}
	return name, n
}

// mostFrequent returns the numbers from from to to with the highest counts above 0, at most limit of
// them. Of equal counts the lower number comes first.
func mostFrequent(counts productCounts, from, to int32, limit int) []int32 {
	best := make([]int32, 0, limit+1)
	for n := from; n < to; n++ {
		if counts[n].count == 0 || len(best) == limit && counts[n].count <= counts[best[limit-1]].count {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, n, func(a, b int32) int {
			return cmp.Or(cmp.Compare(counts[b].count, counts[a].count), cmp.Compare(a, b))
		})
		best = slices.Insert(best, at, n)
		best = best[:min(len(best), limit)]
	}
	return best
}

// categoryFacets counts the children of the category filtered by, else the roots.
func (c *Catalogue) categoryFacets(f *Found, b *FacetBuffer) []CategoryFacet {
	children := c.roots
	if f.parent != nil {
		children = f.parent.children
	} else if f.inCategory {
		children = nil // of an unknown category
	}
	within := intersection(f.other, f.price, f.attribute)
	var rows []CategoryFacet
	for _, child := range children[:min(len(children), MaxFacetCategories)] {
		b.members = emptied(b.members, bitSetSize(len(c.products)))
		c.addCategory(b.members, child)
		rows = append(rows, CategoryFacet{child.ID, within.shared(b.members)})
	}
	return rows
}

// AttributeSpread says how far the values of an attribute differ between products.
type AttributeSpread struct {
	Name string
	// Values is the number of different values, Uses the number of pairs of a product and one of its
	// values.
	Values, Uses int
}

// Identifies reports whether nearly all values differ, as those of article numbers do: an attribute
// with more values than a facet can show, of which one has fewer than 1.25 products on average. Such an
// attribute has no facet. Filters and the search find its values.
func (s *AttributeSpread) Identifies() bool {
	return s.Values > MaxFacetValues && 5*s.Values > 4*s.Uses
}

// spreads returns the spread of each name, by its number.
func (x *attributeIndexing) spreads() []AttributeSpread {
	all := make([]AttributeSpread, len(x.names))
	for i, name := range x.names {
		all[i].Name = name
	}
	for i := range x.values {
		all[x.values[i].name].Values++
	}
	for _, value := range x.productValues.all {
		all[x.values[value].name].Uses++
	}
	return all
}

// IdentifyingAttributes lists the attributes of the store's active products that have no facet, in the
// document's order.
func IdentifyingAttributes(s *commerce.Store) (all []AttributeSpread) {
	x := newAttributeIndexing()
	for _, p := range s.Products {
		if p.Active {
			x.addProduct(p, nil)
		}
	}
	for _, spread := range x.spreads() {
		if spread.Identifies() {
			all = append(all, spread)
		}
	}
	return all
}
