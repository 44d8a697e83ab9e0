package commerce

import (
	"errors"
	"math"
	"math/bits"
)

// Milligrams is a weight. Documents and answers have grams with at most 3 decimals. It is never
// negative.
type Milligrams int64

// maxWeight is 10^9 grams.
const maxWeight Milligrams = 1_000_000_000_000

const gramPlaces = 3

var errWeight = errors.New("must be a number from 0 to 1000000000")

// ErrGramDecimals is the fault of a number within the limits that has more than 3 decimals.
var ErrGramDecimals = errors.New("must have at most 3 decimals")

// ParseGrams reads a weight in grams: a JSON number by its value, a string by its text, a plain
// decimal.
func ParseGrams(isString bool, text string) (Milligrams, error) {
	if isString {
		m, err := parseFixed(text, gramPlaces, int64(maxWeight))
		return Milligrams(m), err
	}
	n, ok := scanNumber(text)
	switch {
	case !ok:
		return 0, errWeight
	case n.zero():
		return 0, nil
	case n.negative, n.magnitude > gramDigits:
		return 0, errWeight
	}
	m := Milligrams(0)
	if n.magnitude > -gramPlaces {
		m = Milligrams(n.thousandths())
	}
	switch {
	case m > maxWeight, m == maxWeight && n.decimals > gramPlaces:
		return 0, errWeight
	case n.decimals > gramPlaces:
		return 0, ErrGramDecimals
	}
	return m, nil
}

// gramDigits is the number of digits of maxWeight in grams.
const gramDigits = 10

// AppendJSON writes the weight in grams as the shortest JSON number.
func (m Milligrams) AppendJSON(dst []byte) []byte { return appendFixed(dst, int64(m), gramPlaces) }

// String returns the weight in grams as the shortest decimal.
func (m Milligrams) String() string { return string(m.AppendJSON(nil)) }

// UnitWeight is the weight of one unit of a product: the variant's, else the product's, else 0.
// Both may be nil.
func UnitWeight(p *Product, v *Variant) Milligrams {
	switch {
	case v != nil && v.Weight != nil:
		return *v.Weight
	case p != nil && p.Weight != nil:
		return *p.Weight
	}
	return 0
}

// Micrograms is a weight that is summed up: Milligrams times thousandths of a unit are exact. It is
// cut off at the maximum int64, far above every limit.
type Micrograms int64

// times is the weight of a quantity.
func (m Milligrams) times(q Quantity) Micrograms {
	high, low := bits.Mul64(uint64(m), uint64(q))
	if high > 0 || low > math.MaxInt64 {
		return math.MaxInt64
	}
	return Micrograms(low)
}

func (w Micrograms) plus(more Micrograms) Micrograms {
	if more > math.MaxInt64-w {
		return math.MaxInt64
	}
	return w + more
}
