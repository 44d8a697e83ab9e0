package storefile

import (
	"fmt"
	"iter"
	"slices"

	"cartd/internal/strictjson"
)

// reader reads one document.
type reader struct {
	root strictjson.Value
	collector
	// kept is true for a document from Redis: limits that an import judges do not end a store that
	// works.
	kept bool
	// open has the members of the objects that are being read, the outermost object first.
	open []given
	// asked has the names of the members that were read from those objects.
	asked []string
	// page is true for a page of a document from Redis. Entries that it names may be in other pages.
	page bool
	// again is true while stored entries are read once more, because what they name is gone.
	again bool
	// storedFrom is the offset at which the texts of stored entries begin, which follow that of a change set; 0 if there are none.
	storedFrom int
	// composed is a stored object of which a change set replaces members; nil if there is none.
	composed *composed
}

// fault adds a fault of the value v.
func (r *reader) fault(v strictjson.Value, kind faultKind, message string) {
	r.add(found{at: v.Offset(r.root), kind: kind, message: message})
}

// field is one value of the document. It may be absent.
type field struct {
	r *reader
	// raw is nil if the member is absent or null; both mean the same.
	raw strictjson.Value
}

func (f field) absent() bool { return f.raw == nil }

// fault adds a fault of the value itself.
func (f field) fault(message string) { f.r.fault(f.raw, ofShape, message) }

// mustBe adds the fault that the value is not of this kind.
func (f field) mustBe(kind string) { f.fault("must be " + kind) }

// unknown adds the fault that the value is none of the known names.
func (f field) unknown(kind faultKind, message string, names []string) {
	f.r.add(found{at: f.raw.Offset(f.r.root), kind: kind, message: message, known: names})
}

// misnamed adds the fault that the value has a wrong name.
func (f field) misnamed(kind faultKind, message string) {
	f.r.add(found{at: f.raw.Offset(f.r.root), kind: kind, message: message, misnamed: true})
}

// conflict adds the fault that the value, right by itself, does not agree with others.
func (f field) conflict(message string) { f.r.fault(f.raw, ofContent, message) }

// given is one decoded name with its value. asked is true if the member was read.
type given struct {
	name  []byte
	value strictjson.Value
	asked bool
}

// object is a JSON object of the document. Its members are read by name. A member that is read is a
// known field.
type object struct {
	field
	members []given
	// asked is the length of reader.asked when this object was opened.
	asked int
}

// maxMembers bounds the memory that an object takes. It is far above the number of members of any
// valid object.
const maxMembers = 1000

// object reads the value as an object. An absent value has no members and requires none. Nor has a
// value of another type, which is a fault. The caller closes every object after it read the members,
// inner objects first.
func (f field) object() object {
	if f.absent() {
		return object{field: f, asked: len(f.r.asked)}
	}
	if f.raw.Kind() != strictjson.Object {
		f.fault("must be an object")
		return object{field: field{r: f.r}, asked: len(f.r.asked)}
	}
	start := len(f.r.open)
	if f.r.composed.of(f.raw) {
		for name, value := range f.r.composed.pairs {
			f.r.open = append(f.r.open, given{name: decodedName(name), value: value})
		}
		return object{f, f.r.open[start:], len(f.r.asked)}
	}
	for name, value := range f.raw.Pairs() {
		if len(f.r.open)-start == maxMembers {
			f.r.open = f.r.open[:start]
			f.fault("must have at most 1000 members")
			return object{field: field{r: f.r}, asked: len(f.r.asked)}
		}
		f.r.open = append(f.r.open, given{name: decodedName(name), value: value})
	}
	return object{f, f.r.open[start:], len(f.r.asked)}
}

// close refuses the members that were not read.
func (o object) close() { o.closeWith(o.r.asked[o.asked:]) }

// closeWith is close for an object with these members.
func (o object) closeWith(names []string) {
	var known []string
	for _, m := range o.members {
		if !m.asked {
			if known == nil {
				known = slices.Clone(names)
			}
			o.r.add(found{at: m.value.Offset(o.r.root), kind: ofShape, message: "is not a known field", known: known, misnamed: true})
		}
	}
	o.leave()
}

// leave ends the reading of an object whose other members are judged elsewhere.
func (o object) leave() {
	o.r.asked = o.r.asked[:o.asked]
	o.r.open = o.r.open[:len(o.r.open)-len(o.members)]
}

// get returns a member that may be absent.
func (o object) get(name string) field {
	o.r.asked = append(o.r.asked, name)
	return o.find(name)
}

// find is get for an object that is closed with the names of its members.
func (o object) find(name string) field {
	f := field{r: o.r}
	seen := false
	for i := range o.members {
		m := &o.members[i]
		if string(m.name) != name {
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
	if f.absent() {
		o.misses(name)
	}
	return f
}

// misses adds the fault that the object has no member of this name.
func (o object) misses(name string) {
	if o.absent() {
		return
	}
	for _, m := range o.members {
		if string(m.name) == name { // it is null
			o.r.fault(m.value, ofShape, "is required")
			return
		}
	}
	o.r.add(found{at: o.raw.Offset(o.r.root), member: name, message: "is required"})
}

// items iterates over a list. An absent list is empty.
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

// isList reports whether the value is a list. It may be empty.
func (f field) isList() bool { return f.raw.Kind() == strictjson.Array }

// keep appends a value that was read. If faults were dropped, it returns nil instead: the document
// is refused, and its content is not needed any more.
func keep[T any](r *reader, all []T, value T) []T {
	if r.dropped > 0 {
		return nil
	}
	return append(all, value)
}

// notEmpty refuses an empty list.
func (f field) notEmpty() {
	if f.isEmptyList() {
		f.fault("must not be empty")
	}
}

// notMore refuses a list with more items than limit.
func (f field) notMore(limit int, things string) {
	if f.isList() && f.raw.Len() > limit {
		f.fault(fmt.Sprintf("must have at most %d %s", limit, things))
	}
}
