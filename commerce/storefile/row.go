package storefile

import (
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// row is a row of an object's table. Rows are read in their order.
type row[T any] = field.Field[value, T]

// described is a member that may be absent, and that a rule reads. describedRequired may not be absent, which the rule says.
func described[T, V any](name string, k kind[V], about string) row[*T] {
	return field.Described[value, *T](field.MayLack, name, k, about)
}

func describedRequired[T, V any](name string, k kind[V], about string) row[*T] {
	return field.Described[value, *T](field.Needed, name, k, about)
}

// rule reads or judges several members of an object.
func rule[T any](judge func(d *document, o value, v *T)) row[*T] { return shaping(judge, nil) }

// shaping is a rule with its part of the object's schema.
func shaping[T any](judge func(d *document, o value, v *T), shape func(s *openapi.Schema) *openapi.Schema) row[*T] {
	return field.Rule(func(o value, v *T) { judge(o.d, o, v) }, shape)
}

// objectKind is the kind of objects with these members, under a name in the schema.
func objectKind[T any](name string, rows ...row[*T]) kind[T] {
	known := field.Names(rows)
	k := kind[T]{Schema: field.Describe(openapi.Object("").Closed(), rows).Definition(name), Read: func(f value, v *T) {
		o := f.object()
		field.ReadAll(rows, o, v)
		o.closeWith(known)
	}}
	if field.HasDefaults(rows) {
		k.Absent = k.Read
	}
	return k
}

// exportedKind is objectKind with the form of the objects in an export.
func exportedKind[T any](name string, rows ...row[*T]) kind[T] {
	k, write := objectKind(name, rows...), field.Sparse(rows...)
	k.Append = func(dst []byte, v T) []byte { return write(dst, &v) }
	return k
}

// eitherOf is the rule that an object has exactly one of two members, with the reading of them.
func eitherOf[T any](a, b string, read func(d *document, o value, v *T)) row[*T] {
	return shaping(read, func(s *openapi.Schema) *openapi.Schema {
		return s.ExactlyOne(openapi.Anything.Has(a, openapi.Something, ""), openapi.Anything.Has(b, openapi.Something, ""))
	})
}

// formed is the rule of an object's forms. The member names the form; set gets its index.
func formed[T any](member string, all *forms, set func(v *T, form int)) row[*T] {
	return shaping(func(_ *document, o value, v *T) {
		f := o.get(member)
		if !all.always && f.absent() {
			o.misses(member)
		}
		set(v, o.form(f, all))
	}, func(s *openapi.Schema) *openapi.Schema { return s.ExactlyOne(all.schemas(member)...) })
}
