package commerce

import "math"

// Micros is a quantity of stock in millionths, finer than any Quantity, for a
// component may be used by the millionth. Never negative.
type Micros int64

const microsPlaces = 6

// ParseMicros reads a plain decimal of at least 0. The error says that it is
// none, has more than 6 decimals (zeros at the end not counted) or overflows.
func ParseMicros(text string) (Micros, error) {
	m, err := parseFixed(text, microsPlaces, math.MaxInt64)
	return Micros(m), err
}

// String returns the quantity as a decimal without zeros at its end.
func (m Micros) String() string { return string(appendFixed(nil, int64(m), microsPlaces)) }
