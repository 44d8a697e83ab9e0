package commerce

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// number is the value of a JSON number's text. Its exponent is never written out.
type number struct {
	negative bool
	// whole and fraction are the digits on both sides of the dot, as written.
	whole, fraction string
	// magnitude is the number of digits in the whole part of the value: 1 for 2.5, 0 for 0.25, −1 for
	// 0.025.
	magnitude int64
	// decimals is the number of decimals of the value, without zeros at its end; 0 for whole numbers.
	decimals int64
	// first and last are the indexes in whole and fraction together of the first and the last digit
	// that is not zero; first is −1 for zero.
	first, last int
}

// maxExponent is greater than the number of digits of any text in memory.
const maxExponent = 1 << 50

// scanNumber reads a JSON number. It returns false for any other text.
func scanNumber(text string) (number, bool) {
	var n number
	text, n.negative = strings.CutPrefix(text, "-")
	mantissa, exponent, ok := cutExponent(text)
	if !ok {
		return number{}, false
	}
	d, ok := cutDecimal(mantissa)
	if !ok || len(d.whole) > 1 && d.whole[0] == '0' {
		return number{}, false
	}
	n.whole, n.fraction = d.whole, d.fraction
	n.measure(exponent)
	return n, true
}

// cutExponent splits off a number's exponent, cut off at ±maxExponent.
func cutExponent(text string) (mantissa string, exponent int64, ok bool) {
	at := strings.IndexAny(text, "eE")
	if at < 0 {
		return text, 0, true
	}
	mantissa, text = text[:at], text[at+1:]
	sign := int64(1)
	if text != "" && (text[0] == '+' || text[0] == '-') {
		if text[0] == '-' {
			sign = -1
		}
		text = text[1:]
	}
	if !digits(text) {
		return "", 0, false
	}
	exponent, ok = appendDigits(0, text, maxExponent)
	if !ok {
		exponent = maxExponent
	}
	return mantissa, sign * exponent, true
}

// measure sets first, last, magnitude and decimals.
func (n *number) measure(exponent int64) {
	n.first = -1
	for i := range len(n.whole) + len(n.fraction) {
		if n.digit(i) == 0 {
			continue
		}
		if n.first < 0 {
			n.first = i
		}
		n.last = i
	}
	if n.zero() {
		return
	}
	dot := int64(len(n.whole)) + exponent
	n.magnitude = dot - int64(n.first)
	n.decimals = max(0, int64(n.last)+1-dot)
}

// digit returns the digit at an index, 0 beyond the end.
func (n *number) digit(i int) int64 {
	switch {
	case i < len(n.whole):
		return int64(n.whole[i] - '0')
	case i-len(n.whole) < len(n.fraction):
		return int64(n.fraction[i-len(n.whole)] - '0')
	}
	return 0
}

func (n *number) zero() bool { return n.first < 0 }

// above reports whether the absolute value exceeds MaxQuantity, whose 8 digits and 3 decimals are
// all nines.
func (n *number) above() bool {
	if n.zero() || n.magnitude < quantityMaxDigits {
		return false
	}
	if n.magnitude > quantityMaxDigits {
		return true
	}
	return n.thousandths() == int64(MaxQuantity) && n.decimals > quantityPlaces
}

// thousandths returns the absolute value in thousandths, cut off. The magnitude must be at most
// that of MaxQuantity.
func (n *number) thousandths() int64 {
	units := int64(0)
	for i := range n.magnitude + quantityPlaces {
		units = units*10 + n.digit(n.first+int(i))
	}
	return units
}

// Within checks a JSON number as a whole number from low to high; it returns 0 after a fault.
func (f *Faults) Within(field, number string, low, high int64) int64 {
	switch n, whole := ParseWhole(number); {
	case !whole:
		f.Add(field, MsgInteger(field))
	case n < low:
		f.Add(field, MsgMin(field, low))
	case n > high:
		f.Add(field, MsgMax(field, high))
	default:
		return n
	}
	return 0
}

// maxWholeDigits is the number of digits that always fit an int64.
const maxWholeDigits = 18

// ParseWhole reads a JSON number whose value is whole: 1200, 1200.0 and 1.2e3 are the same. More
// than 18 digits give the maximum or minimum int64. It returns false if the value is not whole or
// the text is no number.
func ParseWhole(text string) (int64, bool) {
	n, ok := scanNumber(text)
	if !ok || n.decimals > 0 {
		return 0, false
	}
	value := int64(0)
	switch {
	case n.magnitude > maxWholeDigits && n.negative:
		return math.MinInt64, true
	case n.magnitude > maxWholeDigits:
		return math.MaxInt64, true
	case !n.zero():
		for i := range int(n.magnitude) {
			value = value*10 + n.digit(n.first+i)
		}
	}
	if n.negative {
		value = -value
	}
	return value, true
}

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
