package commerce

import "github.com/google/uuid"

const idLength = 36

// ParseID reads a UUID in its 36-character form, in any letter case and of any
// version. Every other spelling is refused.
func ParseID(text string) (uuid.UUID, bool) {
	var id uuid.UUID
	if len(text) != idLength {
		return uuid.Nil, false
	}
	at := 0
	for i := range id {
		if at == 8 || at == 13 || at == 18 || at == 23 {
			if text[at] != '-' {
				return uuid.Nil, false
			}
			at++
		}
		high, low := nibble(text[at]), nibble(text[at+1])
		if high|low > 0x0f {
			return uuid.Nil, false
		}
		id[i] = high<<4 | low
		at += 2
	}
	return id, true
}

// nibble returns the value of a hex digit, or 0xff.
func nibble(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 0xff
}
