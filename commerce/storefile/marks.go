package storefile

import (
	"slices"

	"cartd/internal/openapi"
)

// A mark says what the package does with a member besides reading it.
const (
	// confidential members are secrets or contain some. No fault shows their values.
	confidential openapi.Mark = 1 << iota
	// inClear members are secrets that the store keeps, and exports, as they are: no hash will do.
	inClear
	// apart are the members of a document that are no part of its settings.
	apart
	// ordered objects keep the order of their members, which is shown.
	ordered
	// unified texts have LF for each end of a line.
	unified
	// identity is the UUID that tells the entries of a list apart, textKey such a text.
	// pathKey texts are compared by commerce.PathKey.
	identity
	textKey
	pathKey
	// currentStock and currentUses are numbers that an export replaces by the current ones.
	currentStock
	currentUses
	// byMerchant are the members of store that a merchant's system may change over HTTP, byOperator those that only an operator may
	// change with a change set.
	byMerchant
	byOperator
)

// outline has the marks of a member and of the members within it. A list has the outline of its entries.
type outline struct {
	name    string
	marks   openapi.Mark
	members []outline // those that have marks, or members with marks
}

// outlineOf is the outline of a member with a schema.
func outlineOf(name string, s *openapi.Schema) outline {
	s = s.NotNull()
	o := outline{name: name, marks: s.Marks()}
	if items := s.Items(); items != nil {
		entry := outlineOf("", items)
		o.marks, o.members = o.marks|entry.marks, entry.members
	}
	for _, f := range s.Fields() {
		if m := outlineOf(f.Name, f.Schema); m.marks != 0 || m.members != nil {
			o.members = append(o.members, m)
		}
	}
	return o
}

// The outlines of a document and of its settings.
var (
	documentOutline = outlineOf("", wholeObject.Schema)
	settingsOutline = outlineOf(storeMember, storeObject.Schema)
)

// member is the outline of a member; nil if it has no marks.
func (o *outline) member(name []byte) *outline {
	if o != nil {
		for i := range o.members {
			if o.members[i].name == string(name) {
				return &o.members[i]
			}
		}
	}
	return nil
}

// has reports whether the member has one of the marks.
func (o *outline) has(marks openapi.Mark) bool { return o != nil && o.marks&marks != 0 }

// key is the member that tells the entries of a list apart; nil if there is none.
func (o *outline) key() *outline {
	i := slices.IndexFunc(o.members, func(m outline) bool { return m.has(identity | textKey) })
	if i < 0 {
		return nil
	}
	return &o.members[i]
}

// namesWith are the names of the members that have one of the marks.
func (o *outline) namesWith(marks openapi.Mark) (names []string) {
	for i := range o.members {
		if o.members[i].has(marks) {
			names = append(names, o.members[i].name)
		}
	}
	return names
}

func (o outline) named(name string) outline {
	o.name = name
	return o
}
