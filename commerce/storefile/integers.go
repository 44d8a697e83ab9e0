package storefile

import (
	"bytes"
	"strconv"
	"strings"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

const (
	// maxAmount is the maximum price or threshold, in minor units.
	maxAmount = 1_000_000_000_000
	// maxDays bounds numbers of days: a hundred years.
	maxDays = 36_500
)

// integer reads a whole number within bounds. 5, 5.0 and 5e0 are the same number.
func (f field) integer(low, high, absent int64) int64 {
	n, ok := f.within(low, high)
	if !ok {
		return absent
	}
	return n
}

// within is integer without a default. It returns false if the value is absent or was refused.
func (f field) within(low, high int64) (int64, bool) {
	if f.absent() {
		return 0, false
	}
	n, whole := f.whole()
	switch {
	case !whole || n < low:
		f.fault("must be an integer of at least " + strconv.FormatInt(low, 10))
	case n > high:
		f.fault("must be an integer of at most " + strconv.FormatInt(high, 10))
	default:
		return n, true
	}
	return 0, false
}

// whole returns the value of a whole number, clamped to int64. It returns false if the value is not
// a whole number.
func (f field) whole() (int64, bool) {
	if f.raw.Kind() != strictjson.Number || bytes.ContainsAny(f.raw, ".eE") {
		return wholeNumber(f.raw)
	}
	const maxDigits = len("-9223372036854775808")
	n, _ := strconv.ParseInt(string(f.raw[:min(len(f.raw), maxDigits+1)]), 10, 64)
	return n, true
}

// wholeNumber is whole for every form of a number. Its work grows with the length of the text, not
// with the exponent.
func wholeNumber(v strictjson.Value) (int64, bool) {
	if v.Kind() != strictjson.Number {
		return 0, false
	}
	digits, power := string(v), 0
	if at := strings.IndexAny(digits, "eE"); at >= 0 {
		power, _ = strconv.Atoi(digits[at+1:]) // clamped to int
		digits = digits[:at]
	}
	sign := strings.Trim(digits[:1], "0123456789") // "-" or ""
	whole, fraction, _ := strings.Cut(digits[len(sign):], ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(digits, "0")
	power = max(-maxPower, min(power, maxPower)) - len(fraction) + len(digits) - len(short)
	switch {
	case short == "":
		return 0, true
	case power < 0:
		return 0, false
	}
	const maxDigits = len("9223372036854775807") // more digits or more zeros exceed int64
	n, _ := strconv.ParseInt(sign+short[:min(len(short), maxDigits+1)]+strings.Repeat("0", min(power, maxDigits)), 10, 64)
	return n, true
}

// maxPower bounds an exponent. It is far greater than the number of digits in a text.
const maxPower = 1 << 50

// amount reads a price in minor units, 0 if it is absent.
func (f field) amount() commerce.Amount {
	n, _ := f.within(0, maxAmount)
	return commerce.Amount(n)
}

// count reads a number of things, 0 if it is absent.
func (f field) count() int64 { return f.integer(0, maxAmount, 0) }

// days reads a number of days, 0 if it is absent.
func (f field) days() int { return int(f.integer(0, maxDays, 0)) }

// code reads one of a few whole numbers, the first if it is absent.
func (f field) code(codes ...int) int {
	if f.absent() {
		return codes[0]
	}
	n, whole := f.whole()
	names := make([]string, len(codes))
	for i, code := range codes {
		names[i] = strconv.Itoa(code)
		if whole && n == int64(code) {
			return code
		}
	}
	f.fault("must be " + among(names))
	return 0
}
