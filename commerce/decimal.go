package commerce

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// plainDecimal is the documents' plain decimal: digits, optionally followed by a dot and digits. It
// has no sign, exponent or space.
type plainDecimal struct{ whole, fraction string }

// cutDecimal splits a plain decimal. It returns false for any other text.
func cutDecimal(text string) (plainDecimal, bool) {
	whole, fraction, dotted := strings.Cut(text, ".")
	if !digits(whole) || dotted && !digits(fraction) {
		return plainDecimal{}, false
	}
	return plainDecimal{whole, fraction}, true
}

// digits reports whether text is one ASCII digit or more.
func digits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

var (
	errNotDecimal = errors.New("must be a plain decimal")
	errDecimals   = errors.New("has too many decimals")
	errOutOfRange = errors.New("is out of range")
)

// parseFixed reads a plain decimal as a whole number of units of 10^-places, at most limit units.
// Zeros at the end of the fraction and at the front do not count.
func parseFixed(text string, places int, limit int64) (int64, error) {
	d, ok := cutDecimal(text)
	if !ok {
		return 0, errNotDecimal
	}
	fraction := strings.TrimRight(d.fraction, "0")
	if len(fraction) > places {
		return 0, errDecimals
	}
	units, ok := appendDigits(0, d.whole, limit)
	if !ok {
		return 0, errOutOfRange
	}
	units, ok = appendDigits(units, fraction, limit)
	for missing := places - len(fraction); ok && missing > 0; missing-- {
		units, ok = appendDigits(units, "0", limit)
	}
	if !ok {
		return 0, errOutOfRange
	}
	return units, nil
}

// appendDigits appends digits to the number n. It returns false if the result exceeds limit.
func appendDigits(n int64, digits string, limit int64) (int64, bool) {
	for i := range len(digits) {
		d := int64(digits[i] - '0')
		if n > (limit-d)/10 {
			return 0, false
		}
		n = n*10 + d
	}
	return n, true
}

// appendFixed appends units of 10^-places as the shortest plain decimal. units is not negative.
func appendFixed(dst []byte, units int64, places int) []byte {
	scale := int64(1)
	for range places {
		scale *= 10
	}
	if units < 0 {
		dst, units = append(dst, '-'), -units
	}
	dst = strconv.AppendInt(dst, units/scale, 10)
	rest := units % scale
	if rest == 0 {
		return dst
	}
	for dst = append(dst, '.'); rest > 0; rest %= scale {
		scale /= 10
		dst = append(dst, byte('0'+rest/scale))
	}
	return dst
}

// Percent is a percentage in billionths of a percent: 21 % is 21_000_000_000.
type Percent int64

// Hundred is 100 %.
const Hundred Percent = 100 * 1_000_000_000

const percentPlaces = 9

// ParsePercent reads a plain decimal from 0 to 100. It fails if the text is no plain decimal, has
// more than 9 decimals (zeros at the end do not count) or exceeds 100.
func ParsePercent(text string) (Percent, error) {
	p, err := parseFixed(text, percentPlaces, int64(Hundred))
	return Percent(p), err
}

// AppendJSON writes the percentage as the shortest JSON number: 21, 5.5.
func (p Percent) AppendJSON(dst []byte) []byte { return appendFixed(dst, int64(p), percentPlaces) }

// String returns the percentage as the shortest decimal.
func (p Percent) String() string { return string(p.AppendJSON(nil)) }

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
