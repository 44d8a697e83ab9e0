package answers

import (
	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// Picture is a picture of a product, a variant or a category.
var Picture = field.Object("Media",
	field.Member("url", Text, "https://, or a path on the storefront's own host.", func(m *commerce.Media) *string { return &m.URL }),
	field.Member("alt", TextOrNull, "", func(m *commerce.Media) *string { return &m.Alt }),
)

var media = field.List(Picture)

// Attributes are the texts and lists of the store's document, in its order.
var Attributes = field.Map(Kind[*commerce.Attribute]{Schema: openapi.AnyOf(openapi.Text, openapi.List(openapi.Text)), Append: appendAttribute},
	func(a *commerce.Attribute) (string, *commerce.Attribute) { return a.Name, a })

func appendAttribute(dst []byte, a *commerce.Attribute) []byte {
	if a.List {
		return Texts.Append(dst, a.Values)
	}
	return strictjson.AppendString(dst, a.Values[0])
}

// publicMetadata is the metadata of a document, {} if there is none.
var publicMetadata = Kind[commerce.Metadata]{Schema: metadata, Append: func(dst []byte, m commerce.Metadata) []byte {
	if m == nil {
		return append(dst, "{}"...)
	}
	return appendMetadata(dst, m)
}}

// unit is the unit of a product's quantities.
var unit = Names(commerce.UnitNames()...)

// weight is null if it is not known.
var weight = field.Pointer(number[commerce.Milligrams]())

// DisplayView is what a product or a variant shows. In a list it has the first picture only.
type DisplayView struct {
	*commerce.Display
	Listed bool
}

// display are the fields of what is shown, with the sentences that differ.
func display(aboutMedia, aboutAttributes string) []Field[DisplayView] {
	return field.Rows(
		field.Value("media", media, aboutMedia, func(v DisplayView) []commerce.Media {
			if v.Listed {
				return v.Media[:min(1, len(v.Media))]
			}
			return v.Media
		}),
		field.Member("attributes", Attributes, aboutAttributes, func(v DisplayView) *[]commerce.Attribute { return &v.Attributes }),
		field.Member("metadata", publicMetadata, "", func(v DisplayView) *commerce.Metadata { return &v.Metadata }),
	)
}
