package commerce

import (
	"math"
	"strings"
)

// Micros is a quantity of stock in millionths. It is finer than Quantity, because a product may use
// millionths of a component. Only stock on hand may be negative.
type Micros int64

const microsPlaces = 6

// ParseMicros reads a plain decimal of at least 0. It fails if the text is no plain decimal, has
// more than 6 decimals (zeros at the end do not count) or overflows.
func ParseMicros(text string) (Micros, error) {
	m, err := parseFixed(text, microsPlaces, math.MaxInt64)
	return Micros(m), err
}

// ParseStock reads a plain decimal like ParseMicros, with an optional minus.
func ParseStock(text string) (Micros, error) {
	text, negative := strings.CutPrefix(text, "-")
	m, err := ParseMicros(text)
	if negative {
		m = -m
	}
	return m, err
}

// String returns the quantity as the shortest decimal.
func (m Micros) String() string { return string(appendFixed(nil, int64(m), microsPlaces)) }
