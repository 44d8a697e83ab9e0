package storefile

import "cartd/internal/strictjson"

// form is one of the forms that an object can have. One of its members says which.
type form struct {
	name     string   // what that member says
	requires []string // members that the form must have
	refuses  []string // members that it must not have, or only as empty lists
	because  string   // what is wrong with one that it has
}

// forms are all forms of an object.
type forms struct {
	list  []form
	names []string
	// always is whether an object that does not say which form it has has the first.
	always bool
}

func makeForms(always bool, list ...form) *forms {
	all := &forms{list: list, always: always}
	for i := range list {
		all.names = append(all.names, list[i].name)
	}
	return all
}

// form reads the member f, which says the form that the object has, and holds the
// object to it. It returns the form's place, or 0 where that is not known.
func (o object) form(f field, all *forms) int {
	i, known := f.pick(all.names)
	if !known || f.absent() && !all.always {
		return 0
	}
	for _, name := range all.list[i].requires {
		o.required(name)
	}
	for _, name := range all.list[i].refuses {
		if member := o.get(name); !member.absent() && !member.isEmptyList() {
			member.fault(all.list[i].because)
		}
	}
	return i
}

// exactlyOne refuses an object unless it has one of two members alone.
func (o object) exactlyOne(a, b string) bool {
	if o.get(a).absent() != o.get(b).absent() {
		return true
	}
	if !o.absent() {
		o.fault("must have exactly one of " + a + " and " + b)
	}
	return false
}

// atMostOne refuses an object that has both of two members.
func (o object) atMostOne(a, b string) {
	if !o.get(a).absent() && !o.get(b).absent() {
		o.fault("must have at most one of " + a + " and " + b)
	}
}

// isEmptyList reports whether the value is a list of no items.
func (f field) isEmptyList() bool {
	return f.raw.Kind() == strictjson.Array && f.raw.Len() == 0
}
