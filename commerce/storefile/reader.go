package storefile

import (
	"iter"

	"cartd/internal/strictjson"
)

// reader is one document while it is read.
type reader struct {
	root strictjson.Value
	collector
	// open holds the members of the objects that are being read, outermost first.
	open []member
}

// fault notes what is wrong with the value v of the document.
func (r *reader) fault(v strictjson.Value, message string) {
	r.add(found{at: v.Offset(r.root), message: message})
}

// field is one value of the document, or the lack of one.
type field struct {
	r *reader
	// raw is nil where the member is absent or null: both mean the same.
	raw strictjson.Value
}

func (f field) absent() bool { return f.raw == nil }

// fault notes what is wrong with a value that is there.
func (f field) fault(message string) { f.r.fault(f.raw, message) }

// member is one name with its value; asked tells the known ones from the others.
type member struct {
	name, value strictjson.Value
	asked       bool
}

// object is a JSON object of the document whose members are read by name. Asking
// for a member is what makes it a known field.
type object struct {
	field
	members []member
}

// object reads the value as an object. One that is absent, or of another type
// (which is a fault), has no members and requires none. Every object is closed
// when its members have been read, inner ones first.
func (f field) object() object {
	if f.absent() {
		return object{field: f}
	}
	if f.raw.Kind() != strictjson.Object {
		f.fault("must be an object")
		return object{field: field{r: f.r}}
	}
	start := len(f.r.open)
	for name, value := range f.raw.Pairs() {
		f.r.open = append(f.r.open, member{name: name, value: value})
	}
	return object{f, f.r.open[start:]}
}

// close refuses the members that nobody asked for.
func (o object) close() {
	for _, m := range o.members {
		if !m.asked {
			o.r.fault(m.value, "is not a known field")
		}
	}
	o.r.open = o.r.open[:len(o.r.open)-len(o.members)]
}

// get returns a member that may be absent.
func (o object) get(name string) field {
	f := field{r: o.r}
	seen := false
	for i := range o.members {
		m := &o.members[i]
		if !m.name.Is(name) {
			continue
		}
		if seen && !m.asked {
			o.r.fault(m.value, "is given more than once")
		}
		seen, m.asked = true, true
		if m.value.Kind() != strictjson.Null {
			f.raw = m.value
		}
	}
	return f
}

// required returns a member that may not be absent.
func (o object) required(name string) field {
	f := o.get(name)
	if f.absent() {
		o.missing(name)
	}
	return f
}

// missing notes that a member is required.
func (o object) missing(name string) {
	if !o.absent() {
		o.r.add(found{at: o.raw.Offset(o.r.root), member: name, message: "is required"})
	}
}

// only returns the required member that goes with an object's type, and refuses
// the one that goes with another.
func (o object) only(name, other string) field {
	if f := o.get(other); !f.absent() {
		f.fault("does not belong to this type")
	}
	return o.required(name)
}

// typeName reads the required member that says which others an object has; "" is
// one that was refused, or no object at all.
func (o object) typeName(names ...string) string {
	f := o.required("type")
	i, known := f.pick(names)
	if f.absent() || !known {
		return ""
	}
	return names[i]
}

// items goes through a list; absent is empty.
func (f field) items() iter.Seq[field] {
	return func(yield func(field) bool) {
		if !f.absent() && f.raw.Kind() != strictjson.Array {
			f.fault("must be a list")
		}
		for _, item := range f.raw.Items() {
			if !yield(field{f.r, item}) {
				return
			}
		}
	}
}

// isList reports whether the value is a list; a list of no items is one.
func (f field) isList() bool { return f.raw.Kind() == strictjson.Array }

// isEmptyList reports whether the value is a list of no items.
func (f field) isEmptyList() bool { return f.isList() && f.raw.Len() == 0 }

// list reads every item of a list; absent is empty.
func list[T any](f field, read func(field) T) []T {
	var all []T
	for item := range f.items() {
		all = append(all, read(item))
	}
	return all
}

// optional reads a value for which absence means something of its own: nil.
func optional[T any](f field, read func(field) T) *T {
	if f.absent() {
		return nil
	}
	value := read(f)
	return &value
}
