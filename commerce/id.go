package commerce

import "github.com/google/uuid"

const idLength = 36

// digitPlaces are the positions in an id's text of the two digits of each byte.
var digitPlaces = [16]uint8{0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34}

// noDigit is the value in digitValues of characters that are no hexadecimal digits.
const noDigit = 0xff

var digitValues = func() (values [256]uint8) {
	for c := range values {
		values[c] = noDigit
	}
	for i, c := range "0123456789abcdef" {
		values[c] = uint8(i)
	}
	for i, c := range "ABCDEF" {
		values[c] = uint8(10 + i)
	}
	return values
}()

// emptyID is the form that AppendID fills in.
const emptyID = "00000000-0000-0000-0000-000000000000"

// hexPairs has the two digits of every byte.
var hexPairs = func() (pairs [256][2]byte) {
	const digits = "0123456789abcdef"
	for b := range pairs {
		pairs[b] = [2]byte{digits[b>>4], digits[b&0x0f]}
	}
	return pairs
}()

// AppendID appends a UUID in its 36-character form, in lower case.
func AppendID(dst []byte, id uuid.UUID) []byte {
	dst = append(dst, emptyID...)
	form := (*[idLength]byte)(dst[len(dst)-idLength:])
	for i, at := range digitPlaces {
		pair := &hexPairs[id[i]]
		form[at], form[at+1] = pair[0], pair[1]
	}
	return dst
}

// ParseID reads a UUID of any version in its 36-character form, in any letter case. Every other
// spelling is refused.
func ParseID[T string | []byte](text T) (id uuid.UUID, ok bool) {
	if len(text) != idLength || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return uuid.Nil, false
	}
	var seen uint8
	for i, at := range digitPlaces {
		high, low := digitValues[text[at]], digitValues[text[at+1]]
		id[i] = high<<4 | low
		seen |= high | low
	}
	if seen == noDigit {
		return uuid.Nil, false
	}
	return id, true
}

// find returns the first element that a test accepts, or nil.
func find[T any](all []T, accepts func(*T) bool) *T {
	for i := range all {
		if accepts(&all[i]) {
			return &all[i]
		}
	}
	return nil
}
