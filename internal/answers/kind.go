package answers

import "cartd/internal/field"

// Kind is the kind of values that an answer has.
type Kind[V any] = field.Kind[field.Written, V]

// Field is a row of an answer's table.
type Field[T any] = field.Field[field.Written, T]

// Constant is a field that has the same text in every object.
func Constant[T any](name, text, about string) Field[T] {
	return field.Constant[field.Written, T](name, text, about)
}
