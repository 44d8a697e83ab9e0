package openapi

import "slices"

// Schema is a JSON Schema (2020-12) in the making. Every method returns a new one.
type Schema struct {
	// name is that of a component, which is referred to; empty: written where it is used.
	name     string
	keywords object
	fields   []Field
	// parts are the schemas that keywords hold.
	parts []*Schema
}

// Field is a member of an object.
type Field struct {
	Name     string
	Schema   *Schema
	About    string
	Optional bool
}

// The plain types. A UUID is written with 36 characters, a Time as 2026-11-20T10:00:00Z.
var (
	Text     = typed("string")
	Number   = typed("number")
	Integer  = typed("integer")
	Boolean  = typed("boolean")
	UUID     = Text.with("format", "uuid")
	Time     = Text.with("format", "date-time")
	Anything = &Schema{}
	null     = typed("null")
)

func typed(name string) *Schema { return &Schema{keywords: object{{"type", name}}} }

// Types is a value of any of several types.
func Types(names ...string) *Schema { return &Schema{keywords: object{{"type", names}}} }

// Object is an object without members yet. A name makes it a component of the document.
func Object(name string) *Schema {
	return &Schema{name: name, keywords: object{{"type", "object"}}, fields: []Field{}}
}

// List is a list of entries of one shape.
func List(items *Schema) *Schema {
	return (&Schema{keywords: object{{"type", "array"}, {"items", items}}}).holding(items)
}

// Map is an object with any names and values of one shape.
func Map(values *Schema) *Schema {
	return (&Schema{keywords: object{{"type", "object"}, {"additionalProperties", values}}}).holding(values)
}

// AnyOf is a value of one of several shapes.
func AnyOf(shapes ...*Schema) *Schema {
	return (&Schema{keywords: object{{"anyOf", shapes}}}).holding(shapes...)
}

// Has adds a member that is always there.
func (s *Schema) Has(name string, shape *Schema, about string) *Schema {
	return s.field(Field{Name: name, Schema: shape, About: about})
}

// May adds a member that may be absent.
func (s *Schema) May(name string, shape *Schema, about string) *Schema {
	return s.field(Field{Name: name, Schema: shape, About: about, Optional: true})
}

// Named is the shape as another component.
func (s *Schema) Named(component string) *Schema {
	own := *s
	own.name = component
	return &own
}

// Optional makes every member one that may be absent; the shape becomes another component.
func (s *Schema) Optional(component string) *Schema {
	own := *s
	own.name, own.fields = component, slices.Clone(s.fields)
	for i := range own.fields {
		own.fields[i].Optional = true
	}
	return &own
}

// OrNull allows null as well.
func (s *Schema) OrNull() *Schema {
	if s.name != "" || len(s.keywords) == 0 || s.keywords[0].name != "type" {
		return AnyOf(s, null)
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

// OneOf limits the values to a few.
func (s *Schema) OneOf(values ...any) *Schema { return s.with("enum", values) }

// Names is a text that is one of a few.
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

// Above is the number that a number has to be greater than.
func (s *Schema) Above(n int) *Schema { return s.with("exclusiveMinimum", n) }

// Default is the value of a member that is absent.
func (s *Schema) Default(value any) *Schema { return s.with("default", value) }

// About describes the shape.
func (s *Schema) About(text string) *Schema { return s.with("description", text) }

// Fields lists the members of an object; nil: it is none, or has any names.
func (s *Schema) Fields() []Field { return s.fields }

// NotNull is the shape of what OrNull allows null beside.
func (s *Schema) NotNull() *Schema {
	if len(s.parts) == 2 && s.parts[1] == null {
		return s.parts[0]
	}
	return s
}

// Items is the shape of a list's entries, or nil.
func (s *Schema) Items() *Schema {
	if len(s.parts) > 0 && s.keywords.has("items") {
		return s.parts[0]
	}
	return nil
}

// MarshalJSON writes the schema, or the reference to it.
func (s *Schema) MarshalJSON() ([]byte, error) {
	if s.name != "" {
		return plain(reference("schemas", s.name))
	}
	return plain(s.definition())
}

// definition is the schema itself.
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

// property is the member's schema with its own description.
func (f Field) property() any {
	switch {
	case f.About == "":
		return f.Schema
	case f.Schema.name != "":
		return reference("schemas", f.Schema.name).with("description", f.About)
	}
	own := slices.DeleteFunc(slices.Clone(f.Schema.definition()), func(m member) bool { return m.name == "description" })
	return own.with("description", f.About)
}

func (s *Schema) field(f Field) *Schema {
	own := *s
	own.fields = append(slices.Clip(s.fields), f)
	return &own
}

func (s *Schema) with(name string, value any) *Schema {
	own := *s
	own.keywords = slices.Clip(s.keywords).with(name, value)
	return &own
}

func (s *Schema) holding(parts ...*Schema) *Schema {
	s.parts = parts
	return s
}

func reference(kind, name string) object {
	return object{{"$ref", "#/components/" + kind + "/" + name}}
}
