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
	read: func(f *fields, name string, value strictjson.Value, into *commerce.Quantity) {
		if isString, text, ok := f.number(name, value); ok {
			*into = f.faults.Quantity(name, isString, text)
		}
	},
}

// StockDelta is the kind of signed quantities that are not zero.
var StockDelta = Kind[commerce.StockDelta]{
	Schema: openapi.AnyOf(openapi.Number, openapi.Text),
	read: func(f *fields, name string, value strictjson.Value, into *commerce.StockDelta) {
		if isString, text, ok := f.number(name, value); ok {
			*into = f.faults.StockDelta(name, isString, text)
		}
	},
}

// number returns the text of a number or of a string. ok is false if the value is neither.
func (f *fields) number(name string, value strictjson.Value) (isString bool, text string, ok bool) {
	switch value.Kind() {
	case strictjson.Number:
		return false, string(value), true
	case strictjson.String:
		return true, value.Text(), true
	}
	f.faults.Add(name, commerce.MsgNumber(name))
	return false, "", false
}

// Amount is the kind of amounts of money in minor units.
var Amount = Kind[commerce.Amount]{Schema: openapi.Integer.Min(0), read: func(f *fields, name string, value strictjson.Value, into *commerce.Amount) {
	if amount := f.faults.Amount(name, numberOf(value)); amount != nil {
		*into = *amount
	}
}}

// Whole is the kind of whole numbers from low to high.
func Whole(low, high int64) Kind[int64] {
	return Kind[int64]{Schema: openapi.Integer.Min(int(low)).Max(int(high)), read: func(f *fields, name string, value strictjson.Value, into *int64) {
		*into = f.faults.Within(name, numberOf(value), low, high)
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
	read: func(f *fields, name string, value strictjson.Value, into *bool) {
		text := string(value)
		if value.Kind() == strictjson.String {
			text = strconv.Quote(value.Text())
		}
		truth, ok := booleans[text]
		if *into = truth; !ok {
			f.faults.Add(name, commerce.MsgBoolean(name))
		}
	},
}
