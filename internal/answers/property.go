package answers

import (
	"cartd/commerce"
	"cartd/internal/field"
)

// Properties is the kind of a line's texts by their keys.
var Properties = field.Map(Text, func(p *commerce.Property) (key, value string) { return p.Key, p.Value })

// PropertyLabels is the kind of the labels of those texts that a text field of the product asked for.
var PropertyLabels = field.Map(Text, func(p *commerce.Property) (key, label string) { return p.Key, p.Label })

// propertiesOf are the properties of a line; nil if it has none.
func propertiesOf(p *commerce.Properties) []commerce.Property {
	if p == nil {
		return nil
	}
	return *p
}

// propertiesOrNull is the kind of the properties of a line that is not in a cart, null if it has none.
var propertiesOrNull = Kind[*commerce.Properties]{
	Schema: Properties.Schema.OrNull(),
	Append: func(dst []byte, p *commerce.Properties) []byte {
		if p == nil {
			return append(dst, "null"...)
		}
		return Properties.Append(dst, *p)
	},
}

// TextField is a text that a shopper gives with a line.
var TextField = field.Object("TextField",
	field.Member("key", Text, "The key of the text in a line's properties.", func(f *commerce.TextField) *string { return &f.Key }),
	field.Member("label", Text, "", func(f *commerce.TextField) *string { return &f.Label }),
	field.Member("required", Boolean, "", func(f *commerce.TextField) *bool { return &f.Required }),
	field.Member("max_length", Integer, "In characters.", func(f *commerce.TextField) *int { return &f.MaxLength }),
)
