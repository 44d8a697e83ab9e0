package openapi

import (
	"slices"
	"strings"
)

// components are the shared parts of a document, by kind and name.
type components map[string]object

// componentKinds is the order of the kinds.
var componentKinds = []string{"schemas", "responses", "parameters", "examples", "headers"}

// share stores a part under its name and returns a reference to it. A part without a name is
// returned as it is.
func (c components) share(kind, name string, node object) object {
	if name == "" {
		return node
	}
	if !c[kind].has(name) {
		c[kind] = c[kind].with(name, node)
	}
	return reference(kind, name)
}

// schema shares all named schemas in a schema, and the schema itself.
func (c components) schema(s *Schema) {
	if s.name != "" {
		if c["schemas"].has(s.name) {
			return
		}
		c.share("schemas", s.name, s.definition())
	}
	for _, f := range s.fields {
		c.schema(f.Schema)
	}
	for _, part := range s.parts {
		c.schema(part)
	}
}

// all returns the components: the kinds in their order, each sorted by name.
func (c components) all() (node object) {
	for _, kind := range componentKinds {
		if len(c[kind]) > 0 {
			slices.SortFunc(c[kind], func(a, b member) int { return strings.Compare(a.name, b.name) })
			node = node.with(kind, c[kind])
		}
	}
	return node
}
