package answers

import (
	"slices"

	"cartd/internal/openapi"
)

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

// Object is the kind of objects with these fields. The first field is not conditional. The name is the one of the schema in the API's
// description; without a name the schema is written in place.
func Object[T any](name string, fields ...Field[T]) Kind[T] {
	schema := openapi.Object(name)
	var writers []writer[T]
	text := "{" // what stands ahead of the next value
	for i, f := range fields {
		schema = schema.With(f.described)
		w := f.writer
		if i == 0 {
			w.key = w.key[1:] // without the comma
		}
		if w.when == nil {
			w.key, text = text+w.key, ""
		} else if text != "" {
			writers, text = append(writers, writer[T]{key: text}), ""
		}
		if w.append == nil && w.when == nil {
			text = w.key
			continue
		}
		writers = append(writers, w)
	}
	text += "}"
	return Kind[T]{Schema: schema, Append: func(dst []byte, v T) []byte {
		for i := range writers {
			w := &writers[i]
			if w.when != nil && !w.when(v) {
				continue
			}
			dst = append(dst, w.key...)
			if w.append != nil {
				dst = w.append(dst, v)
			}
		}
		return append(dst, text...)
	}}
}

// Join is groups of fields in a row.
func Join[T any](groups ...[]Field[T]) []Field[T] { return slices.Concat(groups...) }

// Rows are the fields of one group.
func Rows[T any](fields ...Field[T]) []Field[T] { return fields }
