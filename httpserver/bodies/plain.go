package bodies

import (
	"slices"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
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

// The kinds of texts. Every text of a body is of one line, but for the kinds Lines, verbatim texts, and those that have a rule of their own:
// ids, e-mail addresses and names of a closed list. A text is trimmed ahead of all rules, so that a line end at its end is none of its
// characters; a control character is reported ahead of the length.

// Text is the kind of texts of one line with at most max characters.
func Text(max int) Kind[string] {
	return line(openapi.Text.MaxLength(max), commerce.AtMost(max))
}

// TextOrNull is Text, or null.
func TextOrNull(max int) Kind[string] { return field.OrNull(Text(max)) }

// Characters is the kind of texts of one line with exactly n characters.
func Characters(n int) Kind[string] {
	return line(openapi.Text.MinLength(n).MaxLength(n), commerce.Exactly(n))
}

func line(schema *openapi.Schema, rule commerce.Length) Kind[string] {
	return Kind[string]{Schema: schema, Read: func(v value, into *string) {
		if text, ok := v.text(); ok {
			*into = commerce.Trim(text)
			v.faults.Line(v.name, *into)
			rule(v.faults, v.name, *into)
		}
	}}
}

// LinesOrNull is the kind of texts of several lines, whose ends become LF before the characters are counted.
func LinesOrNull(max int) Kind[string] {
	rule := commerce.AtMost(max)
	return field.OrNull(Kind[string]{Schema: openapi.Text.MaxLength(max), Read: func(v value, into *string) {
		if text, ok := v.text(); ok {
			*into = v.faults.Lines(v.name, commerce.Trim(text))
			rule(v.faults, v.name, *into)
		}
	}})
}

// Verbatim is the kind of texts that are kept as they were sent. A text of spaces alone counts as missing.
func Verbatim(max int) Kind[string] {
	rule := commerce.AtMost(max)
	return Kind[string]{Schema: openapi.Text.MaxLength(max), Read: func(v value, into *string) {
		if v.verbatim(into) {
			rule(v.faults, v.name, *into)
		}
	}}
}

// Email is the kind of e-mail addresses, in lower case.
var Email = Kind[string]{Schema: openapi.Text.MaxLength(commerce.MaxEmail), Read: func(v value, into *string) {
	if blank(v.Value) {
		v.fault(commerce.MsgString(v.name))
	} else if text, ok := v.text(); ok {
		*into = v.faults.Email(v.name, commerce.Trim(text))
	}
}}

// ID is the kind of UUIDs.
var ID = Kind[uuid.UUID]{Schema: openapi.UUID, Read: func(v value, into *uuid.UUID) {
	if id, ok := plainID(v.Value); ok {
		*into = id
		return
	}
	text, ok := v.text()
	if !ok {
		return
	}
	if *into, ok = commerce.ParseID(commerce.Trim(text)); !ok {
		v.fault(commerce.MsgUUID(v.name))
	}
}}

// plainID reads an id without JSON escapes or spaces around it. It makes no copy.
func plainID(value strictjson.Value) (uuid.UUID, bool) {
	if value.Kind() != strictjson.String {
		return uuid.Nil, false
	}
	return commerce.ParseID([]byte(value[1 : len(value)-1]))
}

// AskedID is the kind of ids of the store's own, of which a text that is no UUID names nothing, but counts as sent.
var AskedID = Kind[commerce.AskedID]{Schema: openapi.Text, Read: func(v value, into *commerce.AskedID) {
	into.Sent = !emptyContainer(v.Value)
	if text, ok := v.text(); ok {
		into.ID, _ = commerce.ParseID(commerce.Trim(text))
	}
}}

// Names is the kind of names of a closed list.
func Names(names ...string) Kind[string] {
	return Kind[string]{Schema: openapi.Names(names...), Read: func(v value, into *string) {
		text := "" // of null
		if v.Kind() != strictjson.Null {
			var ok bool
			if text, ok = v.text(); !ok {
				return
			}
		}
		if *into = commerce.Trim(text); !slices.Contains(names, *into) {
			v.fault(commerce.MsgIn(v.name))
		}
	}}
}

// text returns the text of a string, and false for another value. An empty list or object counts as missing if the text proves to be
// needed.
func (v value) text() (string, bool) {
	switch {
	case v.Kind() == strictjson.String:
		return v.Text(), true
	case emptyContainer(v.Value):
		v.faults.AddEmpty(v.name)
	default:
		v.fault(commerce.MsgString(v.name))
	}
	return "", false
}

// verbatim reads a text that is kept as it was sent. It returns false for another value.
func (v value) verbatim(into *string) bool {
	text, ok := v.text()
	if ok {
		*into = text
		v.faults.Verbatim(v.name, text)
	}
	return ok
}
