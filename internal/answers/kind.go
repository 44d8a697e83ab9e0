package answers

import (
	"iter"

	"cartd/internal/openapi"
)

// Kind is how values of a type are described, and how they are written as JSON.
type Kind[V any] struct {
	Schema *openapi.Schema
	Append func(dst []byte, v V) []byte
}

// List is the kind of lists of objects.
func List[E any](entry Kind[*E]) Kind[[]E] { return Viewed(entry, itself[*E]) }

// Values is the kind of lists of plain values.
func Values[V any](entry Kind[V]) Kind[[]V] { return Viewed(entry, deref[V]) }

// Viewed is the kind of lists whose entries are made from their elements.
func Viewed[E, V any](entry Kind[V], view func(e *E) V) Kind[[]E] {
	return Kind[[]E]{Schema: openapi.List(entry.Schema), Append: func(dst []byte, list []E) []byte {
		dst = append(dst, '[')
		for i := range list {
			dst = entry.Append(comma(dst, i), view(&list[i]))
		}
		return append(dst, ']')
	}}
}

// Counted is the kind of lists whose entries are found by their index.
func Counted[T, V any](entry Kind[V], count func(v T) int, at func(v T, i int) V) Kind[T] {
	return Kind[T]{Schema: openapi.List(entry.Schema), Append: func(dst []byte, v T) []byte {
		dst = append(dst, '[')
		for i := range count(v) {
			dst = entry.Append(comma(dst, i), at(v, i))
		}
		return append(dst, ']')
	}}
}

// Sequence is the kind of lists whose entries are yielded one by one.
func Sequence[V any](entry Kind[V]) Kind[iter.Seq[V]] {
	return Kind[iter.Seq[V]]{Schema: openapi.List(entry.Schema), Append: func(dst []byte, all iter.Seq[V]) []byte {
		dst = append(dst, '[')
		i := 0
		for v := range all {
			dst = entry.Append(comma(dst, i), v)
			i++
		}
		return append(dst, ']')
	}}
}

// Map is the kind of objects with any names, whose values are written from pointers to the elements of a list.
func Map[E, V any](value Kind[V], view func(e *E) (name string, v V)) Kind[[]E] {
	return Kind[[]E]{Schema: openapi.Map(value.Schema), Append: func(dst []byte, list []E) []byte {
		dst = append(dst, '{')
		for i := range list {
			name, v := view(&list[i])
			dst = value.Append(append(AppendString(comma(dst, i), name), ':'), v)
		}
		return append(dst, '}')
	}}
}

// itself and deref are the views of a value, or of the value that a pointer names.
func itself[V any](v V) V { return v }
func deref[V any](v *V) V { return *v }

// OrNull is the kind with null for the zero value.
func OrNull[V comparable](kind Kind[V]) Kind[V] {
	var zero V
	return Kind[V]{Schema: kind.Schema.OrNull(), Append: func(dst []byte, v V) []byte {
		if v == zero {
			return append(dst, "null"...)
		}
		return kind.Append(dst, v)
	}}
}

// Pointer is the kind of pointers to values, with null for nil.
func Pointer[V any](kind Kind[V]) Kind[*V] {
	return Kind[*V]{Schema: kind.Schema.OrNull(), Append: func(dst []byte, v *V) []byte {
		if v == nil {
			return append(dst, "null"...)
		}
		return kind.Append(dst, *v)
	}}
}

// Maybe is a value that may be missing.
type Maybe[V any] struct {
	Value V
	There bool
}

// IfThere is the kind of values that may be missing, with null for a missing one.
func IfThere[V any](kind Kind[V]) Kind[Maybe[V]] {
	return Kind[Maybe[V]]{Schema: kind.Schema.OrNull(), Append: func(dst []byte, v Maybe[V]) []byte {
		if !v.There {
			return append(dst, "null"...)
		}
		return kind.Append(dst, v.Value)
	}}
}

// Shaped is the kind with another schema. It is no method, because methods are compiled for each V.
func Shaped[V any](kind Kind[V], schema *openapi.Schema) Kind[V] {
	return Kind[V]{Schema: schema, Append: kind.Append}
}

// comma writes the comma between entries: nothing at index 0.
func comma(dst []byte, index int) []byte {
	if index == 0 {
		return dst
	}
	return append(dst, ',')
}
