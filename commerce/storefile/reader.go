package storefile

import (
	"fmt"
	"iter"
	"slices"

	"cartd/internal/strictjson"
)

// reader is one document while it is read.
type reader struct {
	root strictjson.Value
	collector
	// open holds the members of the objects that are being read, outermost first.
	open []member
	// asked are the names of members that were asked for in those objects.
	asked []string
}

// fault notes what is wrong with the value v of the document.
func (r *reader) fault(v strictjson.Value, kind faultKind, message string) {
	r.add(found{at: v.Offset(r.root), kind: kind, message: message})
}

// field is one value of the document, or the lack of one.
type field struct {
	r *reader
	// raw is nil where the member is absent or null: both mean the same.
	raw strictjson.Value
}

func (f field) absent() bool { return f.raw == nil }

// fault notes what is wrong with a value that is there, by itself.
func (f field) fault(message string) { f.r.fault(f.raw, ofShape, message) }

// mustBe notes that a value is not what it must be.
func (f field) mustBe(what string) { f.fault("must be " + what) }

// unknown notes that a value is none of the names that there are.
func (f field) unknown(kind faultKind, message string, names []string) {
	f.r.add(found{at: f.raw.Offset(f.r.root), kind: kind, message: message, known: names})
}

// conflict notes that a value, right by itself, does not agree with others.
func (f field) conflict(message string) { f.r.fault(f.raw, ofContent, message) }

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
	// asked is how many names were asked for before, of objects around this one.
	asked int
}

// maxMembers is far above what any object has; it bounds the memory that one with
// senselessly many takes.
const maxMembers = 1000

// object reads the value as an object. One that is absent,
// or of another type (which is a fault), has no members and requires none. Every
// object is closed when its members have been read, inner ones first.
func (f field) object() object {
	if f.absent() {
		return object{field: f, asked: len(f.r.asked)}
	}
	if f.raw.Kind() != strictjson.Object {
		f.fault("must be an object")
		return object{field: field{r: f.r}, asked: len(f.r.asked)}
	}
	start := len(f.r.open)
	for name, value := range f.raw.Pairs() {
		if len(f.r.open)-start == maxMembers {
			f.r.open = f.r.open[:start]
			f.fault("must have at most 1000 members")
			return object{field: field{r: f.r}, asked: len(f.r.asked)}
		}
		f.r.open = append(f.r.open, member{name: name, value: value})
	}
	return object{f, f.r.open[start:], len(f.r.asked)}
}

// close refuses the members that nobody asked for.
func (o object) close() {
	var known []string
	for _, m := range o.members {
		if !m.asked {
			if known == nil {
				known = slices.Clone(o.r.asked[o.asked:])
			}
			o.r.add(found{at: m.value.Offset(o.r.root), kind: ofShape, message: "is not a known field", known: known, misnamed: true})
		}
	}
	o.r.asked = o.r.asked[:o.asked]
	o.r.open = o.r.open[:len(o.r.open)-len(o.members)]
}

// get returns a member that may be absent.
func (o object) get(name string) field {
	o.r.asked = append(o.r.asked, name)
	f := field{r: o.r}
	seen := false
	for i := range o.members {
		m := &o.members[i]
		if !m.name.Is(name) {
			continue
		}
		if seen && !m.asked {
			o.r.fault(m.value, ofContent, "is given more than once")
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
	if f.absent() && !o.absent() {
		o.r.add(found{at: o.raw.Offset(o.r.root), member: name, message: "is required"})
	}
	return f
}

// items goes through a list; absent is empty.
func (f field) items() iter.Seq[field] {
	return func(yield func(field) bool) {
		if !f.absent() && !f.isList() {
			f.fault("must be a list")
		}
		for _, item := range f.raw.Items() {
			if !yield(field{r: f.r, raw: item}) {
				return
			}
		}
	}
}

// isList reports whether the value is a list; a list of no items is one.
func (f field) isList() bool { return f.raw.Kind() == strictjson.Array }

// list reads every item of a list; absent is empty.
func list[T any](f field, read func(field) T) []T {
	var all []T
	for item := range f.items() {
		all = keep(f.r, all, read(item))
	}
	return all
}

// keep appends what was read of a document. Once more faults were found than are
// listed, it lets go of it instead: nothing of the document is wanted any more.
func keep[T any](r *reader, all []T, value T) []T {
	if r.dropped > 0 {
		return nil
	}
	return append(all, value)
}

// notEmpty refuses a list of no items.
func (f field) notEmpty() {
	if f.isEmptyList() {
		f.fault("must not be empty")
	}
}

// notMore refuses a list of more items than a limit.
func (f field) notMore(n int, things string) {
	if f.isList() && f.raw.Len() > n {
		f.fault(fmt.Sprintf("must have at most %d %s", n, things))
	}
}

// optional reads a value for which absence means something of its own: nil.
func optional[T any](f field, read func(field) T) *T {
	if f.absent() {
		return nil
	}
	value := read(f)
	return &value
}
