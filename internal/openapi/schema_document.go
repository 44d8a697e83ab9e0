package openapi

// The methods of this file are for a JSON Schema that is a document of its own.

// Definition returns the shape as a definition of such a document, under this name.
func (s *Schema) Definition(name string) *Schema {
	own := *s
	own.name, own.own = name, true
	return &own
}

// Pattern limits a text to those that match all of some regular expressions of ECMA-262.
func (s *Schema) Pattern(all ...string) *Schema {
	if len(all) == 1 {
		return s.with("pattern", all[0])
	}
	patterns := make([]object, len(all))
	for i, pattern := range all {
		patterns[i] = object{{"pattern", pattern}}
	}
	return s.with("allOf", patterns)
}

// Names limits the names of a map.
func (s *Schema) Names(names *Schema) *Schema { return s.with("propertyNames", names).beside(names) }

// Not refuses the values of a shape.
func (s *Schema) Not(shape *Schema) *Schema { return s.with("not", shape).beside(shape) }

// ExactlyOne limits the schema to values of exactly one of several shapes.
func (s *Schema) ExactlyOne(shapes ...*Schema) *Schema {
	return s.with("oneOf", shapes).beside(shapes...)
}

// Closed refuses all members of an object that the schema does not name.
func (s *Schema) Closed() *Schema { return s.with("additionalProperties", false) }

// beside adds schemas inside keywords to a new schema, for instance the copy that with has made.
func (s *Schema) beside(parts ...*Schema) *Schema {
	s.parts = append(s.parts[:len(s.parts):len(s.parts)], parts...)
	return s
}

// reference refers to a schema with a name.
func (s *Schema) reference() object {
	if s.own {
		return object{{"$ref", "#/$defs/" + s.name}}
	}
	return reference("schemas", s.name)
}

// Document writes the schema as a document with this id and title, indented. Its definitions are in the order in which they are first
// referred to.
func (s *Schema) Document(id, title string) ([]byte, error) {
	root := *s
	root.name = ""
	c := components{}
	c.schema(&root)
	head := object{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", id}, {"title", title}}
	return indented(append(head, root.definition()...).with("$defs", c["schemas"]), "  ")
}
