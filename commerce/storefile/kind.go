package storefile

import (
	"encoding/json"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// kind is the kind of values that a document has. An export writes keys and customers by their kinds, and copies the other parts of the
// kept document: their kinds are not written.
type kind[V any] = field.Kind[value, V]

// row is a row of an object's table. Rows are read in their order.
type row[T any] = field.Field[value, T]

// written is the kind with its form in an export.
func written[V any](k kind[V], form func(v V) any) kind[V] {
	k.Append = func(dst []byte, v V) []byte {
		text, _ := json.Marshal(form(v)) // cannot fail for texts, times and lists of texts
		return append(dst, text...)
	}
	return k
}

// unlessZero is the kind whose values an export writes as they are, except the zero value.
func unlessZero[V comparable](k kind[V]) kind[V] {
	k = written(k, func(v V) any { return v })
	k.Omit = func(v V) bool {
		var zero V
		return v == zero
	}
	return k
}

// judged is the kind of values that a function reads. An absent value is the zero value.
func judged[V any](schema *openapi.Schema, read func(f value) V) kind[V] {
	return kind[V]{Schema: schema, Read: func(f value, to *V) { *to = read(f) }}
}

// known is judged with a function that looks at the rest of the document.
func known[V any](schema *openapi.Schema, read func(d *document, f value) V) kind[V] {
	return kind[V]{Schema: schema, Read: func(f value, to *V) { *to = read(f.d, f) }}
}

// zero is the kind with the spelling of its zero value, which is that of absent members.
func zero[V any](k kind[V], spelling any) kind[V] {
	k.Default = spelling
	return k
}

// then is the kind with a check of a value that was read.
func then[V any](k kind[V], check func(d *document, f value, v *V)) kind[V] {
	read := k.Read
	k.Read = func(f value, to *V) {
		read(f, to)
		check(f.d, f, to)
	}
	return k
}

// ahead is the kind with a preparation of the document for a value that is about to be read.
func ahead[V any](k kind[V], prepare func(d *document)) kind[V] {
	read := k.Read
	k.Read = func(f value, to *V) {
		prepare(f.d)
		read(f, to)
	}
	return k
}

// marked is the kind of values of marked members.
func marked[V any](k kind[V], as openapi.Mark) kind[V] {
	return field.Shaped(k, k.Schema.Marked(as))
}

// atMost is the kind of lists with at most limit things.
func atMost[V any](k kind[V], limit int, things string) kind[V] {
	return then(schemaAtMost(k, limit), func(_ *document, f value, _ *V) { f.notMore(limit, things) })
}

// schemaAtMost is the kind of lists with at most limit entries, which a rule of the list judges.
func schemaAtMost[V any](k kind[V], limit int) kind[V] {
	return field.Shaped(k, k.Schema.MaxItems(limit))
}

// atMostNew is atMost for documents that are not from Redis.
func atMostNew[V any](k kind[V], limit int, things string) kind[V] {
	return then(schemaAtMost(k, limit), func(d *document, f value, _ *V) {
		if !d.kept {
			f.notMore(limit, things)
		}
	})
}

// filled is the kind of lists that are not empty.
func filled[V any](k kind[V]) kind[V] {
	return then(field.Shaped(k, k.Schema.MinItems(1)), func(_ *document, f value, _ *V) { f.notEmpty() })
}

// unique is the kind of values that are unique in a register of the document. It does not register zero values: they are absent or have a
// fault.
func unique[V comparable](k kind[V], in func(d *document) *register[V]) kind[V] {
	return then(k, func(d *document, f value, v *V) {
		var zero V
		if *v != zero {
			in(d).unique(f, *v)
		}
	})
}

// listOf is the kind of lists of such values. Each value is read in its place.
func listOf[V any](k kind[V]) kind[[]V] {
	all := kind[[]V]{Schema: openapi.List(k.Schema), Read: func(f value, to *[]V) { *to = listed(f, k.Read) }}
	if k.Append != nil {
		all.Append = field.Values(k).Append
		all.Omit = func(list []V) bool { return len(list) == 0 }
	}
	return all
}

// setOf is the kind of lists of names of a set. Spec: Scopes named.
func setOf[T interface {
	~uint8
	String() string
}](what string, all commerce.Set[T], parse func(name string) (T, bool)) kind[commerce.Set[T]] {
	return judged(openapi.List(openapi.Names(all.Names()...)), func(f value) (set commerce.Set[T]) {
		for item := range f.items() {
			name, isText := item.str()
			if member, known := parse(name); known {
				set = set.With(member)
			} else if isText {
				item.unknown(ofShape, "is not a known "+what, all.Names())
			}
		}
		return set
	})
}

// listed reads a list. It is a function of its own so that its loop is inlined, which saves the allocations of an iterator.
func listed[V any](f value, read func(f value, to *V)) (all []V) {
	for item := range f.items() {
		var v V
		all = append(all, v)
		read(item, &all[len(all)-1])
		if f.d.dropped > 0 { // the document is refused, and its content is not needed any more
			all = nil
		}
	}
	return all
}

// whole is the kind of whole numbers within bounds.
func whole[N ~int | ~int64](low, high int64) kind[N] { return wholeOf[N](low, high, 1) }

// wholeOf is whole for a unit: one is the N that the document calls 1.
func wholeOf[N ~int | ~int64](low, high int64, one N) kind[N] {
	return judged(openapi.Integer.Min(int(low)).Max(int(high)), func(f value) N {
		n, _ := f.within(low, high)
		return N(n) * one
	})
}

// wholeOr is wholeOf with a number for an absent value.
func wholeOr[N ~int | ~int64](low, high, absent int64, one N) kind[N] {
	return field.Default(wholeOf(low, high, one), N(absent)*one, absent)
}

// boolean is the kind of true and false.
func boolean(absent bool) kind[bool] {
	k := field.Default(judged(openapi.Boolean, func(f value) bool { return f.boolean(absent) }), absent, absent)
	if absent {
		return written(k, func(b bool) any { return b })
	}
	return unlessZero(k)
}

// word is the kind of names that package commerce stores as text; the first is that of an absent value.
func word(names ...string) kind[string] {
	return unlessZero(field.Default(judged(openapi.Names(names...), func(f value) string { return f.word(names...) }), names[0], names[0]))
}

// picked is the kind of names that package commerce stores as their index; the first is that of an absent value.
func picked[N ~uint8 | ~int](names []string) kind[N] {
	return zero(judged(openapi.Names(names...), func(f value) N {
		i, _ := f.pick(names)
		return N(i)
	}), names[0])
}

// described is a member that may be absent, and that a rule reads. describedRequired may not be absent, which the rule says.
func described[T, V any](name string, k kind[V], about string) row[*T] {
	return field.Described[value, *T](field.IsOptional, name, k, about)
}

func describedRequired[T, V any](name string, k kind[V], about string) row[*T] {
	return field.Described[value, *T](field.IsRequired, name, k, about)
}

// rule reads or judges several members of an object.
func rule[T any](judge func(d *document, o value, v *T)) row[*T] { return shaping(judge, nil) }

// shaping is a rule with its part of the object's schema.
func shaping[T any](judge func(d *document, o value, v *T), shape func(s *openapi.Schema) *openapi.Schema) row[*T] {
	return field.Rule(func(o value, v *T) { judge(o.d, o, v) }, shape)
}

// objectKind is the kind of objects with these members, under a name in the schema.
func objectKind[T any](name string, rows ...row[*T]) kind[T] {
	known := field.MemberNames(rows)
	k := kind[T]{Schema: field.Describe(openapi.Object("").Closed(), rows).Definition(name), Read: func(f value, v *T) {
		o := f.open()
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
