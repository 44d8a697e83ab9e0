package strictjson

import (
	"bytes"
	"strings"
	"unicode/utf16"
)

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
