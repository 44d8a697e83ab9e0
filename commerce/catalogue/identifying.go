package catalogue

import "cartd/commerce"

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
