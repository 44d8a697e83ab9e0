package storefile

import (
	"strconv"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

const (
	// maxAmount is the maximum price or threshold, in minor units.
	maxAmount = 1_000_000_000_000
	// maxDays bounds numbers of days: a hundred years.
	maxDays = 36_500
)

// The kinds of whole numbers.
var (
	amount = judged(openapi.Integer.Min(0).Max(maxAmount).About("an amount in minor units").Definition("amount"), value.amount)
	count  = whole[int64](0, maxAmount)
	days   = whole[int](0, maxDays)
)

// codes is the kind of a few whole numbers; the first is that of an absent value.
func codes(all ...int) kind[int] {
	values := make([]any, len(all))
	for i, code := range all {
		values[i] = code
	}
	return field.Default(judged(openapi.Integer.OneOf(values...), func(f value) int { return f.code(all...) }), all[0], any(all[0]))
}

// ascending is the kind of numbers of a list, each of which is above the one before it. The list begins with document.above at -1.
func ascending[N ~int64](schema *openapi.Schema, high int64, message string) kind[N] {
	return known(schema, func(d *document, f value) N {
		n, ok := f.within(0, high)
		if ok && n <= d.above {
			f.conflict(message)
		}
		if ok {
			d.above = n
		}
		return N(n)
	})
}

// within reads a whole number within bounds. 5, 5.0 and 5e0 are the same number. It returns false if the
// value is absent or was refused.
func (f value) within(low, high int64) (int64, bool) {
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
		f.judgeNumber()
		return n, true
	}
	return 0, false
}

// whole returns the value of a whole number, clamped to int64. It returns false if the value is not
// a whole number.
func (f value) whole() (int64, bool) { return commerce.ParseWhole(string(f.raw)) }

// amount reads a price in minor units, 0 if it is absent.
func (f value) amount() commerce.Amount {
	n, _ := f.within(0, maxAmount)
	return commerce.Amount(n)
}

// code reads one of a few whole numbers, the first if it is absent.
func (f value) code(codes ...int) int {
	if f.absent() {
		return codes[0]
	}
	n, whole := f.whole()
	names := make([]string, len(codes))
	for i, code := range codes {
		names[i] = strconv.Itoa(code)
		if whole && n == int64(code) {
			f.judgeNumber()
			return code
		}
	}
	f.fault("must be " + among(names))
	return 0
}
