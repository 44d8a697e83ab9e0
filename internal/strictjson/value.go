package strictjson

import (
	"bytes"
	"iter"
	"strings"
	"unicode/utf16"
)

// Value is the text of one valid JSON value, without white space around it. It comes from Parse or
// from another Value. The digits of a number are string(v). The zero Value means "absent" and is
// of kind Null.
type Value []byte

// Kind is the type of a Value.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Kind returns the value's type.
func (v Value) Kind() Kind {
	if len(v) == 0 {
		return Null
	}
	switch v[0] {
	case 'n':
		return Null
	case 't', 'f':
		return Bool
	case '"':
		return String
	case '[':
		return Array
	case '{':
		return Object
	}
	return Number
}

// Bool returns the value of a Bool, false for every other kind.
func (v Value) Bool() bool { return len(v) > 0 && v[0] == 't' }

// Get returns the member of an object with this name, the last one if the name is repeated. It
// returns false if there is none or v is no object.
func (v Value) Get(name string) (found Value, ok bool) {
	for n, value := range v.Pairs() {
		if n.Is(name) {
			found, ok = value, true
		}
	}
	return found, ok
}

// Members iterates over an object's members with their decoded names, in the order of the text,
// repeated names included. Other kinds have none.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for name, value := range v.Pairs() {
			if !yield(name.Text(), value) {
				return
			}
		}
	}
}

// Pairs is Members without copies of the names: a name is a Value of kind String.
func (v Value) Pairs() iter.Seq2[Value, Value] {
	return func(yield func(name, value Value) bool) {
		if v.Kind() != Object {
			return
		}
		for at := first(v); v[at] != '}'; {
			endOfName := endOfString(v, at)
			start := memberValue(v, endOfName)
			end := endOfValue(v, start)
			if !yield(v[at:endOfName], v[start:end]) {
				return
			}
			at = next(v, end)
		}
	}
}

// Items iterates over an array's items with their indexes. Other kinds have none.
func (v Value) Items() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != Array {
			return
		}
		for i, at := 0, first(v); v[at] != ']'; i++ {
			end := endOfValue(v, at)
			if !yield(i, v[at:end]) {
				return
			}
			at = next(v, end)
		}
	}
}

// Len returns the number of an array's items or of an object's members, repeated names included;
// 0 for other kinds.
func (v Value) Len() int {
	n := 0
	for range v.Items() {
		n++
	}
	for range v.Pairs() {
		n++
	}
	return n
}

// Offset returns the offset of v in root, in bytes. v must be a part of root.
//
// A window's capacity reaches to the end of the text, so the offset is the difference of the two
// capacities. That fails only for a window whose capacity was cut (x[a:b:c]).
func (v Value) Offset(root Value) int { return cap(root) - cap(v) }

// Text returns a copy of a string's decoded text, "" for every other kind.
func (v Value) Text() string {
	if v.Kind() != String {
		return ""
	}
	inner := v[1 : len(v)-1]
	at := bytes.IndexByte(inner, '\\')
	if at < 0 {
		return string(inner)
	}
	var text strings.Builder
	text.Grow(len(inner))
	for at >= 0 {
		text.Write(inner[:at])
		r, size := unescape(inner[at:])
		text.WriteRune(r)
		inner = inner[at+size:]
		at = bytes.IndexByte(inner, '\\')
	}
	text.Write(inner)
	return text.String()
}

// Is reports whether v is a string whose decoded text is this one. It decodes only strings with
// escapes, which are longer than their text.
func (v Value) Is(text string) bool {
	if v.Kind() != String || len(v)-2 < len(text) {
		return false
	}
	inner := v[1 : len(v)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner) == text
	}
	return v.Text() == text
}

// unescape returns the character of the escape at the start of b, and the escape's length in
// bytes.
func unescape(b []byte) (rune, int) {
	switch b[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		unit := hexUnit(b[2:])
		if utf16.IsSurrogate(unit) {
			return utf16.DecodeRune(unit, hexUnit(b[8:])), 12
		}
		return unit, 6
	}
	return rune(b[1]), 2 // a quote, a backslash or a slash
}
