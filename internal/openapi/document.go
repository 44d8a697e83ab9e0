package openapi

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Document is an API.
type Document struct {
	Title, Version, About string
	// Rules is the absolute address of a page about the whole API.
	Rules string
	// Security is the name of the security scheme, a bearer key. Operations with Key need it.
	Security, SecurityAbout string
	Tags                    []Tag
	Operations              []Operation
}

// Tag is a section of the document.
type Tag struct{ Name, About string }

// Operation is one method of one path.
type Operation struct {
	Method, Path, ID, Summary, About, Tag string
	// Sample is a command of a shell that sends the request; empty if there is none.
	Sample string
	// Rules is the absolute address of the operation's rules.
	Rules string
	// Aliases are further paths of the same operation.
	Aliases []string
	// Key is true if the operation needs a key. The key must have one of Scopes, if there are any.
	Key        bool
	Scopes     []string
	Parameters []Parameter
	Body       *Schema
	// BodyExample is an example of the body, or nil.
	BodyExample json.RawMessage
	// BodyRequired is true if the operation fails without a body.
	BodyRequired bool
	Responses    []Response
}

// Parameter is a parameter of the path, the query or the request's headers. If it has a Component,
// operations share it.
type Parameter struct {
	In, Name, About, Component string
	Required                   bool
	// Commas is true for a list whose values stand in one text, separated by commas. Brackets is true
	// for a map whose names stand in brackets after the parameter's name.
	Commas, Brackets bool
	Schema           *Schema
}

// Response is the answer with one status. If it has a Component, operations share it.
type Response struct {
	// Status is 0 for every other status.
	Status           int
	About, Component string
	Headers          []Header
	// Media is the type of the body, Body its shape; nil if there is none.
	Media    string
	Body     *Schema
	Examples []Example
}

// Header is a header of an answer. All headers with the same name and Required share one component.
type Header struct {
	Name, About string
	Required    bool
	Schema      *Schema
}

// Always returns the header with another Required.
func (h Header) Always(required bool) Header { h.Required = required; return h }

// Example is shared under its name. One without a name is written in place.
type Example struct {
	Name, Summary string
	Value         json.RawMessage
}

// JSON writes the document, indented.
func (d *Document) JSON() ([]byte, error) {
	c := components{}
	var paths object
	for _, path := range d.paths() {
		var item object
		for i := range d.Operations {
			if o := &d.Operations[i]; o.Path == path {
				item = item.with(strings.ToLower(o.Method), c.operation(o, d.Security))
			}
		}
		paths = paths.with(path, item)
	}
	var tags []object
	for _, t := range d.Tags {
		tags = append(tags, object{{"name", t.Name}}.withText("description", t.About))
	}
	scheme := object{{"type", "http"}, {"scheme", "bearer"}, {"description", d.SecurityAbout}}
	return indented(object{
		{"openapi", "3.1.0"},
		{"info", object{{"title", d.Title}, {"version", d.Version}}.withText("description", d.About)},
		{"externalDocs", externalDocs(d.Rules)},
		{"servers", []object{{{"url", "/"}}}},
		{"tags", tags},
		{"paths", paths},
		{"components", c.all().with("securitySchemes", object{{d.Security, scheme}})},
	}, " ")
}

// paths lists every path once, in the order of the operations.
func (d *Document) paths() []string {
	var all []string
	for i := range d.Operations {
		if path := d.Operations[i].Path; !slices.Contains(all, path) {
			all = append(all, path)
		}
	}
	return all
}

func externalDocs(address string) object { return object{{"description", "Rules"}, {"url", address}} }

func (c components) operation(o *Operation, scheme string) object {
	node := object{{"operationId", o.ID}, {"summary", o.Summary}}
	node = node.withText("description", o.About).with("externalDocs", externalDocs(o.Rules)).with("tags", []string{o.Tag})
	if o.Sample != "" {
		node = node.with("x-codeSamples", []object{{{"lang", "Shell"}, {"label", "curl"}, {"source", o.Sample}}})
	}
	if len(o.Aliases) > 0 {
		node = node.with("x-aliases", o.Aliases)
	}
	security := []object{}
	for _, scope := range o.Scopes {
		security = append(security, object{{scheme, []string{scope}}})
	}
	if o.Key && len(o.Scopes) == 0 {
		security = append(security, object{{scheme, []string{}}})
	}
	node = node.with("security", security)
	var parameters []object
	for i := range o.Parameters {
		parameters = append(parameters, c.parameter(&o.Parameters[i]))
	}
	if len(parameters) > 0 {
		node = node.with("parameters", parameters)
	}
	if o.Body != nil {
		c.schema(o.Body)
		content := object{{"schema", o.Body}}
		if o.BodyExample != nil {
			content = content.with("example", o.BodyExample)
		}
		node = node.with("requestBody", object{{"required", o.BodyRequired}, {"content", object{{"application/json", content}}}})
	}
	var responses object
	for i := range o.Responses {
		r := &o.Responses[i]
		status := "default"
		if r.Status > 0 {
			status = strconv.Itoa(r.Status)
		}
		responses = responses.with(status, c.response(r))
	}
	return node.with("responses", responses)
}

func (c components) parameter(p *Parameter) object {
	c.schema(p.Schema)
	node := object{{"name", p.Name}, {"in", p.In}}
	if p.Required {
		node = node.with("required", true)
	}
	node = node.withText("description", p.About)
	switch {
	case p.Commas:
		node = node.with("style", "form").with("explode", false)
	case p.Brackets:
		node = node.with("style", "deepObject").with("explode", true)
	}
	node = node.with("schema", p.Schema)
	return c.share("parameters", p.Component, node)
}

func (c components) response(r *Response) object {
	node := object{{"description", r.About}}
	var headers object
	for _, h := range r.Headers {
		headers = headers.with(h.Name, c.header(h))
	}
	if headers != nil {
		node = node.with("headers", headers)
	}
	if r.Body != nil {
		c.schema(r.Body)
		content := object{{"schema", r.Body}}
		if named := c.examples(r.Examples); named != nil {
			content = content.with("examples", named)
		} else if len(r.Examples) > 0 {
			content = content.with("example", r.Examples[0].Value)
		}
		node = node.with("content", object{{r.Media, content}})
	}
	return c.share("responses", r.Component, node)
}

func (c components) header(h Header) object {
	name := h.Name
	node := object{{"description", h.About}}
	if h.Required {
		name, node = name+".always", node.with("required", true)
	}
	return c.share("headers", name, node.with("schema", h.Schema))
}

func (c components) examples(all []Example) (named object) {
	for _, e := range all {
		if e.Name != "" {
			node := object{}.withText("summary", e.Summary).with("value", e.Value)
			named = named.with(e.Name, c.share("examples", e.Name, node))
		}
	}
	return named
}

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
