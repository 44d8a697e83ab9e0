package storefile

import (
	"fmt"
	"iter"
	"slices"

	"cartd/internal/field"
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
	asked   []string
	objects []openObject
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

// value is one value of the document. It may be absent.
type value struct {
	d *document
	// raw is nil if the member is absent or null; both mean the same.
	raw strictjson.Value
	// object is the place in reader.objects of an object that is being read by its members.
	object int
}

// openObject is an object that is being read by its members. A member that is read is a known field.
type openObject struct {
	// from and to are the places of its members in reader.open.
	from, to int
	// asked is the length of reader.asked when the object was opened.
	asked int
	// isPart is true if required members may be in other pages.
	isPart bool
}

func (f value) absent() bool { return f.raw == nil }

// IsNull reports whether the value is absent, which null means.
func (f value) IsNull() bool { return f.absent() }

// Member finds a member of an object. An absent object has no members and requires none.
func (f value) Member(name string, presence field.Presence) (value, field.Found) {
	raw := f.d.find(f.object, name)
	if raw != nil {
		return value{d: f.d, raw: raw}, field.Sent
	}
	if presence == field.IsRequired && !f.d.objects[f.object].isPart {
		f.misses(name)
	}
	return value{d: f.d}, field.Absent
}

// fault adds a fault of the value itself.
func (f value) fault(message string) { f.d.fault(f.raw, ofShape, message) }

// mustBe adds the fault that the value is not of this kind.
func (f value) mustBe(kind string) { f.fault("must be " + kind) }

// unknown adds the fault that the value is none of the known names.
func (f value) unknown(kind faultKind, message string, names []string) {
	f.d.add(found{at: f.raw.Offset(f.d.root), kind: kind, message: message, known: names})
}

// misnamed adds the fault that the value has a wrong name.
func (f value) misnamed(kind faultKind, message string) {
	f.d.add(found{at: f.raw.Offset(f.d.root), kind: kind, message: message, misnamed: true})
}

// conflict adds the fault that the value, right by itself, does not agree with others.
func (f value) conflict(message string) { f.d.fault(f.raw, ofContent, message) }

// given is one decoded name with its value. asked is true if the member was read.
type given struct {
	name  []byte
	value strictjson.Value
	asked bool
}

// maxMembers bounds the memory that an object takes. It is far above the number of members of any
// valid object.
const maxMembers = 1000

// open reads the value as an object. An absent value has no members and requires none. Nor has a
// value of another type, which is a fault. The caller closes every object after it read the members,
// inner objects first.
func (f value) open() value {
	if f.absent() {
		return f.opened(len(f.d.open))
	}
	if f.raw.Kind() != strictjson.Object {
		f.fault("must be an object")
		return value{d: f.d}.opened(len(f.d.open))
	}
	start := len(f.d.open)
	if f.d.composed.of(f.raw) {
		for name, value := range f.d.composed.pairs {
			f.d.open = append(f.d.open, given{name: decodedName(name), value: value})
		}
		return f.opened(start)
	}
	for name, raw := range f.raw.Pairs() {
		if len(f.d.open)-start == maxMembers {
			f.d.open = f.d.open[:start]
			f.fault("must have at most 1000 members")
			return value{d: f.d}.opened(len(f.d.open))
		}
		f.d.open = append(f.d.open, given{name: decodedName(name), value: raw})
	}
	return f.opened(start)
}

// opened is the value as an object with the last members of reader.open.
func (f value) opened(from int) value {
	f.object = len(f.d.objects)
	f.d.objects = append(f.d.objects, openObject{from, len(f.d.open), len(f.d.asked), f.d.page && f.object == 0})
	return f
}

func (r *reader) members(object int) []given {
	return r.open[r.objects[object].from:r.objects[object].to]
}

// close refuses the members that were not read.
func (f value) close() { f.closeWith(f.d.asked[f.d.objects[f.object].asked:]) }

// closeWith is close for an object with these members.
func (f value) closeWith(names []string) {
	var known []string
	for _, m := range f.d.members(f.object) {
		if !m.asked {
			if known == nil {
				known = slices.Clone(names)
			}
			f.d.add(found{at: m.value.Offset(f.d.root), kind: ofShape, message: "is not a known field", known: known, misnamed: true})
		}
	}
	f.leave()
}

// leave ends the reading of an object whose other members are judged elsewhere.
func (f value) leave() {
	of := f.d.objects[f.object]
	f.d.asked, f.d.open, f.d.objects = f.d.asked[:of.asked], f.d.open[:of.from], f.d.objects[:f.object]
}

// get returns a member that may be absent.
func (f value) get(name string) value {
	f.d.asked = append(f.d.asked, name)
	return f.find(name)
}

// find is get for an object that is closed with the names of its members.
func (f value) find(name string) value { return value{d: f.d, raw: f.d.find(f.object, name)} }

// find returns a member of an open object, nil if it is absent or null.
func (r *reader) find(object int, name string) (raw strictjson.Value) {
	seen := false
	members := r.members(object)
	for i := range members {
		m := &members[i]
		if string(m.name) != name {
			continue
		}
		if seen && !m.asked {
			r.fault(m.value, ofContent, "is given more than once")
		}
		seen, m.asked = true, true
		if m.value.Kind() != strictjson.Null {
			raw = m.value
		}
	}
	return raw
}

// required returns a member that may not be absent.
func (f value) required(name string) value {
	member := f.get(name)
	if member.absent() {
		f.misses(name)
	}
	return member
}

// misses adds the fault that the object has no member of this name.
func (f value) misses(name string) {
	if f.absent() {
		return
	}
	for _, m := range f.d.members(f.object) {
		if string(m.name) == name { // it is null
			f.d.fault(m.value, ofShape, "is required")
			return
		}
	}
	f.d.add(found{at: f.raw.Offset(f.d.root), member: name, message: "is required"})
}

// items iterates over a list. An absent list is empty.
func (f value) items() iter.Seq[value] {
	return func(yield func(value) bool) {
		if !f.absent() && !f.isList() {
			f.fault("must be a list")
		}
		for _, item := range f.raw.Items() {
			if !yield(value{d: f.d, raw: item}) {
				return
			}
		}
	}
}

// isList reports whether the value is a list. It may be empty.
func (f value) isList() bool { return f.raw.Kind() == strictjson.Array }

// keep appends a value that was read. If faults were dropped, it returns nil instead: the document
// is refused, and its content is not needed any more.
func keep[T any](r *document, all []T, value T) []T {
	if r.dropped > 0 {
		return nil
	}
	return append(all, value)
}

// notEmpty refuses an empty list.
func (f value) notEmpty() {
	if f.isEmptyList() {
		f.fault("must not be empty")
	}
}

// notMore refuses a list with more items than limit.
func (f value) notMore(limit int, things string) {
	if f.isList() && f.raw.Len() > limit {
		f.fault(fmt.Sprintf("must have at most %d %s", limit, things))
	}
}

// composed is a stored object of which a change set replaces members: an entry of a change of one product, or the settings.
type composed struct {
	stored strictjson.Value
	// sent has the members that replace those of the stored object. Its id is that of the stored object, which stays.
	sent strictjson.Value
}

// of reports whether v is the stored object.
func (c *composed) of(v strictjson.Value) bool { return c != nil && &v[0] == &c.stored[0] }

// pairs are the members that result: those that were sent, also null, and the stored ones that they do not replace.
func (c *composed) pairs(yield func(name, value strictjson.Value) bool) {
	var sent []string
	for name, value := range c.sent.Pairs() {
		text := name.Text()
		if text == "id" {
			continue
		}
		sent = append(sent, text)
		if !yield(name, value) {
			return
		}
	}
	for name, value := range c.stored.Pairs() {
		if !slices.Contains(sent, name.Text()) && !yield(name, value) {
			return
		}
	}
}
