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

// line reads a text of one line. It is trimmed ahead of all rules, so that a line end at its end is
// none of its characters. Every text of a body is read by line or lines, but for names of a closed list,
// ids, e-mail addresses and the texts of verbatim.
func (f *fields) line(name string, value strictjson.Value, rule commerce.Length) string {
	text := commerce.Trim(value.Text())
	f.faults.Line(name, text)
	rule(&f.faults, name, text)
	return text
}

// lines reads a trimmed text of several lines, whose ends become LF before the characters are counted.
func (f *fields) lines(name string, value strictjson.Value, rule commerce.Length) string {
	text := f.faults.Lines(name, commerce.Trim(value.Text()))
	rule(&f.faults, name, text)
	return text
}

// verbatim reads a text that is kept as it was sent.
func (f *fields) verbatim(name string, value strictjson.Value) string {
	text := value.Text()
	f.faults.Verbatim(name, text)
	return text
}

// anyLength is the rule of a text that is not stored.
func anyLength(*commerce.Faults, string, string) {}

// requiredText reads a trimmed text of one line that must be present.
func (f *fields) requiredText(name string, rule commerce.Length) *string {
	value, ok := f.required(name)
	if !ok {
		return nil
	}
	text := f.line(name, value, rule)
	return &text
}

// sentText is requiredText for a field that may be absent, but not null.
func (f *fields) sentText(name string, rule commerce.Length) *string {
	if _, sent := f.object.Get(name); !sent {
		return nil
	}
	return f.requiredText(name, rule)
}

// nullableText reads a trimmed text of one line that may be absent (nil), null or blank (empty).
func (f *fields) nullableText(name string, rule commerce.Length) *string {
	return f.nullable(name, rule, f.line)
}

// nullableLines is nullableText for a text of several lines.
func (f *fields) nullableLines(name string, rule commerce.Length) *string {
	return f.nullable(name, rule, f.lines)
}

func (f *fields) nullable(name string, rule commerce.Length, read func(string, strictjson.Value, commerce.Length) string) *string {
	value, sent := f.object.Get(name)
	if !sent {
		return nil
	}
	text := ""
	switch value.Kind() {
	case strictjson.Null:
	case strictjson.String:
		text = read(name, value, rule)
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
