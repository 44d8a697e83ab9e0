package strictjson

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// plainByte is true for the bytes that need no escape in a JSON string: ASCII without control
// characters, quote and backslash.
var plainByte = func() (plain [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		plain[c] = c != '"' && c != '\\'
	}
	return plain
}()

// AppendString writes a JSON string like encoding/json without HTML escaping: UTF-8 as it is,
// invalid UTF-8 as U+FFFD.
func AppendString(dst []byte, text string) []byte {
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
