package httpserver

import (
	"unicode/utf8"

	"github.com/google/uuid"

	"cartd/commerce"
)

// appendComma writes the comma between entries of a list: nothing at index 0.
func appendComma(dst []byte, index int) []byte {
	if index == 0 {
		return dst
	}
	return append(dst, ',')
}

// appendStrings writes a list of strings, [] if it is empty.
func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, text := range list {
		dst = appendString(appendComma(dst, i), text)
	}
	return append(dst, ']')
}

// appendText writes a text, or null if it is empty.
func appendText(dst []byte, text string) []byte {
	if text == "" {
		return append(dst, "null"...)
	}
	return appendString(dst, text)
}

const hexDigits = "0123456789abcdef"

// plainByte is true for the bytes that need no escape in a JSON string: ASCII without control
// characters, quote and backslash.
var plainByte = func() (plain [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		plain[c] = c != '"' && c != '\\'
	}
	return plain
}()

// appendString writes a JSON string like encoding/json without HTML escaping: UTF-8 as it is,
// invalid UTF-8 as U+FFFD.
func appendString(dst []byte, text string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(text); {
		if plainByte[text[i]] {
			i++
			continue
		}
		size := 1
		if text[i] >= utf8.RuneSelf {
			var r rune
			if r, size = utf8.DecodeRuneInString(text[i:]); !escapedRune(r, size) {
				i += size
				continue
			}
		}
		dst = append(dst, text[start:i]...)
		dst = appendEscape(dst, text[i:i+size])
		i += size
		start = i
	}
	return append(append(dst, text[start:]...), '"')
}

// escapedRune reports whether a character beyond ASCII is escaped: invalid UTF-8, and the two line
// separators that are invalid in older JavaScript.
func escapedRune(r rune, size int) bool {
	return r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029'
}

func appendEscape(dst []byte, char string) []byte {
	switch char {
	case `"`, `\`:
		return append(dst, '\\', char[0])
	case "\b":
		return append(dst, `\b`...)
	case "\f":
		return append(dst, `\f`...)
	case "\n":
		return append(dst, `\n`...)
	case "\r":
		return append(dst, `\r`...)
	case "\t":
		return append(dst, `\t`...)
	case "\u2028":
		return append(dst, `\u2028`...)
	case "\u2029":
		return append(dst, `\u2029`...)
	}
	if char[0] >= utf8.RuneSelf {
		return append(dst, `\ufffd`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[char[0]>>4], hexDigits[char[0]&0x0f])
}

// appendUUID writes an id of 36 characters, as a string.
func appendUUID(dst []byte, id uuid.UUID) []byte {
	return append(commerce.AppendID(append(dst, '"'), id), '"')
}

// appendUUIDOrNull writes null for the zero id.
func appendUUIDOrNull(dst []byte, id uuid.UUID) []byte {
	if id == uuid.Nil {
		return append(dst, "null"...)
	}
	return appendUUID(dst, id)
}
