package bodies

import (
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// Kind is how values of a type are described, and how they are read from JSON.
type Kind[V any] struct {
	Schema *openapi.Schema
	// read writes a value that was sent into a field of this type, and adds its faults. The value is a copy.
	read func(f *fields, name string, value strictjson.Value, into *V)
	// absent is the value of a field that was not sent; nil if the field then stays as it is.
	absent *V
}

// Field is one member of the bodies that are read into values of type T.
type Field[T any] struct {
	described openapi.Field
	reader    reader[T]
}

// reader reads one member of a body.
type reader[T any] struct {
	name     string
	presence presence
	// read is nil if the row of another field reads this one.
	read func(f *fields, name string, value strictjson.Value, into *T)
	// absent sets the default; nil if there is none.
	absent func(into *T)
	// noted returns the member of the value that says whether the field was sent; nil if the value has none.
	noted func(into *T) *bool
	// present returns the member of the value that says whether the body has the field, null too; nil if the value has none.
	present func(into *T) *bool
	// needed reports whether a field that is optional by itself is required; nil if it never is.
	needed func(into *T) bool
}

// presence says which values count as sent, and which ones must be.
type presence uint8

const (
	// required: a missing value is a fault, and so is null, a blank text, [] or {}.
	required presence = iota
	// ifSent: the same, unless the field is absent.
	ifSent
	// optional: the field may be absent; its kind judges null.
	optional
	// asked: null and a blank text count as absent.
	asked
)

// Required is a field that every body needs: its name, its kind, a sentence about it ("" if the name says enough), and its place.
func Required[T, V any](name string, kind Kind[V], about string, at func(into *T) *V) Field[T] {
	return row(required, name, kind, about, at)
}

// Optional is a field that may be absent.
func Optional[T, V any](name string, kind Kind[V], about string, at func(into *T) *V) Field[T] {
	return row(optional, name, kind, about, at)
}

// Asked is a field that may be absent, null or blank, all of which mean the same.
func Asked[T, V any](name string, kind Kind[V], about string, at func(into *T) *V) Field[T] {
	kind.Schema = kind.Schema.OrNull()
	return row(asked, name, kind, about, at)
}

// Described is a required field that the row of another one reads.
func Described[T any](name string, schema *openapi.Schema, about string) Field[T] {
	return Field[T]{described: openapi.Field{Name: name, Schema: schema, About: about}}
}

// row is not compiled into each of its callers.
//
//go:noinline
func row[T, V any](presence presence, name string, kind Kind[V], about string, at func(into *T) *V) Field[T] {
	read, absent := kind.read, kind.absent
	f := Field[T]{
		openapi.Field{Name: name, Schema: kind.Schema, About: about, Optional: presence != required},
		reader[T]{name: name, presence: presence, read: func(f *fields, name string, value strictjson.Value, into *T) {
			read(f, name, value, at(into))
		}},
	}
	if absent != nil {
		f.reader.absent = func(into *T) { *at(into) = *absent }
	}
	return f
}

// IfSent is a required field as one that may be absent, but neither null nor blank.
func (f Field[T]) IfSent() Field[T] {
	f.described.Optional, f.reader.presence = true, ifSent
	return f
}

// RequiredIf is an optional field that is required in those bodies whose earlier fields fulfil a condition.
func (f Field[T]) RequiredIf(needed func(into *T) bool) Field[T] {
	f.reader.needed = needed
	return f
}

// Noted is the field with a place that says whether it was sent.
func (f Field[T]) Noted(at func(into *T) *bool) Field[T] {
	f.reader.noted = at
	return f
}

// Present is the field with a place that says whether the body has it, also with a value that counts as absent.
func (f Field[T]) Present(at func(into *T) *bool) Field[T] {
	f.reader.present = at
	return f
}

// Of are the fields of bodies of another type, in which a value of type U is found.
func Of[T, U any](rows []Field[U], at func(into *T) *U) []Field[T] {
	all := make([]Field[T], len(rows))
	for i, f := range rows {
		r := f.reader
		of := reader[T]{name: r.name, presence: r.presence, read: func(f *fields, name string, value strictjson.Value, into *T) {
			r.read(f, name, value, at(into))
		}}
		if r.absent != nil {
			of.absent = func(into *T) { r.absent(at(into)) }
		}
		if r.noted != nil {
			of.noted = func(into *T) *bool { return r.noted(at(into)) }
		}
		if r.present != nil {
			of.present = func(into *T) *bool { return r.present(at(into)) }
		}
		if r.needed != nil {
			of.needed = func(into *T) bool { return r.needed(at(into)) }
		}
		all[i] = Field[T]{f.described, of}
	}
	return all
}

// Rows are the fields of one group.
func Rows[T any](rows ...Field[T]) []Field[T] { return rows }

// OrNull is the kind with null for the zero value.
func OrNull[V any](kind Kind[V]) Kind[V] {
	read := kind.read
	kind.Schema = kind.Schema.OrNull()
	kind.read = func(f *fields, name string, value strictjson.Value, into *V) {
		if value.Kind() == strictjson.Null {
			var zero V
			*into = zero
			return
		}
		read(f, name, value, into)
	}
	return kind
}

// Pointer is the kind of values that are nil if the field was not sent.
func Pointer[V any](kind Kind[V]) Kind[*V] {
	pointer := Kind[*V]{Schema: kind.Schema, read: func(f *fields, name string, value strictjson.Value, into **V) {
		*into = new(V)
		kind.read(f, name, value, *into)
	}}
	if kind.absent != nil {
		pointer.absent = &kind.absent
	}
	return pointer
}

// Default is the kind with a value for absent fields.
func Default[V any](kind Kind[V], value V) Kind[V] {
	kind.Schema = kind.Schema.Default(value)
	return kind.IfAbsent(value)
}

// IfAbsent is the kind with a value for absent fields that the schema does not name.
func (k Kind[V]) IfAbsent(value V) Kind[V] {
	k.absent = &value
	return k
}

// Shaped is the kind with another schema.
func (k Kind[V]) Shaped(schema *openapi.Schema) Kind[V] {
	k.Schema = schema
	return k
}
