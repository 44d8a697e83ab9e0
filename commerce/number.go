package commerce

import (
	"math"
	"strings"
)

// number is the value of a JSON number's text, without ever writing out its
// exponent.
type number struct {
	negative bool
	// whole and fraction are the digits around the dot, as written.
	whole, fraction string
	// magnitude counts the digits before the dot of the value: 1 for 2.5, 0 for
	// 0.25, −1 for 0.025.
	magnitude int64
	// decimals counts the digits behind the dot of the value, zeros at its end not
	// counted; 0 for whole numbers.
	decimals int64
	// first and last are the places of the first and the last digit that is not
	// zero, counted over whole and fraction; first is −1 for zero.
	first, last int
}

// maxExponent is beyond anything a text in memory can balance with its digits.
const maxExponent = 1 << 50

// scanNumber reads a JSON number; false: the text is none.
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

// cutExponent splits the exponent off a number, cut off at ±maxExponent.
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

// measure finds the digits that count and where the dot of the value stands.
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

// digit returns the digit at a place, 0 beyond the end.
func (n *number) digit(place int) int64 {
	switch {
	case place < len(n.whole):
		return int64(n.whole[place] - '0')
	case place-len(n.whole) < len(n.fraction):
		return int64(n.fraction[place-len(n.whole)] - '0')
	}
	return 0
}

func (n *number) zero() bool { return n.first < 0 }

// above reports whether the absolute value is greater than MaxQuantity, whose 8
// digits before the dot and 3 behind it are all nines.
func (n *number) above() bool {
	if n.zero() || n.magnitude < quantityMaxDigits {
		return false
	}
	if n.magnitude > quantityMaxDigits {
		return true
	}
	return n.thousandths() == int64(MaxQuantity) && n.decimals > quantityPlaces
}

// thousandths returns the absolute value in thousandths, further decimals cut
// off. The magnitude must be at most that of MaxQuantity.
func (n *number) thousandths() int64 {
	units := int64(0)
	for place := int64(0); place < n.magnitude+quantityPlaces; place++ {
		units = units*10 + n.digit(n.first+int(place))
	}
	return units
}

// longestWhole is the number of digits of which every whole number fits an int64.
const longestWhole = 18

// ParseWhole reads a JSON number by its value, which must be whole: 1200, 1200.0 and
// 1.2e3 are the same. What has more than 18 digits comes back as the greatest or
// least int64. False: it is not whole, or the text is no number.
func ParseWhole(text string) (int64, bool) {
	n, ok := scanNumber(text)
	if !ok || n.decimals > 0 {
		return 0, false
	}
	value := int64(0)
	switch {
	case n.magnitude > longestWhole && n.negative:
		return math.MinInt64, true
	case n.magnitude > longestWhole:
		return math.MaxInt64, true
	case !n.zero():
		for place := range int(n.magnitude) {
			value = value*10 + n.digit(n.first+place)
		}
	}
	if n.negative {
		value = -value
	}
	return value, true
}
