package bodies

import (
	"strconv"

	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// Quantity is the kind of quantities, as a number or as a string that is not trimmed. Spec: Quantity rules.
var Quantity = Kind[commerce.Quantity]{
	Schema: openapi.AnyOf(openapi.Number, openapi.Text).
		About("Above 0, at most " + commerce.MaxQuantity.String() + " with up to three decimals, as a number or a plain decimal text; " +
			"whole for products sold by the piece."),
	Read: func(v value, into *commerce.Quantity) {
		if isString, text, ok := v.number(); ok {
			*into = v.faults.Quantity(v.name, isString, text)
		}
	},
}

// StockDelta is the kind of signed quantities that are not zero.
var StockDelta = Kind[commerce.StockDelta]{
	Schema: openapi.AnyOf(openapi.Number, openapi.Text),
	Read: func(v value, into *commerce.StockDelta) {
		if isString, text, ok := v.number(); ok {
			*into = v.faults.StockDelta(v.name, isString, text)
		}
	},
}

// number returns the text of a number or of a string. ok is false if the value is neither.
func (v value) number() (isString bool, text string, ok bool) {
	switch v.Kind() {
	case strictjson.Number:
		return false, string(v.Value), true
	case strictjson.String:
		return true, v.Text(), true
	}
	v.fault(commerce.MsgNumber(v.name))
	return false, "", false
}

// Amount is the kind of amounts of money in minor units.
var Amount = Kind[commerce.Amount]{Schema: openapi.Integer.Min(0), Read: func(v value, into *commerce.Amount) {
	if amount := v.faults.Amount(v.name, numberOf(v.Value)); amount != nil {
		*into = *amount
	}
}}

// Whole is the kind of whole numbers from low to high.
func Whole(low, high int64) Kind[int64] {
	return Kind[int64]{Schema: openapi.Integer.Min(int(low)).Max(int(high)), Read: func(v value, into *int64) {
		*into = v.faults.Within(v.name, numberOf(v.Value), low, high)
	}}
}

// numberOf is the text of a number, and empty for every other value.
func numberOf(value strictjson.Value) string {
	if value.Kind() != strictjson.Number {
		return ""
	}
	return string(value)
}

// booleans are all spellings of true and false, as JSON text.
var booleans = map[string]bool{`true`: true, `1`: true, `"1"`: true, `false`: false, `0`: false, `"0"`: false}

// Boolean is the kind of booleans in any of their spellings.
var Boolean = Kind[bool]{
	Schema: openapi.AnyOf(openapi.Boolean, openapi.Integer.OneOf(0, 1), openapi.Names("0", "1")),
	Read: func(v value, into *bool) {
		text := string(v.Value)
		if v.Kind() == strictjson.String {
			text = strconv.Quote(v.Text())
		}
		truth, ok := booleans[text]
		if *into = truth; !ok {
			v.fault(commerce.MsgBoolean(v.name))
		}
	},
}
