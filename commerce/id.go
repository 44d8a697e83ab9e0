package commerce

import (
	"encoding/binary"

	"github.com/google/uuid"
)

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

// AppendID appends a UUID in its 36-character form, in lower case.
func AppendID(dst []byte, id uuid.UUID) []byte {
	dst = append(dst, emptyID...)
	form := (*[idLength]byte)(dst[len(dst)-idLength:])
	second, third := hexDigits(id[4:8]), hexDigits(id[8:12])
	binary.LittleEndian.PutUint64(form[:8], hexDigits(id[:4]))
	binary.LittleEndian.PutUint32(form[9:13], uint32(second))
	binary.LittleEndian.PutUint32(form[14:18], uint32(second>>32))
	binary.LittleEndian.PutUint32(form[19:23], uint32(third))
	binary.LittleEndian.PutUint32(form[24:28], uint32(third>>32))
	binary.LittleEndian.PutUint64(form[28:], hexDigits(id[12:]))
	return dst
}

// hexDigits are the eight hexadecimal digits of four bytes, the first one in the lowest byte. All digits are computed at once.
func hexDigits(b []byte) uint64 {
	const each = 0x0101010101010101
	halves := uint64(b[0]) | uint64(b[1])<<16 | uint64(b[2])<<32 | uint64(b[3])<<48
	halves = halves>>4&0x000f000f000f000f | halves&0x000f000f000f000f<<8
	letters := (halves + 6*each) >> 4 & each // 1 for each half above 9
	return halves + '0'*each + letters*('a'-'0'-10)
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
