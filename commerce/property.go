package commerce

import (
	"slices"
	"strings"
)

// Properties are the texts of a line in the shopper's own words: those of the product's text fields,
// in their order, then those that the front end keeps for itself, by their keys. A line without any
// has nil. Properties are never changed. docs/api/lines.md#properties.
type Properties []Property

// Property is one text of a line.
type Property struct {
	Key, Value string
	// Label is the text field's on the lines of orders and quotes; empty on the lines of a cart, and of
	// a key that the front end keeps for itself.
	Label string
}

// The limits of a line's properties.
const (
	MaxOwnKeys         = 10
	MaxProperties      = MaxTextFields + MaxOwnKeys
	MaxPropertiesBytes = 4 << 10 // keys and values together
)

// IsOwnKey reports whether a key is one of the front end's own.
func IsOwnKey(key string) bool { return strings.HasPrefix(key, "_") }

// IsPropertyKey reports whether a text has the length and the characters of a key.
func IsPropertyKey(text string) bool {
	return len(text) >= 1 && len(text) <= MaxPropertyKey && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}

// same reports whether two lines have the same texts. The order of text fields in the document may
// have changed between them.
func (p *Properties) same(other *Properties) bool {
	if p == nil || other == nil || p == other {
		return p == other
	}
	return len(*p) == len(*other) && !slices.ContainsFunc(*p, func(one Property) bool { return other.value(one.Key) != one.Value })
}

// value is the text of a key, empty if there is none.
func (p *Properties) value(key string) string {
	for i := range *p {
		if (*p)[i].Key == key {
			return (*p)[i].Value
		}
	}
	return ""
}

// bytes is the length of the keys and values.
func (p *Properties) bytes() (n int) {
	for i := range *p {
		n += len((*p)[i].Key) + len((*p)[i].Value)
	}
	return n
}

// labelled is a copy for the line of an order or of a quote. A text field that the product no longer
// has is labelled with its key.
func (p *Properties) labelled(of *Product) *Properties {
	if p == nil {
		return nil
	}
	all := slices.Clone(*p)
	for i := range all {
		one := &all[i]
		if IsOwnKey(one.Key) {
			break // they are the last
		}
		one.Label = one.Key
		if of == nil {
			continue
		}
		if f := of.TextField(one.Key); f != nil {
			one.Label = f.Label
		}
	}
	return &all
}

// Labelled are the properties with a label.
func (p Properties) Labelled() Properties {
	if i := slices.IndexFunc(p, func(one Property) bool { return one.Label == "" }); i >= 0 {
		return p[:i]
	}
	return p
}
