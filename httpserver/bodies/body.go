package bodies

import (
	"slices"
	"sync"

	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// Sent is the body of a request as a JSON value. The zero value is a request without a body.
type Sent struct {
	value   strictjson.Value
	invalid bool // the body is no JSON
}

// Parse reads a body. Blanks count as none.
func Parse(body []byte) Sent {
	if !slices.ContainsFunc(body, func(c byte) bool { return c != ' ' && c != '\t' && c != '\r' && c != '\n' }) {
		return Sent{}
	}
	value, err := strictjson.Parse(body)
	return Sent{value, err != nil}
}

// Value is the body as it was sent.
func (s Sent) Value() strictjson.Value { return s.value }

// Object returns a body that must be a JSON object. An empty body and an empty list count as the empty object, which is nil.
// Content-Type has no effect.
func (s Sent) Object() (strictjson.Value, *commerce.Refusal) {
	switch {
	case !s.invalid && s.value.Kind() == strictjson.Object:
		return s.value, nil
	case !s.invalid && (s.value == nil || emptyContainer(s.value)):
		return nil, nil
	}
	return nil, commerce.InvalidJSON
}

// Body is a table of fields.
type Body[T any] struct {
	Schema  *openapi.Schema
	readers []reader[T]
	// faults is the place of the faults in the value; nil if they are returned.
	faults func(into *T) *commerce.Faults
	// readings are unused readings. A value that rows write to is on the heap.
	readings *sync.Pool
}

// reading is a body that is being read.
type reading[T any] struct {
	fields
	into T
}

// fields is an object whose fields are read one after another, with their faults. Of presence and type, a field reports the first
// rule that fails, and no later rule of the field is checked.
type fields struct {
	object strictjson.Value
	faults commerce.Faults
}

// Object is the body with these fields, in the order of the specification's table, in which the faults are reported. Unknown fields are
// ignored. The name is the one of the schema in the API's description.
func Object[T any](name string, rows ...Field[T]) *Body[T] {
	b := &Body[T]{Schema: openapi.Object(name), readings: &sync.Pool{New: func() any { return new(reading[T]) }}}
	for _, f := range rows {
		b.Schema = b.Schema.With(f.described)
		if f.reader.read != nil {
			b.readers = append(b.readers, f.reader)
		}
	}
	return b
}

// Form is an Object whose value carries the faults of its fields, because the record decides which further fields are needed, and
// reports all of them in its own order.
func Form[T any](name string, faults func(into *T) *commerce.Faults, rows ...Field[T]) *Body[T] {
	b := Object(name, rows...)
	b.faults = faults
	return b
}

// AllOptional is the body of a change: absent fields stay as they are.
func (b *Body[T]) AllOptional(name string) *Body[T] {
	all := *b
	all.Schema, all.readers = b.Schema.Optional(name), slices.Clone(b.readers)
	for i := range all.readers {
		r := &all.readers[i]
		if r.absent = nil; r.presence == required {
			r.presence = ifSent
		}
	}
	return &all
}

// Read reads a body. A fault is returned with the value, not instead of it, because the record is judged first.
func (b *Body[T]) Read(sent Sent) (value T, refusal *commerce.Refusal) {
	object, refusal := sent.Object()
	if refusal != nil {
		return value, refusal
	}
	r := b.readings.Get().(*reading[T])
	r.object = object
	b.read(&r.fields, &r.into)
	if b.faults != nil {
		*b.faults(&r.into) = r.faults
	} else {
		refusal = r.faults.Refusal()
	}
	value = r.into
	*r = reading[T]{}
	b.readings.Put(r)
	return value, refusal
}

// read reads all fields of an object.
func (b *Body[T]) read(f *fields, into *T) {
	for i := range b.readers {
		r := &b.readers[i]
		value, sent := f.object.Get(r.name)
		if sent && r.present != nil {
			*r.present(into) = true
		}
		presence := r.presence
		if r.needed != nil && r.needed(into) {
			presence = required
		}
		if !f.counts(presence, r.name, value, sent) {
			if !sent && r.absent != nil {
				r.absent(into)
			}
			continue
		}
		r.read(f, r.name, value, into)
		if r.noted != nil {
			*r.noted(into) = true
		}
	}
}

// below reads an object in a field. Its faults are those of the field's own fields.
func (b *Body[T]) below(f *fields, name string, object strictjson.Value, into *T) {
	outer := *f
	*f = fields{object: object}
	b.read(f, into)
	own := f.faults
	*f = outer
	f.faults.AddBelow(name, &own)
}

// counts reports whether a value counts as sent. It adds the fault of a required field without a value.
func (f *fields) counts(p presence, name string, value strictjson.Value, sent bool) bool {
	switch {
	case p == asked:
		return value.Kind() != strictjson.Null && !blank(value)
	case p == optional || !sent && p == ifSent:
		return sent
	case missing(value):
		f.faults.Add(name, commerce.MsgRequired(name))
		return false
	}
	return true
}

// missing reports whether a value counts as absent in a required field: null, a blank string, [] or
// {}.
func missing(value strictjson.Value) bool {
	switch value.Kind() {
	case strictjson.Null:
		return true
	case strictjson.String:
		return blank(value)
	case strictjson.Array, strictjson.Object:
		return emptyContainer(value)
	}
	return false
}

// blank reports whether a value is a string without visible characters, which counts as null.
func blank(value strictjson.Value) bool {
	if value.Kind() != strictjson.String {
		return false
	}
	if c := value[1]; c > ' ' && c <= '~' && c != '"' && c != '\\' { // begins with a visible character
		return false
	}
	return commerce.Trim(value.Text()) == ""
}

func emptyContainer(value strictjson.Value) bool {
	if kind := value.Kind(); kind != strictjson.Array && kind != strictjson.Object {
		return false
	}
	for range value.Items() {
		return false
	}
	for range value.Pairs() {
		return false
	}
	return true
}
