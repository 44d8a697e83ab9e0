package commerce

import (
	"strings"
	"unicode/utf8"
)

// Redirect sends an old storefront path to a new one.
type Redirect struct {
	From, To string
	Status   int
}

// PathKey is the form in which paths of redirects are compared: percent escapes are decoded, once. An
// escape that is none stays as it is, and so does a path whose decoded bytes are no UTF-8.
func PathKey(path string) string {
	if strings.IndexByte(path, '%') < 0 {
		return path
	}
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '%' && i+2 < len(path) {
			high, low := hexDigit(path[i+1]), hexDigit(path[i+2])
			if high >= 0 && low >= 0 {
				b.WriteByte(byte(high<<4 | low))
				i += 2
				continue
			}
		}
		b.WriteByte(path[i])
	}
	if key := b.String(); utf8.ValidString(key) {
		return key
	}
	return path
}

// hexDigit is the value of a hexadecimal digit, -1 if it is none.
func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
