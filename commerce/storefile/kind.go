package storefile

import (
	"encoding/json"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// kind is how values of a type are read, and what the document's schema says of them. Functions change kinds, not methods: methods are
// compiled for each V, also those that nothing calls, and there are many V.
type kind[V any] struct {
	schema *openapi.Schema
	read   func(d *document, f field, to *V)
	// fallback is the value of an absent member as a document spells it; nil if the schema names none.
	fallback any
	// always is true if an absent value is read too, because it is not the zero value of V.
	always bool
	// write is the JSON of a value in an export, nil if its member is left out. An export writes keys and customers by it, and copies
	// the other parts of the kept document. The function is nil for kinds that only those have.
	write func(v *V) []byte
	// outline is not embedded, for each V would have its methods.
	outline outline
}

// written is the kind with its form in an export.
func written[V any](k kind[V], form func(v V) any) kind[V] {
	k.write = func(v *V) []byte {
		text, _ := json.Marshal(form(*v)) // cannot fail for texts, times and lists of texts
		return text
	}
	return k
}

// unlessZero is the kind whose values an export writes as they are, except the zero value.
func unlessZero[V comparable](k kind[V]) kind[V] {
	write := written(k, func(v V) any { return v }).write
	k.write = func(v *V) []byte {
		var zero V
		if *v == zero {
			return nil
		}
		return write(v)
	}
	return k
}

// judged is the kind of values that a function reads. An absent value is the zero value.
func judged[V any](schema *openapi.Schema, read func(f field) V) kind[V] {
	return kind[V]{schema: schema, read: func(_ *document, f field, to *V) { *to = read(f) }}
}

// known is judged with a function that looks at the rest of the document.
func known[V any](schema *openapi.Schema, read func(d *document, f field) V) kind[V] {
	return kind[V]{schema: schema, read: func(d *document, f field, to *V) { *to = read(d, f) }}
}

// or is the kind with the spelling of the value that its function returns for an absent member.
func or[V any](k kind[V], fallback any) kind[V] {
	k.fallback, k.always = fallback, true
	return k
}

// instead is the kind with another value for an absent member, and its spelling.
func instead[V any](k kind[V], absent V, spelling any) kind[V] {
	read := k.read
	k.read = func(d *document, f field, to *V) {
		if *to = absent; !f.absent() {
			read(d, f, to)
		}
	}
	return or(k, spelling)
}

// zero is the kind with the spelling of its zero value, which is that of absent members.
func zero[V any](k kind[V], spelling any) kind[V] {
	k.fallback = spelling
	return k
}

// then is the kind with a check of a value that was read.
func then[V any](k kind[V], check func(d *document, f field, v *V)) kind[V] {
	read := k.read
	k.read = func(d *document, f field, to *V) {
		read(d, f, to)
		check(d, f, to)
	}
	return k
}

// ahead is the kind with a preparation of the document for a value that is about to be read.
func ahead[V any](k kind[V], prepare func(d *document)) kind[V] {
	read := k.read
	k.read = func(d *document, f field, to *V) {
		prepare(d)
		read(d, f, to)
	}
	return k
}

// atMost is the kind of lists with at most limit things.
func atMost[V any](k kind[V], limit int, things string) kind[V] {
	k.schema = k.schema.MaxItems(limit)
	return then(k, func(_ *document, f field, _ *V) { f.notMore(limit, things) })
}

// schemaAtMost is the kind of lists with at most limit entries, which a rule of the list judges.
func schemaAtMost[V any](k kind[V], limit int) kind[V] {
	k.schema = k.schema.MaxItems(limit)
	return k
}

// atMostNew is atMost for documents that are not from Redis.
func atMostNew[V any](k kind[V], limit int, things string) kind[V] {
	k.schema = k.schema.MaxItems(limit)
	return then(k, func(d *document, f field, _ *V) {
		if !d.kept {
			f.notMore(limit, things)
		}
	})
}

// filled is the kind of lists that are not empty.
func filled[V any](k kind[V]) kind[V] {
	k.schema = k.schema.MinItems(1)
	return then(k, func(_ *document, f field, _ *V) { f.notEmpty() })
}

// unique is the kind of values that are unique in a register of the document. It does not register zero values: they are absent or have a
// fault.
func unique[V comparable](k kind[V], in func(d *document) *register[V]) kind[V] {
	return then(k, func(d *document, f field, v *V) {
		var zero V
		if *v != zero {
			in(d).unique(f, *v)
		}
	})
}

// orNil is the kind of pointers to values, nil for an absent one.
func orNil[V any](k kind[V]) kind[*V] {
	return kind[*V]{schema: k.schema, outline: k.outline, read: func(d *document, f field, to **V) {
		*to = new(V)
		k.read(d, f, *to)
	}}
}

// listOf is the kind of lists of such values. Each value is read in its place.
func listOf[V any](k kind[V]) kind[[]V] {
	all := kind[[]V]{schema: openapi.List(k.schema), outline: k.outline}
	all.read = func(d *document, f field, to *[]V) { *to = listed(d, f, k.read) }
	if k.write != nil {
		all.write = func(list *[]V) (text []byte) {
			for i := range *list {
				text = append(append(text, ','), k.write(&(*list)[i])...)
			}
			if text != nil {
				text[0] = '['
				text = append(text, ']')
			}
			return text
		}
	}
	return all
}

// setOf is the kind of lists of names of a set. Spec: Scopes named.
func setOf[T interface {
	~uint8
	String() string
}](what string, all commerce.Set[T], parse func(name string) (T, bool)) kind[commerce.Set[T]] {
	return judged(openapi.List(openapi.Names(all.Names()...)), func(f field) (set commerce.Set[T]) {
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
func listed[V any](d *document, f field, read func(d *document, f field, to *V)) (all []V) {
	for item := range f.items() {
		var value V
		all = append(all, value)
		read(d, item, &all[len(all)-1])
		if d.dropped > 0 { // the document is refused, and its content is not needed any more
			all = nil
		}
	}
	return all
}

// whole is the kind of whole numbers within bounds.
func whole[N ~int | ~int64](low, high int64) kind[N] { return wholeOf[N](low, high, 1) }

// wholeOf is whole for a unit: one is the N that the document calls 1.
func wholeOf[N ~int | ~int64](low, high int64, one N) kind[N] {
	return judged(openapi.Integer.Min(int(low)).Max(int(high)), func(f field) N {
		n, _ := f.within(low, high)
		return N(n) * one
	})
}

// wholeOr is wholeOf with a number for an absent value.
func wholeOr[N ~int | ~int64](low, high, absent int64, one N) kind[N] {
	return instead(wholeOf(low, high, one), N(absent)*one, absent)
}

// boolean is the kind of true and false.
func boolean(absent bool) kind[bool] {
	k := zero(judged(openapi.Boolean, func(f field) bool { return f.boolean(absent) }), absent)
	k.always = absent
	if absent {
		return written(k, func(b bool) any { return b })
	}
	return unlessZero(k)
}

// word is the kind of names that package commerce stores as text; the first is that of an absent value.
func word(names ...string) kind[string] {
	return unlessZero(or(judged(openapi.Names(names...), func(f field) string { return f.word(names...) }), names[0]))
}

// picked is the kind of names that package commerce stores as their index; the first is that of an absent value.
func picked[N ~uint8 | ~int](names []string) kind[N] {
	return zero(judged(openapi.Names(names...), func(f field) N {
		i, _ := f.pick(names)
		return N(i)
	}), names[0])
}
