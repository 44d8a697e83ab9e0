package storefile

import (
	"errors"
	"slices"
	"strings"
	"time"

	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// The kinds of decimal strings, and of times. A member without a value has zero.
var (
	percentage = judged(openapi.Text.Pattern(decimal("100", 9)).About(aPercent).Definition("percent"),
		func(f field) commerce.Percent { return f.percent(0) })
	quantity = judged(openapi.Text.Pattern(`^[0-9]{1,8}(?:\.[0-9]{1,3})?$`, `[1-9]`).About(aQuantity).Definition("quantity"),
		func(f field) commerce.Quantity { return f.quantity(0) })
	stockOnHand = judged(openapi.Text.Pattern(decimal("9000000000", 6)).About(aStock).Definition("stock"), field.stock).zero("0").marked(currentStock)
	weight      = judged(openapi.AnyOf(openapi.Number.Min(0).Max(maxGrams), openapi.Text.Pattern(decimal("1000000000", 3))).
			About("grams: "+aWeight).Definition("weight"), field.weight)
	usage     = judged(openapi.Text.Pattern(decimal("9223372036854.775807", 6), `[1-9]`).About(aUsage).Definition("usage"), field.usage)
	timestamp = judged(openapi.Text.Pattern(moment).About(aTime).Definition("time"), field.time)
)

// maxGrams is the maximum weight.
const maxGrams = 1_000_000_000

// percentOr and quantityOr are such kinds with another value for a member that is absent.
func percentOr(absent commerce.Percent) kind[commerce.Percent] {
	return judged(percentage.schema, func(f field) commerce.Percent { return f.percent(absent) }).or(absent.String())
}

func quantityOr(absent commerce.Quantity) kind[commerce.Quantity] {
	return judged(quantity.schema, func(f field) commerce.Quantity { return f.quantity(absent) }).or(absent.String())
}

// str reads a text; the caller checks it. It returns false if the value is absent or no text.
func (f field) str() (string, bool) {
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
func (f field) boolean(absent bool) bool {
	if f.absent() {
		return absent
	}
	if f.raw.Kind() != strictjson.Bool {
		f.fault("must be true or false")
	}
	return f.raw.Bool()
}

// percent reads a percentage, an exact decimal string.
func (f field) percent(absent commerce.Percent) commerce.Percent {
	if f.absent() {
		return absent
	}
	p, err := commerce.ParsePercent(f.raw.Text())
	if err != nil {
		f.mustBe(aPercent)
	}
	return p
}

// quantity reads a quantity, a decimal string.
// Spec: Quantity rules 1 and 2.
func (f field) quantity(absent commerce.Quantity) commerce.Quantity {
	if f.absent() {
		return absent
	}
	q, err := commerce.ParseQuantity(f.raw.Text())
	if err != nil || q <= 0 {
		f.mustBe(aQuantity)
	}
	return q
}

// stock reads the quantity on hand, 0 if it is absent.
func (f field) stock() commerce.Micros {
	if f.absent() {
		return 0
	}
	m, err := commerce.ParseMicros(f.raw.Text())
	if err != nil || m > commerce.MaxStock {
		f.mustBe(aStock)
	}
	return m
}

// weight reads a weight in grams, a number or a decimal string; 0 if it is absent.
func (f field) weight() commerce.Milligrams {
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

// usage reads the quantity of a component that one unit uses.
func (f field) usage() commerce.Micros {
	if f.absent() {
		return 0
	}
	m, err := commerce.ParseMicros(f.raw.Text())
	if err != nil || m <= 0 {
		f.mustBe(aUsage)
	}
	return m
}

// time reads a time of RFC 3339, the zero time if it is absent.
func (f field) time() time.Time {
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
func (f field) pick(names []string) (int, bool) {
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
func (f field) word(names ...string) string {
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
