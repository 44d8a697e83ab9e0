package answers

import (
	"iter"
	"slices"

	"cartd/internal/openapi"
)

// Kind is how values of a type are described, and how they are written as JSON.
type Kind[V any] struct {
	Schema *openapi.Schema
	Append func(dst []byte, v V) []byte
}

// Field is one member of the objects that are made from values of type T.
type Field[T any] struct {
	described openapi.Field
	writer    writer[T]
}

// writer writes one member of an object.
type writer[T any] struct {
	// key is the text `,"name":`, with the value if that is always the same; append is nil then.
	key    string
	append func(dst []byte, v T) []byte
	// when reports whether the object of a value has the member; nil if it always has.
	when func(v T) bool
}

// Member is a field of every object: its name, its kind, a sentence about it ("" if the name says enough), and its value.
func Member[T, V any](name string, kind Kind[V], about string, get func(v T) V) Field[T] {
	write := kind.Append
	return Field[T]{openapi.Field{Name: name, Schema: kind.Schema, About: about}, writer[T]{
		key:    `,"` + name + `":`,
		append: func(dst []byte, v T) []byte { return write(dst, get(v)) },
	}}
}

// Self is a field whose value is the one that the object is made from.
func Self[T any](name string, kind Kind[T], about string) Field[T] {
	return Field[T]{openapi.Field{Name: name, Schema: kind.Schema, About: about}, writer[T]{key: `,"` + name + `":`, append: kind.Append}}
}

// Constant is a field that has the same text in every object.
func Constant[T any](name, text, about string) Field[T] {
	return Field[T]{openapi.Field{Name: name, Schema: openapi.Names(text), About: about}, writer[T]{
		key: string(AppendString([]byte(`,"`+name+`":`), text)),
	}}
}

// If is the field as a member of those objects only whose value fulfils a condition.
func (f Field[T]) If(when func(v T) bool) Field[T] {
	f.writer.when, f.described.Optional = when, true
	return f
}

// onlyIf are fields that an object has together, or not at all.
func onlyIf[T any](when func(v T) bool, fields ...Field[T]) []Field[T] {
	for i := range fields {
		fields[i] = fields[i].If(when)
	}
	return fields
}

// Of are the fields of objects of another type, in which a value of type U is found.
func Of[T, U any](fields []Field[U], get func(v T) U) []Field[T] {
	all := make([]Field[T], len(fields))
	for i, f := range fields {
		of := &all[i]
		of.described, of.writer.key = f.described, f.writer.key
		if write := f.writer.append; write != nil {
			of.writer.append = func(dst []byte, v T) []byte { return write(dst, get(v)) }
		}
		if when := f.writer.when; when != nil {
			of.writer.when = func(v T) bool { return when(get(v)) }
		}
	}
	return all
}

// Object is the kind of objects with these fields. The name is the one of the schema in the API's description; without a name the schema
// is written in place.
func Object[T any](name string, fields ...Field[T]) Kind[T] {
	schema := openapi.Object(name)
	writers := make([]writer[T], len(fields))
	for i, f := range fields {
		schema, writers[i] = schema.With(f.described), f.writer
	}
	return Kind[T]{Schema: schema, Append: func(dst []byte, v T) []byte {
		dst = append(dst, '{')
		comma := 1 // the first key has none
		for i := range writers {
			w := &writers[i]
			if w.when != nil && !w.when(v) {
				continue
			}
			dst = append(dst, w.key[comma:]...)
			if w.append != nil {
				dst = w.append(dst, v)
			}
			comma = 0
		}
		return append(dst, '}')
	}}
}

// Join is groups of fields in a row.
func Join[T any](groups ...[]Field[T]) []Field[T] { return slices.Concat(groups...) }

// Rows are the fields of one group.
func Rows[T any](fields ...Field[T]) []Field[T] { return fields }

// List is the kind of lists whose entries are written from pointers to their elements.
func List[E, V any](entry Kind[V], view func(e *E) V) Kind[[]E] {
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

// Shaped is the kind with another schema.
func (k Kind[V]) Shaped(schema *openapi.Schema) Kind[V] {
	return Kind[V]{Schema: schema, Append: k.Append}
}

// comma writes the comma between entries: nothing at index 0.
func comma(dst []byte, index int) []byte {
	if index == 0 {
		return dst
	}
	return append(dst, ',')
}
