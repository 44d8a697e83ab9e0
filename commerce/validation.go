package commerce

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Trim removes spaces and invisible characters from both ends of a text: docs/api/contract.md#requests,
// Texts.
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
func (f *Faults) Add(field string, message Message) {
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
	f.fields = append(f.fields, FieldError{Field: field, Messages: []Message{message}})
}

// AddBelow adds the faults of a field's own fields.
func (f *Faults) AddBelow(path string, below *Faults) {
	for _, fault := range below.fields {
		f.fields = append(f.fields, fault.below(path))
	}
}

// below is the error of a field under a path. An error without a field is the path's own.
func (e FieldError) below(path string) FieldError {
	moved := FieldError{Field: path}
	if e.Field != "" {
		moved.Field += "." + e.Field
	}
	for _, message := range e.Messages {
		moved.Messages = append(moved.Messages, message.about(moved.Field))
	}
	return moved
}

// AddEmpty adds the fault of an empty list or object in the place of an optional text. If the text
// proves to be needed, the value counts as missing.
func (f *Faults) AddEmpty(field string) {
	f.Add(field, MsgString(field))
	f.empty = append(f.empty, field)
}

// allowEmpty takes the fault of AddEmpty back.
func (f *Faults) allowEmpty(field string) {
	if slices.Contains(f.empty, field) {
		f.fields = slices.DeleteFunc(f.fields, func(e FieldError) bool { return e.Field == field })
	}
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
	if missing {
		f.allowEmpty(field)
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

// FaultOf is the refusal of one field.
func FaultOf(field string, message Message) *Refusal {
	var f Faults
	f.Add(field, message)
	return f.Refusal()
}

// Refusal returns the 422 of all faults, or nil. Its message is the first one.
func (f *Faults) Refusal() *Refusal {
	if len(f.fields) == 0 {
		return nil
	}
	return &Refusal{Kind: Invalid, Message: f.fields[0].Messages[0].Text(), Fields: f.fields}
}
