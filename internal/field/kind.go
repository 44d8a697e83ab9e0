package field

import (
	"iter"

	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// Kind is how the values of a type are described, read and written. S is what they are read from; Written for kinds that are only written.
type Kind[S, V any] struct {
	Schema *openapi.Schema
	// Read reads a value that was sent, and reports its faults to its source. It is nil for kinds that are only written.
	Read func(from S, into *V)
	// Append writes a value. It is nil for kinds that are only read.
	Append func(dst []byte, v V) []byte
	// Absent sets the value of an optional member that is absent. It is nil if the value then stays as it is.
	Absent func(at S, into *V)
	// Default is what Absent sets, in JSON; nil if the schema does not say it.
	Default any
	// Omit reports whether an optional member with this value is not written; nil if it always is.
	Omit func(v V) bool
}

// Shaped is the kind with another schema. Functions change kinds, not methods: methods are compiled for each V, also those that nothing
// calls, and there are many V.
func Shaped[S, V any](kind Kind[S, V], schema *openapi.Schema) Kind[S, V] {
	kind.Schema = schema
	return kind
}

// IfAbsent is the kind with a value for absent members that the schema does not name.
func IfAbsent[S, V any](kind Kind[S, V], value V) Kind[S, V] {
	kind.Absent = func(_ S, into *V) { *into = value }
	return kind
}

// Default is the kind with a value for absent members, and its spelling in JSON.
func Default[S, V any](kind Kind[S, V], value V, spelling any) Kind[S, V] {
	kind.Default = spelling
	return IfAbsent(kind, value)
}

// List is the kind of lists of objects, which are written from pointers to them.
func List[S, E any](entry Kind[S, *E]) Kind[S, []E] { return Viewed(entry, itself[*E]) }

// Values is the kind of lists of plain values.
func Values[S, V any](entry Kind[S, V]) Kind[S, []V] { return Viewed(entry, deref[V]) }

// Viewed is the kind of lists whose entries are made from their elements.
func Viewed[S, E, V any](entry Kind[S, V], view func(e *E) V) Kind[S, []E] {
	return Kind[S, []E]{Schema: openapi.List(entry.Schema), Append: func(dst []byte, list []E) []byte {
		dst = append(dst, '[')
		for i := range list {
			dst = entry.Append(Comma(dst, i), view(&list[i]))
		}
		return append(dst, ']')
	}}
}

// Counted is the kind of lists whose entries are found by their index.
func Counted[S, T, V any](entry Kind[S, V], count func(v T) int, at func(v T, i int) V) Kind[S, T] {
	return Kind[S, T]{Schema: openapi.List(entry.Schema), Append: func(dst []byte, v T) []byte {
		dst = append(dst, '[')
		for i := range count(v) {
			dst = entry.Append(Comma(dst, i), at(v, i))
		}
		return append(dst, ']')
	}}
}

// Sequence is the kind of lists whose entries are yielded one by one.
func Sequence[S, V any](entry Kind[S, V]) Kind[S, iter.Seq[V]] {
	return Kind[S, iter.Seq[V]]{Schema: openapi.List(entry.Schema), Append: func(dst []byte, all iter.Seq[V]) []byte {
		dst = append(dst, '[')
		i := 0
		for v := range all {
			dst = entry.Append(Comma(dst, i), v)
			i++
		}
		return append(dst, ']')
	}}
}

// Map is the kind of objects with any names, whose values are written from pointers to the elements of a list.
func Map[S, E, V any](value Kind[S, V], view func(e *E) (name string, v V)) Kind[S, []E] {
	return Kind[S, []E]{Schema: openapi.Map(value.Schema), Append: func(dst []byte, list []E) []byte {
		dst = append(dst, '{')
		for i := range list {
			name, v := view(&list[i])
			dst = value.Append(append(strictjson.AppendString(Comma(dst, i), name), ':'), v)
		}
		return append(dst, '}')
	}}
}

// itself and deref are the views of a value, or of the value that a pointer names.
func itself[V any](v V) V { return v }
func deref[V any](v *V) V { return *v }

// OrNull is the kind with null for the zero value.
func OrNull[S Source[S], V comparable](kind Kind[S, V]) Kind[S, V] {
	read, write := kind.Read, kind.Append
	kind.Schema = kind.Schema.OrNull()
	kind.Read = func(from S, into *V) {
		if from.IsNull() {
			var zero V
			*into = zero
			return
		}
		read(from, into)
	}
	kind.Append = func(dst []byte, v V) []byte {
		var zero V
		if v == zero {
			return append(dst, "null"...)
		}
		return write(dst, v)
	}
	return kind
}

// Pointer is the kind of pointers to values. A pointer that is nil stays so if the member is absent, and is written as null.
func Pointer[S, V any](kind Kind[S, V]) Kind[S, *V] {
	read, write, absent := kind.Read, kind.Append, kind.Absent
	pointer := Kind[S, *V]{Schema: kind.Schema, Default: kind.Default}
	if read != nil {
		pointer.Read = func(from S, into **V) {
			*into = new(V)
			read(from, *into)
		}
	}
	if absent != nil {
		pointer.Absent = func(at S, into **V) {
			*into = new(V)
			absent(at, *into)
		}
	}
	if write != nil {
		pointer.Schema = kind.Schema.OrNull()
		pointer.Append = func(dst []byte, v *V) []byte {
			if v == nil {
				return append(dst, "null"...)
			}
			return write(dst, *v)
		}
	}
	return pointer
}

// Maybe is a value that may be missing.
type Maybe[V any] struct {
	Value V
	There bool
}

// IfThere is the kind of values that may be missing, with null for a missing one.
func IfThere[S, V any](kind Kind[S, V]) Kind[S, Maybe[V]] {
	return Kind[S, Maybe[V]]{Schema: kind.Schema.OrNull(), Append: func(dst []byte, v Maybe[V]) []byte {
		if !v.There {
			return append(dst, "null"...)
		}
		return kind.Append(dst, v.Value)
	}}
}

// Comma writes the comma between entries: nothing at index 0.
func Comma(dst []byte, index int) []byte {
	if index == 0 {
		return dst
	}
	return append(dst, ',')
}
