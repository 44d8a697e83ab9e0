package httpserver

import (
	"cartd/commerce"
	"cartd/internal/openapi"
)

// facetsShape is the member beside data that ?include=facets adds.
var facetsShape = openapi.Object("Facets").
	Has("attributes", openapi.List(openapi.Object("AttributeFacet").
		Has("name", openapi.Text, "").
		Has("values", openapi.List(openapi.Object("ValueFacet").
			Has("value", openapi.Text, "").
			Has("count", openapi.Integer, "")), "At most 50, the most frequent first.")), "At most 20, those with the most products first. Each is counted without its own filter.").
	Has("categories", openapi.List(openapi.Object("CategoryFacet").
		Has("id", openapi.UUID, "").
		Has("count", openapi.Integer, "Descendants included.")), "The children of the category filtered by, else the roots; at most 100.").
	Has("price", openapi.Object("PriceFacet").
		Has("min", openapi.Integer.OrNull(), "In minor units; null if no product shows a price.").
		Has("max", openapi.Integer.OrNull(), ""), "")

func appendFacets(dst []byte, f *commerce.Facets) []byte {
	dst = append(dst, `{"attributes":[`...)
	for i := range f.Attributes {
		facet := &f.Attributes[i]
		dst = appendString(append(appendComma(dst, i), `{"name":`...), facet.Name)
		dst = append(dst, `,"values":[`...)
		for j := range facet.Values {
			dst = appendString(append(appendComma(dst, j), `{"value":`...), facet.Values[j].Text)
			dst = append(appendInt(append(dst, `,"count":`...), facet.Values[j].Count), '}')
		}
		dst = append(dst, `]}`...)
	}
	dst = append(dst, `],"categories":[`...)
	for i := range f.Categories {
		dst = appendUUID(append(appendComma(dst, i), `{"id":`...), f.Categories[i].ID)
		dst = append(appendInt(append(dst, `,"count":`...), f.Categories[i].Count), '}')
	}
	dst = appendAmountOrNull(append(dst, `],"price":{"min":`...), f.Lowest)
	dst = appendAmountOrNull(append(dst, `,"max":`...), f.Highest)
	return append(dst, `}}`...)
}

func appendAmountOrNull(dst []byte, a *commerce.Amount) []byte {
	if a == nil {
		return append(dst, "null"...)
	}
	return appendInt(dst, int(*a))
}

// appendCorrected adds the corrected words to meta, the last member of a page's envelope.
func appendCorrected(dst []byte, corrected []commerce.Correction) []byte {
	if len(corrected) == 0 {
		return dst
	}
	dst = append(dst[:len(dst)-len("}}")], `,"corrected":{`...)
	for i, c := range corrected {
		dst = append(appendString(appendComma(dst, i), c.Word), ':')
		dst = appendString(dst, c.By)
	}
	return append(dst, "}}}"...)
}
