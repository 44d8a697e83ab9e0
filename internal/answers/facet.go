package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/catalogue"
	"cartd/internal/field"
)

// IncludeFacets is the value of ?include= that adds the facets of a list.
const IncludeFacets = "facets"

// Facets count the products of a list.
var Facets = field.Object("Facets",
	field.Member("attributes", field.List(field.Object("AttributeFacet",
		field.Member("name", Text, "", func(f *catalogue.AttributeFacet) *string { return &f.Name }),
		field.Member("values", field.List(field.Object("ValueFacet",
			field.Member("value", Text, "", func(v *catalogue.ValueFacet) *string { return &v.Text }),
			field.Member("count", Integer, "", func(v *catalogue.ValueFacet) *int { return &v.Count }),
		)), "At most 50, the most frequent first.", func(f *catalogue.AttributeFacet) *[]catalogue.ValueFacet { return &f.Values }),
	)), "At most 20, those with the most products first. Each is counted without its own filter.",
		func(f *catalogue.Facets) *[]catalogue.AttributeFacet { return &f.Attributes }),
	field.Member("categories", field.List(field.Object("CategoryFacet",
		field.Member("id", UUID, "", func(c *catalogue.CategoryFacet) *uuid.UUID { return &c.ID }),
		field.Member("count", Integer, "Descendants included.", func(c *catalogue.CategoryFacet) *int { return &c.Count }),
	)), "The children of the category filtered by, else the roots; at most 100.",
		func(f *catalogue.Facets) *[]catalogue.CategoryFacet { return &f.Categories }),
	field.Self("price", field.Object("PriceFacet",
		field.Member("min", field.Pointer(Amount), "In minor units; null if no product shows a price.",
			func(f *catalogue.Facets) **commerce.Amount { return &f.Lowest }),
		field.Member("max", field.Pointer(Amount), "", func(f *catalogue.Facets) **commerce.Amount { return &f.Highest }),
	), ""),
)
