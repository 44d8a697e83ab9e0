package commerce

import (
	"errors"
	"math"
	"strings"
)

// Quantity is an amount of a product in thousandths of its unit.
type Quantity int64

const (
	// One is a quantity of 1.
	One Quantity = 1000
	// MaxQuantity is 99999999.999. Spec: Quantity rules 1.
	MaxQuantity Quantity = 99_999_999_999
)

const (
	quantityPlaces    = 3
	quantityMaxDigits = 8 // in the whole part
)

// Fits reports whether a unit may be sold in this quantity: pieces are whole, other units are not
// restricted. Spec: Quantity rules 3.
func (q Quantity) Fits(unit Unit) bool { return unit != UnitPiece || q%One == 0 }

// Add returns the sum, cut off at the maximum int64.
func (q Quantity) Add(more Quantity) Quantity {
	if more > math.MaxInt64-q {
		return math.MaxInt64
	}
	return q + more
}

// AppendJSON writes the quantity as the shortest JSON number: 2, 2.5, 0.125.
// Spec: Quantity rules 4.
func (q Quantity) AppendJSON(dst []byte) []byte { return appendFixed(dst, int64(q), quantityPlaces) }

// String returns the quantity as the shortest decimal.
func (q Quantity) String() string { return string(q.AppendJSON(nil)) }

// ParseQuantity reads a quantity in the specification's text form: digits, optionally a dot and 1
// to 3 digits, at most 8 digits in the whole part (leading zeros count), above zero. The error is
// the first fault.
func ParseQuantity(text string) (Quantity, error) {
	q, faults := parseQuantityString(text)
	if faults != nil {
		return 0, errors.New(faults[0].String())
	}
	return q, nil
}

// QuantityFault is one fault of a quantity.
type QuantityFault uint8

// The faults, in the order in which they are reported.
const (
	NotANumber QuantityFault = iota
	TooManyDecimals
	NotPositive
	TooLarge
)

// String describes the fault. The text follows a field's path.
func (f QuantityFault) String() string {
	return [...]string{
		"must be a plain decimal",
		"must have at most 3 decimals",
		"must be greater than 0",
		"must be at most 99999999.999",
	}[f]
}

// quantityMessages are the messages of the faults in a refusal.
var quantityMessages = [...]func(name string, values ...any) Message{
	NotANumber:      MsgNumber,
	TooManyDecimals: MsgDecimals,
	NotPositive:     MsgPositive,
	TooLarge:        func(name string, _ ...any) Message { return MsgMax(name, MaxQuantity) },
}

func (f *Faults) addQuantity(field string, faults []QuantityFault) {
	for _, fault := range faults {
		f.Add(field, quantityMessages[fault](field))
	}
}

// Quantity checks a request's quantity: a JSON number by its value, a string by its text.
func (f *Faults) Quantity(field string, isString bool, text string) Quantity {
	quantity, faults := parseQuantityJSON(isString, text)
	f.addQuantity(field, faults)
	return quantity
}

// parseQuantityJSON reads a request's quantity: a JSON number by its value, a JSON string by its
// text. Faults are in their fixed order; nil if there are none. The work grows with the text, never
// with the exponent. Without a fault nothing is allocated. Spec: Quantity rules 1, 2.
func parseQuantityJSON(isString bool, text string) (Quantity, []QuantityFault) {
	if isString {
		return parseQuantityString(text)
	}
	return parseQuantityNumber(text)
}

func parseQuantityString(text string) (Quantity, []QuantityFault) {
	d, ok := cutDecimal(text)
	if !ok {
		return 0, []QuantityFault{NotANumber}
	}
	var faults []QuantityFault
	if len(d.fraction) > quantityPlaces {
		faults = append(faults, TooManyDecimals)
	}
	if strings.Trim(d.whole, "0") == "" && strings.Trim(d.fraction, "0") == "" {
		faults = append(faults, NotPositive)
	}
	if len(d.whole) > quantityMaxDigits {
		faults = append(faults, TooLarge)
	}
	if faults != nil {
		return 0, faults
	}
	units, _ := parseFixed(text, quantityPlaces, int64(MaxQuantity)) // cannot fail: checked above
	return Quantity(units), nil
}

func parseQuantityNumber(text string) (Quantity, []QuantityFault) {
	n, ok := scanNumber(text)
	if !ok {
		return 0, []QuantityFault{NotANumber}
	}
	var faults []QuantityFault
	if n.decimals > quantityPlaces {
		faults = append(faults, TooManyDecimals)
	}
	if n.negative || n.zero() {
		faults = append(faults, NotPositive)
	}
	if !n.negative && n.above() {
		faults = append(faults, TooLarge)
	}
	if faults != nil {
		return 0, faults
	}
	return Quantity(n.thousandths()), nil
}
