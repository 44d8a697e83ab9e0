package httpserver

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// length is a rule about how many code points a text has; nil: any number.
type length func(f *fields, name, text string)

func atMost(n int) length {
	return func(f *fields, name, text string) {
		if utf8.RuneCountInString(text) > n {
			f.faults.Add(name, commerce.MsgMaxCharacters(name, n))
		}
	}
}

func exactly(n int) length {
	return func(f *fields, name, text string) {
		if utf8.RuneCountInString(text) != n {
			f.faults.Add(name, commerce.MsgSize(name, n))
		}
	}
}

// required reads a text that must be there; false: it is not, or it is no text.
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

// requiredText reads a trimmed text that must be there.
func (f *fields) requiredText(name string, rule length) *string {
	value, ok := f.required(name)
	if !ok {
		return nil
	}
	text := trim(value.Text())
	rule(f, name, text)
	return &text
}

// sentText is requiredText where the field may be absent, but not null.
func (f *fields) sentText(name string, rule length) *string {
	if _, sent := f.object.Get(name); !sent {
		return nil
	}
	return f.requiredText(name, rule)
}

// nullableText reads a trimmed text that may be absent (nil), null or blank (empty).
func (f *fields) nullableText(name string, rule length) *string {
	value, sent := f.object.Get(name)
	if !sent {
		return nil
	}
	text := ""
	switch value.Kind() {
	case strictjson.Null:
	case strictjson.String:
		text = trim(value.Text())
		rule(f, name, text)
	default:
		f.faults.Add(name, commerce.MsgString(name))
	}
	return &text
}

// oneOf reads a trimmed text that may be absent, but is one of a few where it is sent.
func (f *fields) oneOf(name string, names []string) *string {
	value, sent := f.object.Get(name)
	if !sent {
		return nil
	}
	if kind := value.Kind(); kind != strictjson.String && kind != strictjson.Null {
		f.faults.Add(name, commerce.MsgString(name))
		return nil
	}
	text := trim(value.Text())
	if !slices.Contains(names, text) {
		f.faults.Add(name, commerce.MsgIn(name))
	}
	return &text
}

// booleans are the spellings of true and false, as the JSON text; nothing else is one.
var booleans = map[string]bool{`true`: true, `1`: true, `"1"`: true, `false`: false, `0`: false, `"0"`: false}

// boolean reads a truth value that may be absent, but not null.
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
