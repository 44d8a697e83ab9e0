package answers

import (
	"slices"

	"cartd/internal/openapi"
)

// Field is one member of the objects that are made from values of type T, or several in a row (Of, If). It is one word, because tables of
// larger values compile slowly.
type Field[T any] struct{ *row[T] }

type row[T any] struct {
	described []openapi.Field
	writer    writer[T]
	// part makes the writer of several members behind a text, and returns the text that is left to write behind them.
	part func(ahead string) (write func(dst []byte, v T) []byte, rest string)
}

// writer writes one member of an object, or several.
type writer[T any] struct {
	// key is the text `,"name":`, with the value if that is always the same; append is nil then.
	key    string
	append func(dst []byte, v T) []byte
	// when reports whether the object of a value has the member; nil if it always has.
	when func(v T) bool
}

// Member is a field of every object: its name, its kind, a sentence about it ("" if the name says enough), and its place in what the
// object is made from.
func Member[T, V any](name string, kind Kind[V], about string, place func(v T) *V) Field[T] {
	write := kind.Append
	return field(name, kind.Schema, about, func(dst []byte, v T) []byte { return write(dst, *place(v)) })
}

// Value is a field whose value is made from what the object is made from.
func Value[T, V any](name string, kind Kind[V], about string, get func(v T) V) Field[T] {
	write := kind.Append
	return field(name, kind.Schema, about, func(dst []byte, v T) []byte { return write(dst, get(v)) })
}

// Self is a field whose value is the one that the object is made from.
func Self[T any](name string, kind Kind[T], about string) Field[T] {
	return field(name, kind.Schema, about, kind.Append)
}

// Constant is a field that has the same text in every object.
func Constant[T any](name, text, about string) Field[T] {
	f := field[T](name, openapi.Names(text), about, nil)
	f.writer.key = string(AppendString([]byte(f.writer.key), text))
	return f
}

// field is not compiled into each of its callers.
//
//go:noinline
func field[T any](name string, schema *openapi.Schema, about string, write func(dst []byte, v T) []byte) Field[T] {
	described := []openapi.Field{{Name: name, Schema: schema, About: about}}
	return Field[T]{&row[T]{described: described, writer: writer[T]{key: `,"` + name + `":`, append: write}}}
}

// If are fields of those objects only whose value fulfils a condition. The last of several is no constant.
func If[T any](when func(v T) bool, fields ...Field[T]) Field[T] {
	f := Group(fields...)
	if f.writer.when != nil {
		f = group(fields)
	}
	own := *f.row
	own.writer.when, own.described = when, optional(own.described)
	return Field[T]{&own}
}

// IfSet is a member of those objects only in which it has a value that is not zero.
func IfSet[T any, V comparable](name string, kind Kind[V], about string, place func(v T) *V) Field[T] {
	return If(func(v T) bool {
		var zero V
		return *place(v) != zero
	}, Member(name, kind, about, place))
}

// NullUnless are fields that are null in those objects whose value does not fulfil a condition.
func NullUnless[T any](when func(v T) bool, fields ...Field[T]) Field[T] {
	all := nullable(described(fields))
	return Field[T]{&row[T]{described: all, part: func(ahead string) (func(dst []byte, v T) []byte, string) {
		nulls := nullsOf(all, ahead)
		writers, rest := sequence(fields, ahead)
		return func(dst []byte, v T) []byte {
			if when(v) {
				return append(write(dst, writers, v), rest...)
			}
			return append(dst, nulls...)
		}, ""
	}}}
}

func nullable(fields []openapi.Field) []openapi.Field {
	for i := range fields {
		fields[i].Schema = fields[i].Schema.OrNull()
	}
	return fields
}

// nullsOf is the text of fields that are null, behind another text.
func nullsOf(fields []openapi.Field, text string) string {
	for _, f := range fields {
		text = after(text, `,"`+f.Name+`":null`)
	}
	return text
}

// after is the text of a field behind another text. The first one of an object is without the comma.
func after(text, field string) string {
	if text == "{" {
		field = field[1:]
	}
	return text + field
}

func optional(fields []openapi.Field) []openapi.Field {
	fields = slices.Clone(fields)
	for i := range fields {
		fields[i].Optional = true
	}
	return fields
}

// Of are the fields of a part, in the objects of what has it.
func Of[T, U any](fields []Field[U], part func(v T) U) Field[T] {
	return Field[T]{&row[T]{described: described(fields), part: func(ahead string) (func(dst []byte, v T) []byte, string) {
		writers, rest := sequence(fields, ahead)
		return func(dst []byte, v T) []byte { return write(dst, writers, part(v)) }, rest
	}}}
}

// Group is several fields as one.
func Group[T any](fields ...Field[T]) Field[T] {
	if len(fields) == 1 {
		return fields[0]
	}
	return group(fields)
}

func group[T any](fields []Field[T]) Field[T] {
	return Field[T]{&row[T]{described: described(fields), part: func(ahead string) (func(dst []byte, v T) []byte, string) {
		writers, rest := sequence(fields, ahead)
		return func(dst []byte, v T) []byte { return write(dst, writers, v) }, rest
	}}}
}

// Object is the kind of objects with these fields. The first field is not conditional. The name is the one of the schema in the API's
// description; without a name the schema is written in place.
func Object[T any](name string, fields ...Field[T]) Kind[T] {
	writers, rest := sequence(fields, "{")
	rest += "}"
	kind := Kind[T]{openapi.Object(name).With(described(fields)...), func(dst []byte, v T) []byte {
		return append(write(dst, writers, v), rest...)
	}}
	if only := writers[0]; len(writers) == 1 && only.append != nil { // as amounts with their currency
		kind.Append = func(dst []byte, v T) []byte { return append(only.append(append(dst, only.key...), v), rest...) }
	}
	return kind
}

func described[T any](fields []Field[T]) (all []openapi.Field) {
	for _, f := range fields {
		all = append(all, f.described...)
	}
	return all
}

// sequence returns the writers of fields behind a text, and the text that is left to write behind them. It is compiled for each T, layout once.
func sequence[T any](fields []Field[T], text string) ([]writer[T], string) {
	writers, l := make([]writer[T], 0, len(fields)), layout{text}
	for _, f := range fields {
		w := f.writer
		if w.when != nil && l.text != "" {
			writers = append(writers, writer[T]{key: l.take()})
		}
		if f.part != nil {
			if w.append, l.text = f.part(l.text); w.when != nil && l.text != "" {
				panic("answers: a conditional part ends with a constant")
			}
		} else {
			w.key = l.key(w.key, w.append == nil && w.when == nil)
		}
		if w.append != nil || w.when != nil {
			writers = append(writers, w)
		}
	}
	return writers, l.text
}

// layout is the text that stands ahead of the next value of an object.
type layout struct{ text string }

func (l *layout) take() (text string) {
	text, l.text = l.text, ""
	return text
}

// key is the text ahead of a member's value. That of a constant is part of the text ahead of the next value.
func (l *layout) key(key string, constant bool) string {
	l.text = after(l.text, key)
	if constant {
		return ""
	}
	return l.take()
}

func write[T any](dst []byte, writers []writer[T], v T) []byte {
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
	return dst
}

// Join is groups of fields in a row.
func Join[T any](groups ...[]Field[T]) []Field[T] { return slices.Concat(groups...) }

// Rows are the fields of one group.
func Rows[T any](fields ...Field[T]) []Field[T] { return fields }
