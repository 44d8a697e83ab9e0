package storefile

// The functions that read a document also describe it: Schema has them read one
// in which everything is absent, and whatever they ask for is written down as
// what may stand there. So nothing says a second time what a document holds.

// slot is a place in a document, while the document is described.
type slot struct {
	holds *schema
	// nullable is whether null, which means absent, may stand there.
	nullable bool
	// absent is what counts where nothing is given. Nil: nothing does, or what does
	// depends on something else.
	absent any
}

// schema is what a slot holds. Beside name, kind and is, only what belongs to the
// kind is set.
type schema struct {
	name string // of a noun, or of a kind of text or number; "": it has none
	kind string // the type, in the words of JSON Schema
	is   string // what a value is, in the words of the faults

	enum     []any    // the only texts or numbers
	patterns []string // regular expressions, all of which a text matches

	low, high int64 // the bounds of an integer

	items       *slot
	least, most int // number of items, least also of characters; most 0: any

	properties []property // of an object
	forms      []variant  // of which an object has exactly one
	never      *variant   // which an object does not have

	names  *schema // of a map's members
	values *slot   // of a map's members
}

// property is a member that an object may have, or must have where null may not
// stand for it.
type property struct {
	name string
	slot *slot
}

// described reports whether the field is not read but described.
func (f field) described() bool { return f.slot != nil }

// takes writes down what the field takes.
func (f field) takes(s *schema) {
	if f.slot != nil {
		f.slot.holds = s
	}
}

// absentIs writes down what counts where the field is absent.
func (f field) absentIs(value any) { f.slot.absent = value }

// property returns the member of an object's schema, a new one where it has not
// been asked for yet.
func (s *schema) property(name string) *slot {
	for _, p := range s.properties {
		if p.name == name {
			return p.slot
		}
	}
	p := property{name, &slot{nullable: true}}
	s.properties = append(s.properties, p)
	return p.slot
}

// nameOf returns the name of the member that stands in a slot.
func (s *schema) nameOf(of *slot) string {
	for _, p := range s.properties {
		if p.slot == of {
			return p.name
		}
	}
	return ""
}
