package httpserver

import (
	"slices"
	"strconv"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// required reads a text that must be present. It returns false if it is missing or no text.
func (f *fields) required(name string) (strictjson.Value, bool) {
	value, _ := f.object.Get(name)
	switch {
	case missing(value):
		f.faults.Add(name, commerce.MsgRequired(name))
	case value.Kind() != strictjson.String:
		f.faults.Add(name, commerce.MsgString(name))
	default:
		return value, true
	}
	return nil, false
}

// requiredText reads a trimmed text that must be present.
func (f *fields) requiredText(name string, rule commerce.Length) *string {
	value, ok := f.required(name)
	if !ok {
		return nil
	}
	text := commerce.Trim(value.Text())
	rule(&f.faults, name, text)
	return &text
}

// sentText is requiredText for a field that may be absent, but not null.
func (f *fields) sentText(name string, rule commerce.Length) *string {
	if _, sent := f.object.Get(name); !sent {
		return nil
	}
	return f.requiredText(name, rule)
}

// nullableText reads a trimmed text that may be absent (nil), null or blank (empty).
func (f *fields) nullableText(name string, rule commerce.Length) *string {
	value, sent := f.object.Get(name)
	if !sent {
		return nil
	}
	text := ""
	switch value.Kind() {
	case strictjson.Null:
	case strictjson.String:
		text = commerce.Trim(value.Text())
		rule(&f.faults, name, text)
	default:
		f.faults.Add(name, commerce.MsgString(name))
	}
	return &text
}

// oneOf reads a trimmed text that may be absent; if sent, it must be one of names.
func (f *fields) oneOf(name string, names []string) *string {
	value, sent := f.object.Get(name)
	if !sent {
		return nil
	}
	if kind := value.Kind(); kind != strictjson.String && kind != strictjson.Null {
		f.faults.Add(name, commerce.MsgString(name))
		return nil
	}
	text := commerce.Trim(value.Text())
	if !slices.Contains(names, text) {
		f.faults.Add(name, commerce.MsgIn(name))
	}
	return &text
}

// booleans are all spellings of true and false, as JSON text.
var booleans = map[string]bool{`true`: true, `1`: true, `"1"`: true, `false`: false, `0`: false, `"0"`: false}

// boolean reads a boolean that may be absent, but not null.
func (f *fields) boolean(name string) *bool {
	value, sent := f.object.Get(name)
	if !sent {
		return nil
	}
	text := string(value)
	if value.Kind() == strictjson.String {
		text = strconv.Quote(value.Text())
	}
	truth, ok := booleans[text]
	if !ok {
		f.faults.Add(name, commerce.MsgBoolean(name))
	}
	return &truth
}
