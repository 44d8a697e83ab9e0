package bodies

import (
	"cartd/internal/field"
)

// Kind is the kind of values that a body has.
type Kind[V any] = field.Kind[value, V]

// Field is a row of a body's table.
type Field[T any] = field.Field[value, T]

// noted is the field with a place that says whether it was sent.
func noted[T any](f Field[T], at func(into T) *bool) Field[T] {
	row := *f.Row
	row.Read = func(object value, into T) bool {
		sent := f.Read(object, into)
		if sent {
			*at(into) = true
		}
		return sent
	}
	return Field[T]{Row: &row}
}

// present is the field with a place that says whether the body has it, also with a value that counts as absent.
func present[T any](f Field[T], at func(into T) *bool) Field[T] {
	row, name := *f.Row, f.Described[0].Name
	row.Read = func(object value, into T) bool {
		if _, has := object.Get(name); has {
			*at(into) = true
		}
		return f.Read(object, into)
	}
	return Field[T]{Row: &row}
}

// requiredIf is a nullable field that is required in those bodies whose earlier fields fulfil a condition.
func requiredIf[T, V any](required func(into T) bool, name string, kind Kind[V], about string, at func(into T) *V) Field[T] {
	nullable, needed := field.Nullable(name, kind, about, at), field.Required(name, kind, about, at)
	row := *nullable.Row
	row.Read = func(object value, into T) bool {
		if required(into) {
			return needed.Read(object, into)
		}
		return nullable.Read(object, into)
	}
	return Field[T]{Row: &row}
}

// emptyIfNull is the kind of values that null makes empty.
func emptyIfNull[V any](kind Kind[V]) Kind[V] {
	read := kind.Read
	kind.Schema = kind.Schema.OrNull()
	kind.Read = func(v value, into *V) {
		if v.IsNull() {
			var zero V
			*into = zero
			return
		}
		read(v, into)
	}
	return kind
}
