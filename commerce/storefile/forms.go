package storefile

import (
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// form is one of the forms that an object can have. The value of one of its members names the form.
type form struct {
	name     string   // the value of that member
	requires []string // members that the form must have
	refuses  []refused
}

// refused are members that a form must not have, because they would have no effect.
type refused struct {
	members []string
	because string // the fault of such a member
	unless  spared
}

// spared is the value that a refused member may have beside null, because it means the same as no member.
type spared int

const (
	emptyList spared = iota
	emptyMap
	isFalse
)

func (r *refused) schema() *openapi.Schema {
	switch r.unless {
	case emptyMap:
		return openapi.Types("null", "object").MaxFields(0)
	case isFalse:
		return openapi.Anything.OneOf(false, nil)
	}
	return openapi.Types("null", "array").MaxItems(0)
}

// refuses reports whether a member has what it must not have.
func (r *refused) refuses(member value) bool {
	switch {
	case member.absent():
		return false
	case r.unless == isFalse:
		return member.raw.Bool()
	case r.unless == emptyMap:
		return member.raw.Kind() != strictjson.Object || member.raw.Len() > 0
	}
	return !member.isEmptyList()
}

// forms are all forms of an object.
type forms struct {
	list  []form
	names []string
	// always is true if an object that names no form has the first one.
	always bool
}

func makeForms(always bool, list ...form) *forms {
	all := &forms{list: list, always: always}
	for i := range list {
		all.names = append(all.names, list[i].name)
	}
	return all
}

// schemas are the shapes of an object in each form.
func (all *forms) schemas(member string) (shapes []*openapi.Schema) {
	for i, form := range all.list {
		shape := openapi.Anything.Has(member, openapi.Anything.OneOf(form.name), "")
		if all.always && i == 0 {
			shape = openapi.Anything.May(member, openapi.Anything.OneOf(form.name, nil), "")
		}
		for _, name := range form.requires {
			shape = shape.Has(name, openapi.Something, "")
		}
		for _, refused := range form.refuses {
			for _, name := range refused.members {
				shape = shape.May(name, refused.schema(), "")
			}
		}
		shapes = append(shapes, shape)
	}
	return shapes
}

// form reads the member that names the object's form, and checks the members of that form. It
// returns the form's index, 0 if the form is not known.
func (f value) form(named value, all *forms) int {
	i, known := named.pick(all.names)
	if !known || named.absent() && !all.always {
		return 0
	}
	for _, name := range all.list[i].requires {
		f.required(name)
	}
	for _, refused := range all.list[i].refuses {
		for _, name := range refused.members {
			if member := f.get(name); !f.d.kept && refused.refuses(member) {
				member.fault(refused.because)
			}
		}
	}
	return i
}

// exactlyOne refuses an object unless it has exactly one of two members.
func (f value) exactlyOne(a, b string) bool {
	if f.get(a).absent() != f.get(b).absent() {
		return true
	}
	if !f.absent() {
		f.fault("must have exactly one of " + a + " and " + b)
	}
	return false
}

// isEmptyList reports whether the value is a list without items.
func (f value) isEmptyList() bool {
	return f.raw.Kind() == strictjson.Array && f.raw.Len() == 0
}
