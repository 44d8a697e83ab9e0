package commerce

import (
	"slices"
	"strings"
	"unicode/utf8"
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

// propertiesField is the member of a body that has the properties of a line.
const propertiesField = "properties"

// SentProperties are the texts in a body, each key once. They are judged with the product.
type SentProperties []SentText

// SentText is a text as it was sent. NoText is true if the value is none.
type SentText struct {
	Key, Text string
	NoText    bool
}

// sent are the properties of a line in the form that a client sends; nil if it has none.
func (p *Properties) sent() *SentProperties {
	if p == nil {
		return nil
	}
	var s SentProperties
	for i := range *p {
		s = append(s, SentText{Key: (*p)[i].Key, Text: (*p)[i].Value})
	}
	return &s
}

// For returns the properties of a line of a product, which is nil if it is gone; nil if there are
// none. A nil receiver stands for no properties.
func (s *SentProperties) For(p *Product) (*Properties, []FieldError) {
	texts := s.texts()
	if p == nil || !p.TakesProperties() {
		if len(texts) > 0 {
			return nil, TakesNoProperties.Fields
		}
		return nil, nil
	}
	if len(texts) > MaxProperties {
		return nil, []FieldError{{propertiesField, []Message{MsgMaxItems(propertiesField, MaxProperties)}}}
	}
	var faults []FieldError
	all := make(Properties, 0, len(texts))
	for i := range p.TextFields {
		f := &p.TextFields[i]
		at := slices.IndexFunc(texts, func(t SentText) bool { return t.Key == f.Key })
		switch {
		case at >= 0:
			text, fault := texts[at].judge(f.MaxLength)
			all, faults = append(all, Property{Key: f.Key, Value: text}), append(faults, fault...)
		case f.Required:
			path := propertiesField + "." + f.Key
			faults = append(faults, FieldError{path, []Message{MsgPropertyRequired(path, f.Label)}})
		}
	}
	own := len(all)
	for i := range texts {
		t := &texts[i]
		switch {
		case IsOwnKey(t.Key) && IsPropertyKey(t.Key):
			text, fault := t.judge(MaxPropertyLength)
			all, faults = append(all, Property{Key: t.Key, Value: text}), append(faults, fault...)
		case p.TextField(t.Key) == nil:
			path := propertiesField + "." + t.Key
			faults = append(faults, FieldError{path, []Message{MsgPropertyUnknown(path)}})
		}
	}
	slices.SortFunc(all[own:], func(a, b Property) int { return strings.Compare(a.Key, b.Key) })
	return all.within(own, faults)
}

// texts are the texts that were sent, trimmed. A blank one counts as absent.
func (s *SentProperties) texts() (all []SentText) {
	if s == nil {
		return nil
	}
	for _, t := range *s {
		if t.Text = Trim(UnifyLines(t.Text)); t.Text != "" || t.NoText {
			all = append(all, t)
		}
	}
	return all
}

// judge returns the text with the faults that it has.
func (t *SentText) judge(max int) (string, []FieldError) {
	path := propertiesField + "." + t.Key
	var f Faults
	switch {
	case t.NoText:
		f.Add(path, MsgString(path))
	case strings.ContainsFunc(t.Text, func(r rune) bool { return IsControl(r) && r != '\n' }):
		f.Add(path, MsgControlCharacter(path))
	}
	AtMost(max)(&f, path, t.Text)
	return t.Text, f.fields
}

// within judges the properties together; those from own on are the front end's own.
func (p Properties) within(own int, faults []FieldError) (*Properties, []FieldError) {
	var f Faults
	if len(p)-own > MaxOwnKeys {
		f.Add(propertiesField, MsgMaxItems(propertiesField, MaxOwnKeys))
	}
	if p.bytes() > MaxPropertiesBytes {
		f.Add(propertiesField, MsgMaxBytes(propertiesField, MaxPropertiesBytes))
	}
	if faults = append(f.fields, faults...); len(faults) > 0 || len(p) == 0 {
		return nil, faults
	}
	return &p, nil
}

// Characters is the number of code points in a text.
func Characters(text string) int { return utf8.RuneCountInString(text) }

// TextField is a text that a shopper may give with a line of the product, such as an engraving.
// docs/api/lines.md#properties.
type TextField struct {
	Key, Label string
	Required   bool
	MaxLength  int // in code points
}

// The limits of a product's text fields. Lengths are in code points.
const (
	MaxTextFields      = 10
	MaxPropertyKey     = 40
	MaxTextFieldLabel  = 100
	MaxPropertyLength  = 500
	TextFieldMaxLength = 200 // the default of MaxLength
)

// TextField returns the product's text field with this key, or nil.
func (p *Product) TextField(key string) *TextField {
	return find(p.TextFields, func(f *TextField) bool { return f.Key == key })
}

// TakesProperties reports whether lines of the product may have properties: its document has the
// member text_fields, an empty list too.
func (p *Product) TakesProperties() bool { return p.TextFields != nil }
