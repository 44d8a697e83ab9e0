package commerce

import "math"

// Micros is a quantity of stock in millionths. It is finer than Quantity, because a product may use
// millionths of a component. It is never negative.
type Micros int64

const microsPlaces = 6

// ParseMicros reads a plain decimal of at least 0. It fails if the text is no plain decimal, has
// more than 6 decimals (zeros at the end do not count) or overflows.
func ParseMicros(text string) (Micros, error) {
	m, err := parseFixed(text, microsPlaces, math.MaxInt64)
	return Micros(m), err
}

// String returns the quantity as the shortest decimal.
func (m Micros) String() string { return string(appendFixed(nil, int64(m), microsPlaces)) }
