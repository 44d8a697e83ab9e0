package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// IncludeFacets is the value of ?include= that adds the facets of a list.
const IncludeFacets = "facets"

// Facets count the products of a list.
var Facets = Object("Facets",
	Member("attributes", List(Object("AttributeFacet",
		Member("name", Text, "", func(f *commerce.AttributeFacet) string { return f.Name }),
		Member("values", List(Object("ValueFacet",
			Member("value", Text, "", func(v *commerce.ValueFacet) string { return v.Text }),
			Member("count", Integer, "", func(v *commerce.ValueFacet) int { return v.Count }),
		), itself[*commerce.ValueFacet]), "At most 50, the most frequent first.", func(f *commerce.AttributeFacet) []commerce.ValueFacet { return f.Values }),
	), itself[*commerce.AttributeFacet]), "At most 20, those with the most products first. Each is counted without its own filter.",
		func(f *commerce.Facets) []commerce.AttributeFacet { return f.Attributes }),
	Member("categories", List(Object("CategoryFacet",
		Member("id", UUID, "", func(c *commerce.CategoryFacet) uuid.UUID { return c.ID }),
		Member("count", Integer, "Descendants included.", func(c *commerce.CategoryFacet) int { return c.Count }),
	), itself[*commerce.CategoryFacet]), "The children of the category filtered by, else the roots; at most 100.",
		func(f *commerce.Facets) []commerce.CategoryFacet { return f.Categories }),
	Self("price", Object("PriceFacet",
		Member("min", Pointer(Amount), "In minor units; null if no product shows a price.", func(f *commerce.Facets) *commerce.Amount { return f.Lowest }),
		Member("max", Pointer(Amount), "", func(f *commerce.Facets) *commerce.Amount { return f.Highest }),
	), ""),
)
