package bodies

import (
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// The kinds of texts. Every text of a body is of one line, but for the kinds Lines, verbatim texts, and those that have a rule of their own:
// ids, e-mail addresses and names of a closed list. A text is trimmed ahead of all rules, so that a line end at its end is none of its
// characters; a control character is reported ahead of the length.

// Text is the kind of texts of one line with at most max characters.
func Text(max int) Kind[string] {
	return line(openapi.Text.MaxLength(max), commerce.AtMost(max))
}

// TextOrNull is Text, or null.
func TextOrNull(max int) Kind[string] { return OrNull(Text(max)) }

// Characters is the kind of texts of one line with exactly n characters.
func Characters(n int) Kind[string] {
	return line(openapi.Text.MinLength(n).MaxLength(n), commerce.Exactly(n))
}

func line(schema *openapi.Schema, rule commerce.Length) Kind[string] {
	return Kind[string]{Schema: schema, read: func(f *fields, name string, value strictjson.Value, into *string) {
		if text, ok := f.text(name, value); ok {
			*into = commerce.Trim(text)
			f.faults.Line(name, *into)
			rule(&f.faults, name, *into)
		}
	}}
}

// LinesOrNull is the kind of texts of several lines, whose ends become LF before the characters are counted.
func LinesOrNull(max int) Kind[string] {
	rule := commerce.AtMost(max)
	return OrNull(Kind[string]{Schema: openapi.Text.MaxLength(max), read: func(f *fields, name string, value strictjson.Value, into *string) {
		if text, ok := f.text(name, value); ok {
			*into = f.faults.Lines(name, commerce.Trim(text))
			rule(&f.faults, name, *into)
		}
	}})
}

// Verbatim is the kind of texts that are kept as they were sent. A text of spaces alone counts as missing.
func Verbatim(max int) Kind[string] {
	rule := commerce.AtMost(max)
	return Kind[string]{Schema: openapi.Text.MaxLength(max), read: func(f *fields, name string, value strictjson.Value, into *string) {
		if f.verbatim(name, value, into) {
			rule(&f.faults, name, *into)
		}
	}}
}

// Email is the kind of e-mail addresses, in lower case.
var Email = Kind[string]{Schema: openapi.Text.MaxLength(commerce.MaxEmail), read: func(f *fields, name string, value strictjson.Value, into *string) {
	if blank(value) {
		f.faults.Add(name, commerce.MsgString(name))
	} else if text, ok := f.text(name, value); ok {
		*into = f.faults.Email(name, commerce.Trim(text))
	}
}}

// ID is the kind of UUIDs.
var ID = Kind[uuid.UUID]{Schema: openapi.UUID, read: func(f *fields, name string, value strictjson.Value, into *uuid.UUID) {
	if id, ok := plainID(value); ok {
		*into = id
		return
	}
	text, ok := f.text(name, value)
	if !ok {
		return
	}
	if *into, ok = commerce.ParseID(commerce.Trim(text)); !ok {
		f.faults.Add(name, commerce.MsgUUID(name))
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
var AskedID = Kind[commerce.AskedID]{Schema: openapi.Text, read: func(f *fields, name string, value strictjson.Value, into *commerce.AskedID) {
	into.Sent = !emptyContainer(value)
	if text, ok := f.text(name, value); ok {
		into.ID, _ = commerce.ParseID(commerce.Trim(text))
	}
}}

// Names is the kind of names of a closed list.
func Names(names ...string) Kind[string] {
	return Kind[string]{Schema: openapi.Names(names...), read: func(f *fields, name string, value strictjson.Value, into *string) {
		text := "" // of null
		if value.Kind() != strictjson.Null {
			var ok bool
			if text, ok = f.text(name, value); !ok {
				return
			}
		}
		if *into = commerce.Trim(text); !slices.Contains(names, *into) {
			f.faults.Add(name, commerce.MsgIn(name))
		}
	}}
}

// text returns the text of a string, and false for another value. An empty list or object counts as missing if the text proves to be
// needed.
func (f *fields) text(name string, value strictjson.Value) (string, bool) {
	switch {
	case value.Kind() == strictjson.String:
		return value.Text(), true
	case emptyContainer(value):
		f.faults.AddEmpty(name)
	default:
		f.faults.Add(name, commerce.MsgString(name))
	}
	return "", false
}

// verbatim reads a text that is kept as it was sent. It returns false for another value.
func (f *fields) verbatim(name string, value strictjson.Value, into *string) bool {
	text, ok := f.text(name, value)
	if ok {
		*into = text
		f.faults.Verbatim(name, text)
	}
	return ok
}
