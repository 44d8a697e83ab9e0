package commerce

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Message is the text of a fault of a field, with its code and its parameters. Equal messages are
// equal values.
type Message struct {
	row   *MessageRow
	field string
	// values are the values of the row's parameters, in their order.
	values [maxMessageValues]string
}

const maxMessageValues = 2

// MessageRow is a row of the closed list of messages.
type MessageRow struct {
	// Code names the rule for programs. Messages of one rule differ in their Unit.
	Code, Unit string
	// Pattern is the text, with {field} and the names of the parameters in braces.
	Pattern string
	// When is the fault in one sentence, for the documents. A refusal of the table has its own.
	When   string
	Params []MessageParam
}

// MessageParam is a parameter of a message: a text, or a number.
type MessageParam struct {
	Name   string
	IsText bool
}

// messageRows are all messages that errors may contain.
var messageRows []*MessageRow

// FieldMessages lists every message that errors may contain, in order.
func FieldMessages() []*MessageRow { return slices.Clone(messageRows) }

// addMessage adds a row. A parameter is a number, unless text names it.
func addMessage(code, pattern, when string) *MessageRow {
	r := &MessageRow{Code: code, Pattern: pattern, When: when}
	for rest := pattern; ; {
		_, after, found := strings.Cut(rest, "{")
		if !found {
			break
		}
		var name string
		if name, rest, _ = strings.Cut(after, "}"); name != "field" {
			r.Params = append(r.Params, MessageParam{Name: name})
		}
	}
	messageRows = append(messageRows, r)
	return r
}

// in sets the unit of a limit.
func (r *MessageRow) in(unit string) *MessageRow { r.Unit = unit; return r }

// text makes all parameters texts but those of the given names.
func (r *MessageRow) text(numbers ...string) *MessageRow {
	for i := range r.Params {
		r.Params[i].IsText = !slices.Contains(numbers, r.Params[i].Name)
	}
	return r
}

// rowOf returns the row of a text, or nil.
func rowOf(pattern string) *MessageRow {
	for _, r := range messageRows {
		if r.Pattern == pattern {
			return r
		}
	}
	return nil
}

// of returns the message about a field, with the values of the row's parameters. Times are shown in whole seconds of UTC.
func (r *MessageRow) of(field string, values ...any) Message {
	m := Message{row: r, field: field}
	for i, value := range values {
		if at, is := value.(time.Time); is {
			value = at.UTC().Format("2006-01-02T15:04:05Z")
		}
		m.values[i] = fmt.Sprint(value)
	}
	return m
}

// with is of for a parameter that always has the same value.
func (r *MessageRow) with(value any) func(field string, _ ...any) Message {
	return func(field string, _ ...any) Message { return r.of(field, value) }
}

// alone is of for a text without the field's name.
func (r *MessageRow) alone(values ...any) Message { return r.of("", values...) }

// about returns the message about another field.
func (m Message) about(field string) Message { m.field = field; return m }

// Row is the message's row, with its code.
func (m Message) Row() *MessageRow { return m.row }

// Value returns the value of the parameter with an index, as text.
func (m Message) Value(param int) string { return m.values[param] }

// Text is the message in words. The field has spaces for underscores, or is unchanged if it is a
// path with an index or a map key.
func (m Message) Text() string {
	names := []string{"{field}", shown(m.field)}
	for i, p := range m.row.Params {
		names = append(names, "{"+p.Name+"}", m.values[i])
	}
	return strings.NewReplacer(names...).Replace(m.row.Pattern)
}

func shown(name string) string {
	if strings.Contains(name, ".") {
		return name
	}
	return strings.ReplaceAll(name, "_", " ")
}

// The rules of fields: docs/api/errors.md#messages-about-a-field.
var (
	MsgRequired      = addMessage("required", "The {field} field is required.", "It is missing, null, blank, `[]` or `{}`.").of
	MsgString        = addMessage("string", "The {field} field must be a string.", "It is no text.").of
	MsgArray         = addMessage("array", "The {field} field must be an array.", "It is neither a list nor a map, where one is meant.").of
	MsgBoolean       = addMessage("boolean", "The {field} field must be true or false.", "It is none of true, false, 1, 0, \"1\" and \"0\".").of
	MsgUUID          = addMessage("uuid", "The {field} field must be a valid UUID.", "It is no UUID of 36 characters.").of
	MsgEmail         = addMessage("email", "The {field} field must be a valid email address.", "It is no e-mail address.").of
	MsgInteger       = addMessage("integer", "The {field} field must be an integer.", "It is no whole number.").of
	MsgNumber        = addMessage("numeric", "The {field} field must be a number.", "It is neither a number nor a plain decimal text.").of
	MsgDecimals      = addMessage("decimals", "The {field} field must have 0-{max} decimal places.", "It has more decimals.").with(quantityPlaces)
	MsgPositive      = addMessage("gt", "The {field} field must be greater than {than}.", "It is 0 or less.").with(0)
	MsgMin           = addMessage("min", "The {field} field must be at least {min}.", "It is a number below the minimum.").of
	MsgMinCharacters = addMessage("min", "The {field} field must be at least {min} characters.", "It is shorter.").in("characters").of
	MsgMax           = addMessage("max", "The {field} field must not be greater than {max}.", "It is a number above the maximum.").of
	MsgMultipleOf    = addMessage("multiple_of", "The {field} field must be a multiple of {value}.", "A quantity is between two packs of the product.").of
	MsgMaxCharacters = addMessage("max", "The {field} field must not be greater than {max} characters.", "It is longer.").in("characters").of
	MsgMaxBytes      = addMessage("max", "The {field} field must not be greater than {max} bytes.", "Its keys and values are longer together.").in("bytes").of
	MsgMaxItems      = addMessage("max", "The {field} field must not have more than {max} items.", "It has more entries.").in("items").of
	MsgSize          = addMessage("size", "The {field} field must be {size} characters.", "It has another length.").of
	MsgIn            = addMessage("in", "The selected {field} is invalid.", "It is none of the values there are, or names nothing.").of
	MsgConfirmed     = addMessage("confirmed", "The {field} field confirmation does not match.",
		"The field of the same name with `_confirmation` is another text.").of
	MsgDate     = addMessage("date", "The {field} field must be a valid date.", "It is neither a date nor a time of RFC 3339.").of
	MsgDateFrom = addMessage("after_or_equal", "The {field} field must be a date after or equal to {date}.", "It is an earlier time.").text().of
	MsgDateTo   = addMessage("before_or_equal", "The {field} field must be a date before or equal to {date}.", "It is a later time.").text().of
	MsgScalar   = addMessage("scalar", "The {field} field must be a string, number, boolean or null.",
		"A value of metadata is a list, a map, or a number that is no finite double or is longer than 32 characters.").of
	MsgControlCharacter = addMessage("control_character", "The {field} field must not contain control characters.",
		"It has a control character, U+2028 or U+2029. TAB and line ends are allowed in fields of several lines, all but U+0000 in passwords, metadata and "+
			"discount codes.").of
)

// MsgQuoteCountry is the rule of addresses that a quote is accepted with.
var MsgQuoteCountry = addMessage("quote_country", "This quote is for {country}.", "It gives another tax country than the quote has.").text().alone

// MsgMoreFaults is the last entry of a list of faults that is cut off.
var MsgMoreFaults = moreFaults.of

var moreFaults = addMessage("more_faults", "The {field} field has {count} more faults.",
	"More than 100 fields have faults. The last one, `request` or of a change set `document`, counts those of the others.")

// MsgDocument is the rule of store documents, whose reader finds the faults of a change set.
var MsgDocument = addMessage("document", "The {field} field {fault}.",
	"An entry of a change set would be refused in a store document; `fault` says why.").text().of

// The rules of a configuration. Labels are shown as in the store document; limits are in millimetres.
// docs/store-document.md#the-configurator-of-a-made-to-measure-product.
var (
	MsgDimensionRequired = addMessage("dimension_required", "{label} is required.", "A dimension was not sent.").text().alone
	MsgDimensionWhole    = addMessage("dimension_whole", "{label} must be a whole number.", "A dimension is no whole number.").text().alone
	MsgDimensionMin      = addMessage("dimension_min", "{label} must be at least {min}.", "A dimension is too small.").text("min").alone
	MsgDimensionMax      = addMessage("dimension_max", "{label} must be at most {max}.", "A dimension is too large.").text("max").alone
	MsgDimensionStep     = addMessage("dimension_step", "{label} must be in steps of {step}.",
		"A dimension is between two steps, counted from the minimum.").text("step").alone
	MsgDimensionUnknown  = addMessage("dimension_unknown", "This dimension does not exist.", "The product has no such dimension.").alone
	MsgChoiceUnavailable = addMessage("choice_unavailable", "This choice is not available.", "There is no such choice, or it can never be chosen.").alone
	MsgChoiceRequires    = addMessage("choice_requires", "{label} requires {required}.", "Another choice has to be chosen too.").text().alone
	MsgChooseOption      = addMessage("choose_option", "Choose an option for {label}.", "Nothing is chosen in a group that needs a choice.").text().alone
	MsgChooseOne         = addMessage("choose_one", "Choose one option for {label}.", "Two are chosen in a group that takes one.").text().alone
)

// The rules of a line's properties. The label is that of the product's text field.
var (
	MsgPropertyRequired = addMessage("property_required", "The {label} field is required.", "A line of the product needs this text.").text().of
	MsgPropertyUnknown  = addMessage("property_unknown", "This field does not exist.",
		"The product has no such text field, and the key is none of the front end's own.").of
)
