package storefile

import (
	"slices"

	"cartd/internal/openapi"
)

// row is one member of the objects from which values of type T are read, or a rule about several members. Rows are read in their order.
type row[T any] struct {
	// outline has the member's name; empty for a rule.
	outline  outline
	required bool
	// always is true if an absent member is read too.
	always bool
	// read reads the member into v; nil if a rule reads it.
	read func(d *document, f field, v *T)
	// rule reads or judges several members; nil for a member.
	rule func(d *document, o object, v *T)
	// write is the JSON of the member in an export; nil if none writes it.
	write func(v *T) []byte
	// shape adds the row to the object's schema; nil if a schema cannot say it.
	shape func(s *openapi.Schema) *openapi.Schema
}

// member is a member that may be absent: its name, its kind, a sentence about it ("" if the name says enough), and its place.
func member[T, V any](name string, k kind[V], about string, place func(v *T) *V) row[T] {
	r := described[T](name, k, about)
	read := k.read
	r.read, r.always = func(d *document, f field, v *T) { read(d, f, place(v)) }, k.always
	if write := k.write; write != nil {
		r.write = func(v *T) []byte { return write(place(v)) }
	}
	return r
}

// required is a member that may not be absent.
func required[T, V any](name string, k kind[V], about string, place func(v *T) *V) row[T] {
	r := member(name, k, about, place)
	r.required, r.shape = true, mustHave(name, k.schema, about)
	return r
}

func mustHave(name string, schema *openapi.Schema, about string) func(s *openapi.Schema) *openapi.Schema {
	return func(s *openapi.Schema) *openapi.Schema { return s.Has(name, schema, about) }
}

// described is a member that a rule reads.
func described[T, V any](name string, k kind[V], about string) row[T] {
	schema := k.schema.OrNull()
	if k.fallback != nil {
		schema = schema.Default(k.fallback)
	}
	return row[T]{outline: k.outline.named(name), shape: func(s *openapi.Schema) *openapi.Schema { return s.May(name, schema, about) }}
}

// written is the member as an export writes it.
func (r row[T]) written(write func(v *T) []byte) row[T] {
	r.write = write
	return r
}

// describedRequired is a member that a rule reads and that may not be absent. The rule says so.
func describedRequired[T, V any](name string, k kind[V], about string) row[T] {
	return row[T]{outline: k.outline.named(name), shape: mustHave(name, k.schema, about)}
}

// rule reads or judges several members.
func rule[T any](judge func(d *document, o object, v *T)) row[T] { return row[T]{rule: judge} }

// shaped is the rule with its part of the object's schema.
func (r row[T]) shaped(shape func(s *openapi.Schema) *openapi.Schema) row[T] {
	r.shape = shape
	return r
}

// of are the rows of a part of values of type T.
func of[T, U any](rows []row[U], part func(v *T) *U) []row[T] {
	all := make([]row[T], len(rows))
	for i, r := range rows {
		all[i] = row[T]{outline: r.outline, required: r.required, always: r.always, shape: r.shape}
		if r.read != nil {
			all[i].read = func(d *document, f field, v *T) { r.read(d, f, part(v)) }
		}
		if r.write != nil {
			all[i].write = func(v *T) []byte { return r.write(part(v)) }
		}
		if r.rule != nil {
			all[i].rule = func(d *document, o object, v *T) { r.rule(d, o, part(v)) }
		}
	}
	return all
}

// objectKind is the kind of objects with these members, under a name in the schema.
func objectKind[T any](name string, rows ...row[T]) kind[T] {
	schema := openapi.Object("").Closed()
	k := kind[T]{}
	var members []row[T] // those of an export
	for _, r := range rows {
		if r.shape != nil {
			schema = r.shape(schema)
		}
		if r.write != nil {
			members = append(members, r)
		}
		k.always = k.always || r.always
		if r.outline.marks != 0 || r.outline.members != nil {
			k.outline.members = append(k.outline.members, r.outline)
		}
	}
	k.write = func(v *T) []byte {
		text := []byte{'{'}
		for i := range members {
			value := members[i].write(v)
			if value == nil {
				continue
			}
			if len(text) > 1 {
				text = append(text, ',')
			}
			text = append(append(AppendText(text, members[i].outline.name), ':'), value...)
		}
		return append(text, '}')
	}
	known := names(rows)
	rows = slices.DeleteFunc(slices.Clone(rows), func(r row[T]) bool { return r.read == nil && r.rule == nil })
	k.schema = schema.Definition(name)
	k.read = func(d *document, f field, v *T) {
		o := f.object()
		for i := range rows {
			r := &rows[i]
			if r.rule != nil {
				r.rule(d, o, v)
				continue
			}
			value := o.find(r.outline.name)
			if r.required && value.absent() {
				o.misses(r.outline.name)
			}
			if r.always || !value.absent() {
				r.read(d, value, v)
			}
		}
		o.closeWith(known)
	}
	return k
}

// names are those of the members, in the order of the rows.
func names[T any](rows []row[T]) (all []string) {
	for _, r := range rows {
		if r.outline.name != "" {
			all = append(all, r.outline.name)
		}
	}
	return all
}

// eitherOf is the rule that an object has exactly one of two members, with the reading of them.
func eitherOf[T any](a, b string, read func(d *document, o object, v *T)) row[T] {
	return rule(read).shaped(func(s *openapi.Schema) *openapi.Schema {
		return s.ExactlyOne(openapi.Anything.Has(a, openapi.Something, ""), openapi.Anything.Has(b, openapi.Something, ""))
	})
}

// formed is the rule of an object's forms. The member names the form; set gets its index.
func formed[T any](member string, all *forms, set func(v *T, form int)) row[T] {
	return rule(func(_ *document, o object, v *T) {
		f := o.get(member)
		if !all.always && f.absent() {
			o.misses(member)
		}
		set(v, o.form(f, all))
	}).shaped(func(s *openapi.Schema) *openapi.Schema { return s.ExactlyOne(all.schemas(member)...) })
}
