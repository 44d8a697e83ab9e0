package openapi

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Schema is a JSON Schema (2020-12). Every method returns a changed copy.
type Schema struct {
	// name is the name of the component to refer to; empty if the schema is written in place.
	name string
	// own is true for a component of a schema's own document.
	own      bool
	keywords object
	fields   []Field
	// parts are the schemas inside keywords.
	parts []*Schema
	marks Mark
}

// Mark is what those who tell objects note about values beside their schema. It is no part of a description.
type Mark uint16

// Marked adds marks.
func (s *Schema) Marked(as Mark) *Schema {
	own := *s
	own.marks |= as
	return &own
}

// Marks returns the marks.
func (s *Schema) Marks() Mark { return s.marks }

// Field is a member of an object.
type Field struct {
	Name     string
	Schema   *Schema
	About    string
	Optional bool
}

// The plain types. A UUID is written with 36 characters, a Time as 2026-11-20T10:00:00Z, a Date as
// 2026-11-20.
var (
	Text     = typed("string")
	Number   = typed("number")
	Integer  = typed("integer")
	Boolean  = typed("boolean")
	UUID     = Text.with("format", "uuid")
	Time     = Text.with("format", "date-time")
	Date     = Text.with("format", "date")
	Anything = &Schema{}
	// Something is any value but null.
	Something = Anything.Not(Null)
	Null      = typed("null")
)

func typed(name string) *Schema { return &Schema{keywords: object{{"type", name}}} }

// Types returns a schema for values of several types. An API's description has AnyOf in its place, which
// more generators of clients understand.
func Types(names ...string) *Schema { return &Schema{keywords: object{{"type", names}}} }

// Object returns an object without members. A name makes it a component of the document.
func Object(name string) *Schema {
	return &Schema{name: name, keywords: object{{"type", "object"}}, fields: []Field{}}
}

// List returns a list of entries of one shape.
func List(items *Schema) *Schema {
	return (&Schema{keywords: object{{"type", "array"}, {"items", items}}}).beside(items)
}

// Map returns an object with any names and values of one shape.
func Map(values *Schema) *Schema {
	return (&Schema{keywords: object{{"type", "object"}, {"additionalProperties", values}}}).beside(values)
}

// AnyOf returns a schema for values of several shapes.
func AnyOf(shapes ...*Schema) *Schema {
	return (&Schema{keywords: object{{"anyOf", shapes}}}).beside(shapes...)
}

// Either returns a schema for objects of several shapes, which differ by a required member, or by the value of one.
func Either(shapes ...*Schema) *Schema {
	return (&Schema{keywords: object{{"oneOf", shapes}}}).beside(shapes...)
}

// Has adds a required member.
func (s *Schema) Has(name string, shape *Schema, about string) *Schema {
	return s.With(Field{Name: name, Schema: shape, About: about})
}

// May adds an optional member.
func (s *Schema) May(name string, shape *Schema, about string) *Schema {
	return s.With(Field{Name: name, Schema: shape, About: about, Optional: true})
}

// With adds a member.
func (s *Schema) With(fields ...Field) *Schema {
	own := *s
	own.fields = append(slices.Clip(s.fields), fields...)
	return &own
}

// Named returns the schema as a component of the document.
func (s *Schema) Named(component string) *Schema {
	own := *s
	own.name = component
	return &own
}

// Optional returns the shape with all members optional and without defaults, under another component's name:
// an absent member stays as it is.
func (s *Schema) Optional(component string) *Schema {
	own := *s
	own.name, own.fields = component, slices.Clone(s.fields)
	for i := range own.fields {
		own.fields[i].Optional = true
		if shape := *own.fields[i].Schema; shape.keywords.has("default") {
			shape.keywords = slices.DeleteFunc(slices.Clone(shape.keywords), func(m member) bool { return m.name == "default" })
			own.fields[i].Schema = &shape
		}
	}
	return &own
}

// OrNull allows null as well.
func (s *Schema) OrNull() *Schema {
	if s.NotNull() != s {
		return s
	}
	if s.name != "" || len(s.keywords) == 0 || s.keywords[0].name != "type" {
		return AnyOf(s, Null)
	}
	if types, several := s.keywords[0].value.([]string); several && slices.Contains(types, "null") {
		return s
	}
	own := *s
	own.keywords = slices.Clone(s.keywords)
	for i, k := range own.keywords {
		switch values := k.value.(type) {
		case string:
			if k.name == "type" {
				own.keywords[i].value = []string{values, "null"}
			}
		case []string:
			if k.name == "type" {
				own.keywords[i].value = append(slices.Clip(values), "null")
			}
		case []any:
			if k.name == "enum" {
				own.keywords[i].value = append(slices.Clip(values), nil)
			}
		}
	}
	return &own
}

// OneOf limits the schema to some values.
func (s *Schema) OneOf(values ...any) *Schema { return s.with("enum", values) }

// Names returns a text that has one of several values.
func Names(names ...string) *Schema {
	values := make([]any, len(names))
	for i, name := range names {
		values[i] = name
	}
	return Text.OneOf(values...)
}

// Max and Min bound a number, MaxLength and MinLength a text, MaxItems and MinItems a list,
// MaxFields a map.
func (s *Schema) Max(n int) *Schema       { return s.with("maximum", n) }
func (s *Schema) Min(n int) *Schema       { return s.with("minimum", n) }
func (s *Schema) MaxLength(n int) *Schema { return s.with("maxLength", n) }
func (s *Schema) MinLength(n int) *Schema { return s.with("minLength", n) }
func (s *Schema) MaxItems(n int) *Schema  { return s.with("maxItems", n) }
func (s *Schema) MinItems(n int) *Schema  { return s.with("minItems", n) }
func (s *Schema) MaxFields(n int) *Schema { return s.with("maxProperties", n) }

// AtLeast is Min for a number with decimals. Not exclusiveMinimum: generators of clients read it as OpenAPI
// 3.0 had it.
func (s *Schema) AtLeast(n fmt.Stringer) *Schema { return s.with("minimum", json.Number(n.String())) }

// Default sets the value of an absent member.
func (s *Schema) Default(value any) *Schema { return s.with("default", value) }

// About sets the description.
func (s *Schema) About(text string) *Schema { return s.with("description", text) }

// Fields returns the members of an object; nil for other types and for maps.
func (s *Schema) Fields() []Field { return s.fields }

// Values returns the values that OneOf allows; nil if the schema has none.
func (s *Schema) Values() []any {
	for _, k := range s.keywords {
		if values, is := k.value.([]any); is && k.name == "enum" {
			return values
		}
	}
	return nil
}

// NotNull undoes OrNull.
func (s *Schema) NotNull() *Schema {
	if len(s.parts) == 2 && s.parts[1] == Null {
		return s.parts[0]
	}
	return s
}

// Items returns the shape of a list's entries, or nil.
func (s *Schema) Items() *Schema {
	if len(s.parts) > 0 && s.keywords.has("items") {
		return s.parts[0]
	}
	return nil
}

// MarshalJSON writes the schema, or the reference to it.
func (s *Schema) MarshalJSON() ([]byte, error) {
	if s.name != "" {
		return plain(s.reference())
	}
	return plain(s.definition())
}

// definition returns the schema in full.
func (s *Schema) definition() object {
	all := slices.Clip(s.keywords)
	if s.fields == nil {
		return all
	}
	properties, required := object{}, []string{}
	for _, f := range s.fields {
		properties = properties.with(f.Name, f.property())
		if !f.Optional {
			required = append(required, f.Name)
		}
	}
	all = all.with("properties", properties)
	if len(required) > 0 {
		all = all.with("required", required)
	}
	return all
}

// property returns the member's schema with the member's description.
func (f Field) property() any {
	switch {
	case f.About == "":
		return f.Schema
	case f.Schema.name != "":
		return f.Schema.reference().with("description", f.About)
	}
	own := slices.DeleteFunc(slices.Clone(f.Schema.definition()), func(m member) bool { return m.name == "description" })
	return own.with("description", f.About)
}

func (s *Schema) with(name string, value any) *Schema {
	own := *s
	own.keywords = slices.Clip(s.keywords).with(name, value)
	return &own
}

func reference(kind, name string) object {
	return object{{"$ref", "#/components/" + kind + "/" + name}}
}

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
