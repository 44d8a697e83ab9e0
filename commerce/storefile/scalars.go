package storefile

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// The kinds of decimal strings, and of times. A member without a value has zero.
var (
	percentage = parsed("percent", aPercent, func(text string) (commerce.Percent, bool) {
		p, err := commerce.ParsePercent(text)
		return p, err == nil
	}, decimal("100", 9))
	// Spec: Quantity rules 1 and 2.
	quantity = parsed("quantity", aQuantity, func(text string) (commerce.Quantity, bool) {
		q, err := commerce.ParseQuantity(text)
		return q, err == nil && q > 0
	}, `^[0-9]{1,8}(?:\.[0-9]{1,3})?$`, `[1-9]`)
	stockOnHand = marked(zero(parsed("stock", aStock, func(text string) (commerce.Micros, bool) {
		m, err := commerce.ParseStock(text)
		return m, err == nil && m >= commerce.MinStock && m <= commerce.MaxStock
	}, either(decimal("9000000000", 6), negative(decimal("100000000", 6)))), "0"), currentStock)
	backorderLimit = parsed("backorder_limit", aLimit, func(text string) (commerce.Micros, bool) {
		m, err := commerce.ParseMicros(text)
		return m, err == nil && m <= commerce.MaxBackorder
	}, decimal("100000000", 6))
	date = parsed("date", aDate, commerce.ParseDate, `^`+day+`$`, `^[0-9]{0,3}[1-9]`)
	// usage is the quantity of a component that one unit uses.
	usage = parsed("usage", aUsage, func(text string) (commerce.Micros, bool) {
		m, err := commerce.ParseMicros(text)
		return m, err == nil && m > 0
	}, decimal("9223372036854.775807", 6), `[1-9]`)
	weight = judged(openapi.AnyOf(openapi.Number.Min(0).Max(maxGrams), openapi.Text.Pattern(decimal("1000000000", 3))).
		About("grams: "+aWeight).Definition("weight"), value.weight)
	timestamp = judged(openapi.Text.Pattern(moment).About(aTime).Definition("time"), value.time)
)

// parsed is the kind of texts that a function parses, under a name in the schema.
func parsed[V any](name, about string, parse func(text string) (V, bool), patterns ...string) kind[V] {
	return judged(openapi.Text.Pattern(patterns...).About(about).Definition(name), func(f value) (v V) {
		if f.absent() {
			return v
		}
		v, ok := parse(f.raw.Text())
		if !ok {
			f.mustBe(about)
		}
		return v
	})
}

// maxGrams is the maximum weight.
const maxGrams = 1_000_000_000

// str reads a text; the caller checks it. It returns false if the value is absent or no text.
func (f value) str() (string, bool) {
	if f.absent() {
		return "", false
	}
	if f.raw.Kind() != strictjson.String {
		f.fault("must be a string")
		return "", false
	}
	return f.raw.Text(), true
}

// boolean reads true or false.
func (f value) boolean(absent bool) bool {
	if f.absent() {
		return absent
	}
	if f.raw.Kind() != strictjson.Bool {
		f.fault("must be true or false")
	}
	return f.raw.Bool()
}

// weight reads a weight in grams, a number or a decimal string; 0 if it is absent.
func (f value) weight() commerce.Milligrams {
	if f.absent() {
		return 0
	}
	text, isString := string(f.raw), f.raw.Kind() == strictjson.String
	if isString {
		text = f.raw.Text()
	}
	m, err := commerce.ParseGrams(isString, text)
	switch {
	case errors.Is(err, commerce.ErrGramDecimals):
		f.conflict("must be " + aWeight) // a schema cannot count a number's decimals
	case err != nil:
		f.mustBe(aWeight)
	case !isString:
		f.judgeNumber()
	}
	return m
}

// time reads a time of RFC 3339, the zero time if it is absent.
func (f value) time() time.Time {
	text, ok := f.str()
	if !ok {
		return time.Time{}
	}
	t, ok := commerce.ParseTime(text)
	if !ok {
		f.mustBe(aTime)
	}
	return t.UTC()
}

// pick reads one of several names and returns its index, 0 if it is absent. It returns false if the
// value was refused.
func (f value) pick(names []string) (int, bool) {
	if f.absent() {
		return 0, true
	}
	if i := slices.IndexFunc(names, f.raw.Is); i >= 0 {
		return i, true
	}
	f.unknown(ofShape, "must be "+among(names), names)
	return 0, false
}

// word is pick for a value that package commerce stores as text.
func (f value) word(names ...string) string {
	i, _ := f.pick(names)
	return names[i]
}

// among lists the accepted names in a fault.
func among(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return "one of " + strings.Join(names, ", ")
}

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
