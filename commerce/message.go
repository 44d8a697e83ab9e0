package commerce

import (
	"slices"
	"strconv"
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

// of returns the message about a field.
func (r *MessageRow) of(field string, values ...string) Message {
	m := Message{row: r, field: field}
	copy(m.values[:], values)
	return m
}

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
	ruleRequired      = addMessage("required", "The {field} field is required.", "It is missing, null, blank, `[]` or `{}`.")
	ruleString        = addMessage("string", "The {field} field must be a string.", "It is no text.")
	ruleArray         = addMessage("array", "The {field} field must be an array.", "It is neither a list nor a map, where one is meant.")
	ruleBoolean       = addMessage("boolean", "The {field} field must be true or false.", "It is none of true, false, 1, 0, \"1\" and \"0\".")
	ruleUUID          = addMessage("uuid", "The {field} field must be a valid UUID.", "It is no UUID of 36 characters.")
	ruleEmail         = addMessage("email", "The {field} field must be a valid email address.", "It is no e-mail address.")
	ruleInteger       = addMessage("integer", "The {field} field must be an integer.", "It is no whole number.")
	ruleNumeric       = addMessage("numeric", "The {field} field must be a number.", "It is neither a number nor a plain decimal text.")
	ruleDecimals      = addMessage("decimals", "The {field} field must have 0-{max} decimal places.", "It has more decimals.")
	rulePositive      = addMessage("gt", "The {field} field must be greater than {than}.", "It is 0 or less.")
	ruleMin           = addMessage("min", "The {field} field must be at least {min}.", "It is a number below the minimum.")
	ruleMinCharacters = addMessage("min", "The {field} field must be at least {min} characters.", "It is shorter.").in("characters")
	ruleMax           = addMessage("max", "The {field} field must not be greater than {max}.", "It is a number above the maximum.")
	ruleMaxCharacters = addMessage("max", "The {field} field must not be greater than {max} characters.", "It is longer.").in("characters")
	ruleMaxBytes      = addMessage("max", "The {field} field must not be greater than {max} bytes.", "Its keys and values are longer together.").in("bytes")
	ruleMaxItems      = addMessage("max", "The {field} field must not have more than {max} items.", "It has more entries.").in("items")
	ruleSize          = addMessage("size", "The {field} field must be {size} characters.", "It has another length.")
	ruleIn            = addMessage("in", "The selected {field} is invalid.", "It is none of the values there are, or names nothing.")
	ruleConfirmed     = addMessage("confirmed", "The {field} field confirmation does not match.",
		"The field of the same name with `_confirmation` is another text.")
	ruleDate     = addMessage("date", "The {field} field must be a valid date.", "It is neither a date nor a time of RFC 3339.")
	ruleDateFrom = addMessage("after_or_equal", "The {field} field must be a date after or equal to {date}.", "It is an earlier time.").text()
	ruleDateTo   = addMessage("before_or_equal", "The {field} field must be a date before or equal to {date}.", "It is a later time.").text()
	ruleScalar   = addMessage("scalar", "The {field} field must be a string, number, boolean or null.",
		"A value of metadata is a list, a map, or a number that is no finite double or is longer than 32 characters.")
	ruleControl = addMessage("control_character", "The {field} field must not contain control characters.",
		"It has a control character, U+2028 or U+2029. TAB and line ends are allowed in fields of several lines, all but U+0000 in passwords, metadata and "+
			"discount codes.")
)

// The rule of store documents, whose reader finds the faults of a change set.
var ruleDocument = addMessage("document", "The {field} field {fault}.",
	"An entry of a change set would be refused in a store document; `fault` says why.").text()

// The rules of a configuration. Labels are shown as in the store document; limits are in millimetres.
// docs/store-document.md#the-configurator-of-a-made-to-measure-product.
var (
	ruleDimensionRequired = addMessage("dimension_required", "{label} is required.", "A dimension was not sent.").text()
	ruleDimensionWhole    = addMessage("dimension_whole", "{label} must be a whole number.", "A dimension is no whole number.").text()
	ruleDimensionMin      = addMessage("dimension_min", "{label} must be at least {min}.", "A dimension is too small.").text("min")
	ruleDimensionMax      = addMessage("dimension_max", "{label} must be at most {max}.", "A dimension is too large.").text("max")
	ruleDimensionStep     = addMessage("dimension_step", "{label} must be in steps of {step}.",
		"A dimension is between two steps, counted from the minimum.").text("step")
	ruleDimensionUnknown  = addMessage("dimension_unknown", "This dimension does not exist.", "The product has no such dimension.")
	ruleChoiceUnavailable = addMessage("choice_unavailable", "This choice is not available.", "There is no such choice, or it can never be chosen.")
	ruleChoiceRequires    = addMessage("choice_requires", "{label} requires {required}.", "Another choice has to be chosen too.").text()
	ruleChooseOption      = addMessage("choose_option", "Choose an option for {label}.", "Nothing is chosen in a group that needs a choice.").text()
	ruleChooseOne         = addMessage("choose_one", "Choose one option for {label}.", "Two are chosen in a group that takes one.").text()
)

// The rules of a line's properties. The label is that of the product's text field.
var (
	rulePropertyRequired = addMessage("property_required", "The {label} field is required.", "A line of the product needs this text.").text()
	rulePropertyUnknown  = addMessage("property_unknown", "This field does not exist.",
		"The product has no such text field, and the key is none of the front end's own.")
)

// Validation messages. name is the field's key.

// MsgRequired: missing, null, blank string, [] or {}.
func MsgRequired(name string) Message { return ruleRequired.of(name) }

// MsgDocument: a fault that the reader of store documents found.
func MsgDocument(name, fault string) Message { return ruleDocument.of(name, fault) }

// MsgString: not a JSON string.
func MsgString(name string) Message { return ruleString.of(name) }

// MsgArray: not a list, or not a map if one is expected.
func MsgArray(name string) Message { return ruleArray.of(name) }

// MsgUUID: not a UUID.
func MsgUUID(name string) Message { return ruleUUID.of(name) }

// MsgEmail: not an e-mail address.
func MsgEmail(name string) Message { return ruleEmail.of(name) }

// MsgMaxCharacters: a string longer than n code points.
func MsgMaxCharacters(name string, n int) Message { return ruleMaxCharacters.of(name, strconv.Itoa(n)) }

// MsgMinCharacters: a string shorter than n code points.
func MsgMinCharacters(name string, n int) Message { return ruleMinCharacters.of(name, strconv.Itoa(n)) }

// MsgSize: a string that does not have n code points.
func MsgSize(name string, n int) Message { return ruleSize.of(name, strconv.Itoa(n)) }

// MsgBoolean: none of true, false, 1, 0, "1" and "0".
func MsgBoolean(name string) Message { return ruleBoolean.of(name) }

// MsgConfirmed: a text that differs from its confirmation.
func MsgConfirmed(name string) Message { return ruleConfirmed.of(name) }

// MsgIn: not one of the allowed values.
func MsgIn(name string) Message { return ruleIn.of(name) }

// MsgMaxItems: more than n items.
func MsgMaxItems(name string, n int) Message { return ruleMaxItems.of(name, strconv.Itoa(n)) }

// MsgMaxBytes: too many bytes.
func MsgMaxBytes(name string, n int) Message { return ruleMaxBytes.of(name, strconv.Itoa(n)) }

// MsgInteger: not a whole number.
func MsgInteger(name string) Message { return ruleInteger.of(name) }

// MsgMin: a number below n.
func MsgMin(name string, n int) Message { return ruleMin.of(name, strconv.Itoa(n)) }

// MsgMax: a number above n, given as its text.
func MsgMax(name, n string) Message { return ruleMax.of(name, n) }

// MsgNumber: neither a number nor a plain decimal.
func MsgNumber(name string) Message { return ruleNumeric.of(name) }

// MsgDecimals: more than three decimals.
func MsgDecimals(name string) Message { return ruleDecimals.of(name, strconv.Itoa(quantityPlaces)) }

// MsgPositive: not above zero.
func MsgPositive(name string) Message { return rulePositive.of(name, "0") }

// MsgDate: neither a date nor a time.
func MsgDate(name string) Message { return ruleDate.of(name) }

// MsgDateFrom: a time before the first one.
func MsgDateFrom(name string, first time.Time) Message {
	return ruleDateFrom.of(name, shownTime(first))
}

// MsgDateTo: a time after the last one.
func MsgDateTo(name string, last time.Time) Message { return ruleDateTo.of(name, shownTime(last)) }

// shownTime is a time as messages show it, in whole seconds of UTC.
func shownTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// MsgScalar: a metadata value that is a list or a map, or a number that others cannot read.
func MsgScalar(name string) Message { return ruleScalar.of(name) }

// MsgControlCharacter: a text with a control character.
func MsgControlCharacter(name string) Message { return ruleControl.of(name) }

// MsgDimensionRequired: a dimension that was not sent.
func MsgDimensionRequired(label string) Message { return ruleDimensionRequired.of("", label) }

// MsgDimensionWhole: a dimension that is no whole number.
func MsgDimensionWhole(label string) Message { return ruleDimensionWhole.of("", label) }

// MsgDimensionMin: below the minimum.
func MsgDimensionMin(label string, lowest int64) Message {
	return ruleDimensionMin.of("", label, strconv.FormatInt(lowest, 10))
}

// MsgDimensionMax: above the maximum.
func MsgDimensionMax(label string, greatest int64) Message {
	return ruleDimensionMax.of("", label, strconv.FormatInt(greatest, 10))
}

// MsgDimensionStep: between two steps, counted from the minimum.
func MsgDimensionStep(label string, step int64) Message {
	return ruleDimensionStep.of("", label, strconv.FormatInt(step, 10))
}

// MsgDimensionUnknown: a key that the product does not have.
func MsgDimensionUnknown() Message { return ruleDimensionUnknown.of("") }

// MsgChoiceUnavailable: an unknown choice, or one that can never be chosen.
func MsgChoiceUnavailable() Message { return ruleChoiceUnavailable.of("") }

// MsgChoiceRequires: a choice without another choice that it requires.
func MsgChoiceRequires(label, required string) Message {
	return ruleChoiceRequires.of("", label, required)
}

// MsgChooseOption: no choice in a group that requires one.
func MsgChooseOption(group string) Message { return ruleChooseOption.of("", group) }

// MsgChooseOne: several choices in a group that permits one.
func MsgChooseOne(group string) Message { return ruleChooseOne.of("", group) }

// MsgPropertyRequired: a text that a line of the product needs.
func MsgPropertyRequired(name, label string) Message { return rulePropertyRequired.of(name, label) }

// MsgPropertyUnknown: a key that the product does not have.
func MsgPropertyUnknown(name string) Message { return rulePropertyUnknown.of(name) }
