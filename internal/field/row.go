package field

import (
	"slices"

	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// Field is one member of the objects that are made from values of type T, or read into them; or several in a row (Of, If), or a rule about
// members. It is one word, because tables of larger values compile slowly.
type Field[S, T any] struct{ *Row[S, T] }

// Row is what a field says and does.
type Row[S, T any] struct {
	// Described are the members in the object's description.
	Described []openapi.Field
	// Shape adds more than members to that description; nil if there is no more.
	Shape func(s *openapi.Schema) *openapi.Schema
	// Read reads the members of an object into a value, and reports whether the one was sent. It is nil for fields that are only written.
	Read func(object S, into T) bool
	// HasDefault is true if a member that is absent has a value.
	HasDefault bool
	// writer writes the member; zero for fields that are only read.
	writer writer[T]
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

// Member is a field of every object that is written: its name, its kind, a sentence about it ("" if the name says enough), and its place in
// what the object is made from.
func Member[S, T, V any](name string, kind Kind[S, V], about string, place func(v T) *V) Field[S, T] {
	write := kind.Append
	return written[S](name, kind.Schema, about, func(dst []byte, v T) []byte { return write(dst, *place(v)) })
}

// Value is a field whose value is made from what the object is made from.
func Value[S, T, V any](name string, kind Kind[S, V], about string, get func(v T) V) Field[S, T] {
	write := kind.Append
	return written[S](name, kind.Schema, about, func(dst []byte, v T) []byte { return write(dst, get(v)) })
}

// Self is a field whose value is the one that the object is made from.
func Self[S, T any](name string, kind Kind[S, T], about string) Field[S, T] {
	return written[S](name, kind.Schema, about, kind.Append)
}

// Constant is a field that has the same text in every object.
func Constant[S, T any](name, text, about string) Field[S, T] {
	f := written[S, T](name, openapi.Names(text), about, nil)
	f.writer.key = string(strictjson.AppendString([]byte(f.writer.key), text))
	return f
}

// written is not compiled into each of its callers.
//
//go:noinline
func written[S, T any](name string, schema *openapi.Schema, about string, write func(dst []byte, v T) []byte) Field[S, T] {
	described := []openapi.Field{{Name: name, Schema: schema, About: about}}
	return Field[S, T]{&Row[S, T]{Described: described, writer: writer[T]{key: `,"` + name + `":`, append: write}}}
}

// Required is a member that objects must have which are read: its name, its kind, a sentence about it ("" if the name says enough), and its
// place in what they are read into.
func Required[S Source[S], T, V any](name string, kind Kind[S, V], about string, place func(v T) *V) Field[S, T] {
	return Read(IsRequired, name, kind, about, place)
}

// Nullable is a member that may be absent. Its kind reads null.
func Nullable[S Source[S], T, V any](name string, kind Kind[S, V], about string, place func(v T) *V) Field[S, T] {
	return Read(IsNullable, name, kind, about, place)
}

// Optional is a member that may be absent or null, which mean the same.
func Optional[S Source[S], T, V any](name string, kind Kind[S, V], about string, place func(v T) *V) Field[S, T] {
	return Read(IsOptional, name, kind, about, place)
}

// Described is a member that the row of another one, or a rule, reads.
func Described[S, T, V any](presence Presence, name string, kind Kind[S, V], about string) Field[S, T] {
	schema := kind.Schema
	if presence == IsOptional {
		schema = schema.OrNull()
	}
	if kind.Default != nil && presence != IsRequired {
		schema = schema.Default(kind.Default)
	}
	described := []openapi.Field{{Name: name, Schema: schema, About: about, Optional: presence != IsRequired}}
	return Field[S, T]{&Row[S, T]{Described: described}}
}

// Read is a member that is read, and written as well if its kind says how. It is not compiled into each of its callers.
//
//go:noinline
func Read[S Source[S], T, V any](presence Presence, name string, kind Kind[S, V], about string, place func(v T) *V) Field[S, T] {
	f := Described[S, T](presence, name, kind, about)
	read, absent := kind.Read, kind.Absent
	f.HasDefault = absent != nil
	f.Read = func(object S, into T) bool {
		value, found := object.Member(name, presence)
		switch {
		case found == Sent:
			read(value, place(into))
		case found == Absent && absent != nil:
			absent(value, place(into))
		}
		return found == Sent
	}
	if write, omit := kind.Append, kind.Omit; write != nil {
		f.writer = writer[T]{key: `,"` + name + `":`, append: func(dst []byte, v T) []byte { return write(dst, *place(v)) }}
		if omit != nil {
			f.writer.when = func(v T) bool { return !omit(*place(v)) }
		}
	}
	return f
}

// Rule reads or judges several members. Its description is added by shape, which may be nil.
func Rule[S, T any](judge func(object S, v T), shape func(s *openapi.Schema) *openapi.Schema) Field[S, T] {
	return Field[S, T]{&Row[S, T]{Shape: shape, Read: func(object S, v T) bool {
		judge(object, v)
		return true
	}}}
}

// If are fields of those objects only whose value fulfils a condition. The last of several is no constant.
func If[S, T any](when func(v T) bool, fields ...Field[S, T]) Field[S, T] {
	f := Group(fields...)
	if f.writer.when != nil {
		f = group(fields)
	}
	own := *f.Row
	own.writer.when, own.Described = when, optional(own.Described)
	return Field[S, T]{&own}
}

// IfSet is a member of those objects only in which it has a value that is not zero.
func IfSet[S, T any, V comparable](name string, kind Kind[S, V], about string, place func(v T) *V) Field[S, T] {
	return If(func(v T) bool {
		var zero V
		return *place(v) != zero
	}, Member(name, kind, about, place))
}

// NullUnless are fields that are null in those objects whose value does not fulfil a condition.
func NullUnless[S, T any](when func(v T) bool, fields ...Field[S, T]) Field[S, T] {
	all := nullable(Description(fields))
	return Field[S, T]{&Row[S, T]{Described: all, part: func(ahead string) (func(dst []byte, v T) []byte, string) {
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
func Of[S, T, U any](fields []Field[S, U], part func(v T) U) Field[S, T] {
	own, reads, writes := &Row[S, T]{Described: Description(fields), Shape: shapeOf(fields), HasDefault: HasDefaults(fields)}, false, false
	for _, f := range fields {
		reads, writes = reads || f.Read != nil, writes || f.part != nil || f.writer.key != ""
	}
	if reads {
		own.Read = func(object S, into T) bool {
			ReadAll(fields, object, part(into))
			return true
		}
	}
	if writes {
		own.part = func(ahead string) (func(dst []byte, v T) []byte, string) {
			writers, rest := sequence(fields, ahead)
			return func(dst []byte, v T) []byte { return write(dst, writers, part(v)) }, rest
		}
	}
	return Field[S, T]{own}
}

// Group is several fields as one.
func Group[S, T any](fields ...Field[S, T]) Field[S, T] {
	if len(fields) == 1 {
		return fields[0]
	}
	return group(fields)
}

func group[S, T any](fields []Field[S, T]) Field[S, T] { return Of(fields, itself[T]) }

// Object is the kind of objects with these fields that are written. The first field is not conditional. The name is the one of the schema
// in the API's description; without a name the schema is written in place.
func Object[S, T any](name string, fields ...Field[S, T]) Kind[S, T] {
	writers, rest := sequence(fields, "{")
	rest += "}"
	kind := Kind[S, T]{Schema: openapi.Object(name).With(Description(fields)...), Append: func(dst []byte, v T) []byte {
		return append(write(dst, writers, v), rest...)
	}}
	if only := writers[0]; len(writers) == 1 && only.append != nil { // as amounts with their currency
		kind.Append = func(dst []byte, v T) []byte { return append(only.append(append(dst, only.key...), v), rest...) }
	}
	return kind
}

// Sparse is how objects with these fields are written if each of them is conditional.
func Sparse[S, T any](fields ...Field[S, T]) func(dst []byte, v T) []byte {
	writers, rest := sequence(fields, "")
	return func(dst []byte, v T) []byte {
		start := len(dst)
		dst = append(write(dst, writers, v), rest...)
		if len(dst) == start {
			return append(dst, "{}"...)
		}
		dst[start] = '{' // in place of the first comma
		return append(dst, '}')
	}
}

// ReadAll reads the fields of an object into a value, in their order.
func ReadAll[S, T any](fields []Field[S, T], object S, into T) {
	for _, f := range fields {
		if f.Read != nil {
			f.Read(object, into)
		}
	}
}

// HasDefaults reports whether a member that is absent has a value.
func HasDefaults[S, T any](fields []Field[S, T]) bool {
	for _, f := range fields {
		if f.HasDefault {
			return true
		}
	}
	return false
}

// Description is what descriptions say of the members.
func Description[S, T any](fields []Field[S, T]) (all []openapi.Field) {
	for _, f := range fields {
		all = append(all, f.Described...)
	}
	return all
}

// MemberNames are the names of the members, in the order of the fields.
func MemberNames[S, T any](fields []Field[S, T]) (all []string) {
	for _, f := range Description(fields) {
		all = append(all, f.Name)
	}
	return all
}

// Describe adds the fields to the schema of an object.
func Describe[S, T any](s *openapi.Schema, fields []Field[S, T]) *openapi.Schema {
	for _, f := range fields {
		if f.Shape != nil {
			s = f.Shape(s)
		} else {
			s = s.With(f.Described...)
		}
	}
	return s
}

// shapeOf is the shape of a row of several fields; nil if they are members only.
func shapeOf[S, T any](fields []Field[S, T]) func(s *openapi.Schema) *openapi.Schema {
	if !slices.ContainsFunc(fields, func(f Field[S, T]) bool { return f.Shape != nil }) {
		return nil
	}
	return func(s *openapi.Schema) *openapi.Schema { return Describe(s, fields) }
}

// sequence returns the writers of fields behind a text, and the text that is left to write behind them. It is compiled for each T, layout once.
func sequence[S, T any](fields []Field[S, T], text string) ([]writer[T], string) {
	writers, l := make([]writer[T], 0, len(fields)), layout{text}
	for _, f := range fields {
		w := f.writer
		if f.part == nil && w.key == "" { // it is only read
			continue
		}
		if w.when != nil && l.text != "" {
			writers = append(writers, writer[T]{key: l.take()})
		}
		if f.part != nil {
			if w.append, l.text = f.part(l.text); w.when != nil && l.text != "" {
				panic("field: a conditional part ends with a constant")
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

// Rows are the fields of one group.
func Rows[S, T any](fields ...Field[S, T]) []Field[S, T] { return fields }

// AppendValue writes the value of a member alone.
func AppendValue[S, T any](dst []byte, f Field[S, T], v T) []byte { return f.writer.append(dst, v) }
