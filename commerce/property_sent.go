package commerce

import (
	"slices"
	"strings"
	"unicode/utf8"
)

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
