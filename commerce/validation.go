package commerce

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Trim removes spaces and invisible characters from both ends of a text. Conventions: trimming.
func Trim(text string) string { return strings.TrimFunc(text, Invisible) }

// Invisible reports whether a character is a Unicode space (NBSP included), has no width, or is a
// direction mark or the byte order mark.
func Invisible(r rune) bool {
	return unicode.IsSpace(r) || r >= '\u200b' && r <= '\u200f' || r == '\u2060' || r == '\ufeff'
}

// Faults collects the faults of a body's fields, in the order of the checks, and becomes one
// Refusal. The zero value is ready for use.
type Faults struct {
	fields []FieldError
	// empty are the fields of AddEmpty.
	empty []string
}

// Add adds a message for a field, unless the field has the same message already.
func (f *Faults) Add(field, message string) {
	for i := range f.fields {
		if f.fields[i].Field != field {
			continue
		}
		for _, m := range f.fields[i].Messages {
			if m == message {
				return
			}
		}
		f.fields[i].Messages = append(f.fields[i].Messages, message)
		return
	}
	f.fields = append(f.fields, FieldError{Field: field, Messages: []string{message}})
}

// AddBelow adds the faults of a field's own fields.
func (f *Faults) AddBelow(path string, below *Faults) {
	for _, fault := range below.fields {
		f.fields = append(f.fields, fault.below(path))
	}
}

// MsgDocument is the text of a fault that the reader of store documents found.
func MsgDocument(field, fault string) string { return "The " + field + " field " + fault + "." }

// below is the error of a field under a path.
func (e FieldError) below(path string) FieldError {
	moved := FieldError{Field: path + "." + e.Field}
	for _, message := range e.Messages {
		moved.Messages = append(moved.Messages, renamed(message, e.Field, moved.Field))
	}
	return moved
}

// AddEmpty adds the fault of an empty list or object in the place of an optional text. If the text
// proves to be needed, the value counts as missing. Conventions: required.
func (f *Faults) AddEmpty(field string) {
	f.Add(field, MsgString(field))
	f.empty = append(f.empty, field)
}

// has reports whether a field, or a field below it, has a fault.
func (f *Faults) has(field string) bool {
	for i := range f.fields {
		if name, _, _ := strings.Cut(f.fields[i].Field, "."); name == field {
			return true
		}
	}
	return false
}

// check adds the fault of a field that is missing or names something unknown, unless it has a fault
// already.
func (f *Faults) check(field string, missing, unknown bool) {
	if missing && slices.Contains(f.empty, field) {
		f.fields = slices.DeleteFunc(f.fields, func(e FieldError) bool { return e.Field == field })
	}
	switch {
	case f.has(field):
	case missing:
		f.Add(field, MsgRequired(field))
	case unknown:
		f.Add(field, MsgIn(field))
	}
}

// Length is a rule about the number of code points in a text.
type Length func(f *Faults, field, text string)

// AtMost refuses a text of more than n code points.
func AtMost(n int) Length {
	return func(f *Faults, field, text string) {
		if utf8.RuneCountInString(text) > n {
			f.Add(field, MsgMaxCharacters(field, n))
		}
	}
}

// Exactly refuses a text that does not have n code points.
func Exactly(n int) Length {
	return func(f *Faults, field, text string) {
		if utf8.RuneCountInString(text) != n {
			f.Add(field, MsgSize(field, n))
		}
	}
}

// clone returns a copy of the faults that can be added to. The messages are shared.
func (f *Faults) clone() Faults { return Faults{slices.Clone(f.fields), f.empty} }

// inOrder sorts the faults by field; faults below one field stay in their order.
func (f *Faults) inOrder(fields []string) *Faults {
	rank := func(e FieldError) int {
		name, _, _ := strings.Cut(e.Field, ".")
		return slices.Index(fields, name)
	}
	slices.SortStableFunc(f.fields, func(a, b FieldError) int { return rank(a) - rank(b) })
	return f
}

// Refusal returns the 422 of all faults, or nil. Its message is the first one.
func (f *Faults) Refusal() *Refusal {
	if len(f.fields) == 0 {
		return nil
	}
	return &Refusal{Kind: Invalid, Message: f.fields[0].Messages[0], Fields: f.fields}
}

// Validation messages. name is the field's key. It is shown with spaces for underscores, or
// unchanged if it is a path with an index or a map key.

// MsgRequired: missing, null, blank string, [] or {}.
func MsgRequired(name string) string { return the(name) + " is required." }

// MsgString: not a JSON string.
func MsgString(name string) string { return the(name) + " must be a string." }

// MsgArray: not a list, or not a map if one is expected.
func MsgArray(name string) string { return the(name) + " must be an array." }

// MsgUUID: not a UUID.
func MsgUUID(name string) string { return the(name) + " must be a valid UUID." }

// MsgEmail: not an e-mail address.
func MsgEmail(name string) string { return the(name) + " must be a valid email address." }

// MsgMaxCharacters: a string longer than n code points.
func MsgMaxCharacters(name string, n int) string {
	return fmt.Sprintf("%s must not be greater than %d characters.", the(name), n)
}

// MsgMinCharacters: a string shorter than n code points.
func MsgMinCharacters(name string, n int) string {
	return fmt.Sprintf("%s must be at least %d characters.", the(name), n)
}

// MsgSize: a string that does not have n code points.
func MsgSize(name string, n int) string {
	return fmt.Sprintf("%s must be %d characters.", the(name), n)
}

// MsgBoolean: none of true, false, 1, 0, "1" and "0".
func MsgBoolean(name string) string { return the(name) + " must be true or false." }

// MsgConfirmed: a text that differs from its confirmation.
func MsgConfirmed(name string) string { return the(name) + " confirmation does not match." }

// MsgIn: not one of the allowed values.
func MsgIn(name string) string { return "The selected " + shown(name) + " is invalid." }

// MsgMaxItems: more than n items.
func MsgMaxItems(name string, n int) string {
	return fmt.Sprintf("%s must not have more than %d items.", the(name), n)
}

// MsgMaxBytes: too many bytes.
func MsgMaxBytes(name string, n int) string {
	return fmt.Sprintf("%s must not be greater than %d bytes.", the(name), n)
}

// MsgInteger: not a whole number.
func MsgInteger(name string) string { return the(name) + " must be an integer." }

// MsgMin: a number below n.
func MsgMin(name string, n int) string {
	return fmt.Sprintf("%s must be at least %d.", the(name), n)
}

// MsgMax: a number above n, given as its text.
func MsgMax(name, n string) string { return the(name) + " must not be greater than " + n + "." }

// MsgNumber: neither a number nor a plain decimal.
func MsgNumber(name string) string { return the(name) + " must be a number." }

// MsgDecimals: more than three decimals.
func MsgDecimals(name string) string { return the(name) + " must have 0-3 decimal places." }

// MsgPositive: not above zero.
func MsgPositive(name string) string { return the(name) + " must be greater than 0." }

// MsgDate: neither a date nor a time.
func MsgDate(name string) string { return the(name) + " must be a valid date." }

// MsgScalar: a metadata value that is a list or a map.
func MsgScalar(name string) string { return the(name) + " must be a string, number, boolean or null." }

// Faults of a configuration. Labels are shown as in the store document; limits are in millimetres.
// Store document: The configurator.

// MsgDimensionRequired: a dimension that was not sent.
func MsgDimensionRequired(label string) string { return label + " is required." }

// MsgDimensionWhole: a dimension that is no whole number.
func MsgDimensionWhole(label string) string { return label + " must be a whole number." }

// MsgDimensionMin: below the minimum.
func MsgDimensionMin(label string, lowest int64) string {
	return fmt.Sprintf("%s must be at least %d.", label, lowest)
}

// MsgDimensionMax: above the maximum.
func MsgDimensionMax(label string, greatest int64) string {
	return fmt.Sprintf("%s must be at most %d.", label, greatest)
}

// MsgDimensionStep: between two steps, counted from the minimum.
func MsgDimensionStep(label string, step int64) string {
	return fmt.Sprintf("%s must be in steps of %d.", label, step)
}

// MsgDimensionUnknown: a key that the product does not have.
func MsgDimensionUnknown() string { return "This dimension does not exist." }

// MsgChoiceUnavailable: an unknown choice, or one that can never be chosen.
func MsgChoiceUnavailable() string { return "This choice is not available." }

// MsgChoiceRequires: a choice without another choice that it requires.
func MsgChoiceRequires(label, required string) string { return label + " requires " + required + "." }

// MsgChooseOption: no choice in a group that requires one.
func MsgChooseOption(group string) string { return "Choose an option for " + group + "." }

// MsgChooseOne: several choices in a group that permits one.
func MsgChooseOne(group string) string { return "Choose one option for " + group + "." }

func the(name string) string { return "The " + shown(name) + " field" }

func shown(name string) string {
	if strings.Contains(name, ".") {
		return name
	}
	return strings.ReplaceAll(name, "_", " ")
}
