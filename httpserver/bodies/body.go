package bodies

import (
	"slices"
	"sync"

	"cartd/commerce"
	"cartd/internal/field"
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

// Kind is the kind of values that a body has.
type Kind[V any] = field.Kind[value, V]

// Field is a row of a body's table.
type Field[T any] = field.Field[value, T]

// Body is a table of fields.
type Body[T any] struct {
	Schema *openapi.Schema
	fields []Field[*T]
	// faults is the place of the faults in the value; nil if they are returned.
	faults func(into *T) *commerce.Faults
	// isChange is true if absent fields stay as they are.
	isChange bool
	// readings are unused readings. A value that rows write to is on the heap.
	readings *sync.Pool
}

// reading is a body that is being read.
type reading[T any] struct {
	faults commerce.Faults
	into   T
}

// value is a value that is being read. An object has its fields read one after another. Of presence and type, a field reports the first
// rule that fails, and no later rule of the field is checked.
type value struct {
	strictjson.Value
	name   string // of the field that has its faults
	faults *commerce.Faults
	// isChange is true for an object whose absent fields stay as they are.
	isChange bool
}

// Object is the body with these fields, in the order of the specification's table, in which the faults are reported. Unknown fields are
// ignored. The name is the one of the schema in the API's description.
func Object[T any](name string, fields ...Field[*T]) *Body[T] {
	return &Body[T]{
		Schema: field.Describe(openapi.Object(name), fields), fields: fields,
		readings: &sync.Pool{New: func() any { return new(reading[T]) }},
	}
}

// Form is an Object whose value carries the faults of its fields, because the record decides which further fields are needed, and
// reports all of them in its own order.
func Form[T any](name string, faults func(into *T) *commerce.Faults, fields ...Field[*T]) *Body[T] {
	b := Object(name, fields...)
	b.faults = faults
	return b
}

// AllOptional is the body of a change: absent fields stay as they are.
func (b *Body[T]) AllOptional(name string) *Body[T] {
	all := *b
	all.Schema, all.isChange = b.Schema.Optional(name), true
	return &all
}

// Read reads a body. A fault is returned with the value, not instead of it, because the record is judged first.
func (b *Body[T]) Read(sent Sent) (into T, refusal *commerce.Refusal) {
	object, refusal := sent.Object()
	if refusal != nil {
		return into, refusal
	}
	r := b.readings.Get().(*reading[T])
	b.read(object, &r.faults, &r.into)
	if b.faults != nil {
		*b.faults(&r.into) = r.faults
	} else {
		refusal = r.faults.Refusal()
	}
	into = r.into
	*r = reading[T]{}
	b.readings.Put(r)
	return into, refusal
}

// read reads all fields of an object.
func (b *Body[T]) read(object strictjson.Value, faults *commerce.Faults, into *T) {
	field.ReadAll(b.fields, value{Value: object, faults: faults, isChange: b.isChange}, into)
}

// entry reads an entry of a list, which has faults of its own. An empty list counts as an empty object.
func (b *Body[T]) entry(item strictjson.Value) (into T, fault *commerce.Refusal) {
	switch {
	case item.Kind() == strictjson.Object || emptyContainer(item):
		return b.Read(Sent{value: item})
	case b.faults != nil:
		b.faults(&into).Add("", commerce.MsgArray(""))
		return into, nil
	}
	return into, commerce.FaultOf("", commerce.MsgArray(""))
}

// formEntry is entry for a Form, whose value has its faults.
func (b *Body[T]) formEntry(item strictjson.Value) T {
	form, _ := b.entry(item)
	return form
}

// listOf is the kind of lists of at most limit bodies, each with faults of its own.
func listOf[L ~[]E, E, B any](entry *Body[B], limit int, read func(item strictjson.Value) E) Kind[L] {
	return Kind[L]{Schema: openapi.List(entry.Schema).MaxItems(limit), Read: func(v value, into *L) {
		switch n := v.Len(); {
		case v.Kind() != strictjson.Array:
			v.fault(commerce.MsgArray(v.name))
		case n > limit:
			v.fault(commerce.MsgMaxItems(v.name, limit))
		default:
			*into = make(L, 0, n)
			for _, item := range v.Items() {
				*into = append(*into, read(item))
			}
		}
	}}
}

// below reads an object in a field. Its faults are those of the field's own fields.
func (b *Body[T]) below(v value, into *T) {
	outer := *v.faults
	*v.faults = commerce.Faults{}
	b.read(v.Value, v.faults, into)
	own := *v.faults
	*v.faults = outer
	v.faults.AddBelow(v.name, &own)
}

// IsNull reports whether the value is null.
func (v value) IsNull() bool { return v.Kind() == strictjson.Null }

// Member finds a field of an object.
func (v value) Member(name string, presence field.Presence) (value, field.Found) {
	json, there := v.Get(name)
	member := value{Value: json, name: name, faults: v.faults}
	if v.isChange && presence == field.IsRequired {
		presence = field.IsRequiredIfSent
	}
	switch {
	case !there && presence != field.IsRequired && v.isChange:
		return member, field.Untouched
	case !there && presence != field.IsRequired:
		return member, field.Absent
	case presence == field.IsOptional && (member.IsNull() || blank(json)):
		return member, field.Untouched
	case (presence == field.IsRequired || presence == field.IsRequiredIfSent) && !member.isThere():
		return member, field.Untouched
	}
	return member, field.Sent
}

// isThere adds the fault of a required field without a value, and reports whether it has one.
func (v value) isThere() bool {
	if missing(v.Value) {
		v.faults.Add(v.name, commerce.MsgRequired(v.name))
		return false
	}
	return true
}

// fault adds a fault of the field.
func (v value) fault(message commerce.Message) { v.faults.Add(v.name, message) }

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
