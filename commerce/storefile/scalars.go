package storefile

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

const (
	// maxAmount is the greatest price or threshold, in minor units.
	maxAmount = 1_000_000_000_000
	// maxStock is the most that can be on hand, in millionths.
	maxStock commerce.Micros = 9_000_000_000 * 1_000_000
	// maxDays bounds what is counted in days: a hundred years.
	maxDays = 36_500
)

// note reads a text that may be empty. False: there is none, or it was refused.
func (f field) note() (string, bool) {
	if f.absent() {
		return "", false
	}
	if f.raw.Kind() != strictjson.String {
		f.fault("must be a string")
		return "", false
	}
	return f.raw.Text(), true
}

// remark is note without the second answer: absent is "".
func (f field) remark() string {
	text, _ := f.note()
	return text
}

// text reads a text that is not empty: a name, slug, SKU, key or token.
func (f field) text() string {
	text, ok := f.note()
	if ok && text == "" {
		f.fault("must not be empty")
	}
	return text
}

// boolean reads true or false.
func (f field) boolean(absent bool) bool {
	if f.absent() {
		return absent
	}
	if f.raw.Kind() != strictjson.Bool {
		f.fault("must be true or false")
	}
	return f.raw.Bool()
}

// integer reads a whole number, written as plain digits, within bounds.
func (f field) integer(low, high, absent int64) int64 {
	if f.absent() {
		return absent
	}
	n, _ := f.within(low, high)
	return n
}

// within is integer for what has no default. False: there is none, or it was refused.
func (f field) within(low, high int64) (int64, bool) {
	if f.absent() {
		return 0, false
	}
	text := string(f.raw)
	n, err := strconv.ParseInt(text, 10, 64) // cut off at the nearest int64
	switch {
	case f.raw.Kind() != strictjson.Number || strings.ContainsAny(text, ".eE"), n < low:
		f.fault("must be an integer of at least " + strconv.FormatInt(low, 10))
	case err != nil, n > high:
		f.fault("must be an integer of at most " + strconv.FormatInt(high, 10))
	default:
		return n, true
	}
	return 0, false
}

// is reports whether the value is this whole number.
func (f field) is(n int) bool { return string(f.raw) == strconv.Itoa(n) }

// amount reads a price in minor units; absent is 0.
func (f field) amount() commerce.Amount { return commerce.Amount(f.integer(0, maxAmount, 0)) }

// count reads a number of things; absent is 0.
func (f field) count() int64 { return f.integer(0, maxAmount, 0) }

// days reads a number of days that may be 0.
func (f field) days() int { return int(f.integer(0, maxDays, 0)) }

// percent reads a percentage, an exact decimal string.
func (f field) percent(absent commerce.Percent) commerce.Percent {
	if f.absent() {
		return absent
	}
	p, err := commerce.ParsePercent(f.raw.Text())
	if err != nil {
		f.fault("must be a decimal string from 0 to 100 with at most 9 decimals")
	}
	return p
}

// quantity reads a quantity as the specification writes it in a string.
// Spec: Quantity rules 1 and 2.
func (f field) quantity(absent commerce.Quantity) commerce.Quantity {
	if f.absent() {
		return absent
	}
	q, err := commerce.ParseQuantity(f.raw.Text())
	if err != nil || q <= 0 {
		f.fault("must be a decimal string above 0 and at most 99999999.999 with at most 3 decimals")
	}
	return q
}

// stock reads what is on hand; absent is 0.
func (f field) stock() commerce.Micros {
	if f.absent() {
		return 0
	}
	m, err := commerce.ParseMicros(f.raw.Text())
	if err != nil || m > maxStock {
		f.fault("must be a decimal string from 0 to 9000000000 with at most 6 decimals")
	}
	return m
}

// usage reads how much of a component one unit uses.
func (f field) usage() commerce.Micros {
	if f.absent() {
		return 0
	}
	m, err := commerce.ParseMicros(f.raw.Text())
	if err != nil || m <= 0 {
		f.fault("must be a decimal string above 0 with at most 6 decimals")
	}
	return m
}

// time reads a time of RFC 3339; absent is the zero time.
func (f field) time() (t time.Time) {
	text, ok := f.note()
	if ok && t.UnmarshalText([]byte(text)) != nil {
		f.fault("must be a time like 2030-01-01T00:00:00Z")
		return time.Time{}
	}
	return t.UTC()
}

// pick reads one of several names and returns its place among them; absent is the
// first. False: it was refused.
func (f field) pick(names []string) (int, bool) {
	if f.absent() {
		return 0, true
	}
	if i := slices.IndexFunc(names, f.raw.Is); i >= 0 {
		return i, true
	}
	if len(names) == 1 {
		f.fault("must be " + names[0])
	} else {
		f.fault("must be one of " + strings.Join(names, ", "))
	}
	return 0, false
}

// word is pick for what commerce keeps as a text.
func (f field) word(names ...string) string {
	i, _ := f.pick(names)
	return names[i]
}
