package commerce

import (
	"slices"
	"strings"
	"time"
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
	// at is the index of each field; nil while the fields are few, or have been moved since.
	at map[string]int
	// empty are the fields of AddEmpty.
	empty []string
}

// Add adds a message for a field, unless the field has the same message already.
func (f *Faults) Add(field string, message Message) {
	i := f.find(field)
	switch {
	case i < 0:
		f.append(FieldError{Field: field, Messages: []Message{message}})
	case !slices.Contains(f.fields[i].Messages, message):
		f.fields[i].Messages = append(f.fields[i].Messages, message)
	}
}

// fewFields is the number of fields up to which a search is faster than a map.
const fewFields = 16

// find returns the index of a field; -1 if it has no fault.
func (f *Faults) find(field string) int {
	if len(f.fields) <= fewFields {
		return slices.IndexFunc(f.fields, func(e FieldError) bool { return e.Field == field })
	}
	if f.at == nil {
		f.at = make(map[string]int, 2*len(f.fields))
		for i := range f.fields {
			f.at[f.fields[i].Field] = i
		}
	}
	if i, known := f.at[field]; known {
		return i
	}
	return -1
}

func (f *Faults) append(e FieldError) {
	if f.at != nil {
		f.at[e.Field] = len(f.fields)
	}
	f.fields = append(f.fields, e)
}

// AddBelow adds the faults of a field's own fields.
func (f *Faults) AddBelow(path string, below *Faults) {
	for _, fault := range below.fields {
		f.append(fault.below(path))
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
		f.fields, f.at = slices.DeleteFunc(f.fields, func(e FieldError) bool { return e.Field == field }), nil
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

// Has reports whether a field, or a field below it, has a fault.
func (f *Faults) Has(field string) bool { return f.has(field) }

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
func (f *Faults) clone() Faults { return Faults{fields: slices.Clone(f.fields), empty: f.empty} }

// inOrder sorts the faults by field; faults below one field stay in their order.
func (f *Faults) inOrder(fields []string) *Faults {
	rank := func(e FieldError) int {
		name, _, _ := strings.Cut(e.Field, ".")
		return slices.Index(fields, name)
	}
	f.at = nil
	slices.SortStableFunc(f.fields, func(a, b FieldError) int { return rank(a) - rank(b) })
	return f
}

// MaxFaults is the maximum number of fields whose faults an answer lists.
const MaxFaults = 100

// FirstFaults are the first MaxFaults fields. If there are more, a field rest follows them, which tells the
// number of all other faults, together with those that the caller has left out.
func FirstFaults(all []FieldError, rest string, leftOut int) []FieldError {
	if n := len(all); n <= MaxFaults && leftOut == 0 || n > 0 && all[n-1].Messages[0].row == moreFaults {
		return all
	}
	first := slices.Clone(all[:min(len(all), MaxFaults)])
	for _, e := range all[len(first):] {
		leftOut += len(e.Messages)
	}
	more := MsgMoreFaults(rest, leftOut)
	if at := slices.IndexFunc(first, func(e FieldError) bool { return e.Field == rest }); at >= 0 {
		first[at].Messages = append(slices.Clip(first[at].Messages), more)
		return first
	}
	return append(first, FieldError{Field: rest, Messages: []Message{more}})
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

// MaxName is the maximum number of code points in a name or slug of a store document.
const MaxName = 255

// The rule of control characters: docs/api/contract.md#requests, Texts. A text goes on to mails, labels
// and tables of others, where such a character ends a line or a text.

// IsControl reports whether a character is of the category Cc or separates lines or paragraphs.
func IsControl(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// IsLine reports whether a text can be a field of one line: it has no control character.
func IsLine(text string) bool { return !strings.ContainsFunc(text, IsControl) }

// IsLines reports whether a text can be a field of several lines: TAB and LF are its only control
// characters.
func IsLines(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return IsControl(r) && r != '\t' && r != '\n' })
}

// HasNUL reports whether a text has the character that no text may have.
func HasNUL(text string) bool { return strings.IndexByte(text, 0) >= 0 }

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// UnifyLines returns a text of several lines with each CR LF and each CR as LF.
func UnifyLines(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return lineEnds.Replace(text)
}

// Line checks a field of one line.
func (f *Faults) Line(field, text string) {
	if !IsLine(text) {
		f.Add(field, MsgControlCharacter(field))
	}
}

// Lines checks a field of several lines and returns it with LF as its only end of a line.
func (f *Faults) Lines(field, text string) string {
	text = UnifyLines(text)
	if !IsLines(text) {
		f.Add(field, MsgControlCharacter(field))
	}
	return text
}

// Verbatim checks a field whose text is kept as it was sent: only U+0000 is refused.
func (f *Faults) Verbatim(field, text string) {
	if HasNUL(text) {
		f.Add(field, MsgControlCharacter(field))
	}
}

// From checks the start of a list of orders: a time of RFC 3339, or a date, which means its first
// moment in UTC. It returns zero if the text is empty or faulty. docs/api/checkout.md#orders.
func (f *Faults) From(field, text string) time.Time {
	from, _ := f.moment(field, text)
	return from
}

// To checks the end of a list of orders. A date or a whole second means its last millisecond, for
// an order's time is shown in whole seconds.
func (f *Faults) To(field, text string) time.Time {
	_, to := f.moment(field, text)
	return to
}

// moment reads a date or a time, and returns its first and its last millisecond.
func (f *Faults) moment(field, text string) (first, last time.Time) {
	if text == "" {
		return first, last
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, day.Add(24*time.Hour - time.Millisecond)
	}
	at, ok := ParseTime(text)
	switch {
	case !ok:
		f.Add(field, MsgDate(field))
	case !strings.Contains(text, "."):
		return at, at.Add(time.Second - time.Millisecond)
	}
	return at, at
}

// ParseTime reads a time of RFC 3339 strictly. Package time also accepts hours of one digit,
// fractions after a comma, and zones of 24 hours or 60 minutes.
func ParseTime(text string) (t time.Time, ok bool) {
	if t.UnmarshalText([]byte(text)) != nil || text[len("2006-01-02T1")] == ':' || strings.Contains(text, ",") {
		return time.Time{}, false
	}
	zone := text[len(text)-len("07:00"):]
	if text[len(text)-1] != 'Z' && (zone[:2] > "23" || zone[3:] > "59") {
		return time.Time{}, false
	}
	return t, true
}
