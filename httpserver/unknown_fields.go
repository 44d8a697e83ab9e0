package httpserver

import (
	"slices"
	"strconv"
	"strings"

	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

const (
	// maxIgnored is the maximum number of names in X-Ignored-Fields and in X-Ignored-Parameters,
	// maxIgnoredName the maximum length of a name.
	maxIgnored     = 5
	maxIgnoredName = 64
)

// nameIgnored lists the fields of the body and the parameters of the query that the route does not
// know, so that clients notice a misplaced one. They have no effect.
func (x *exchange) nameIgnored() {
	x.nameIgnoredFields()
	x.nameIgnoredParameters()
}

func (x *exchange) nameIgnoredFields() {
	shape := x.route.api.in
	if shape == nil {
		return
	}
	if names := appendIgnored(nil, shape, "", x.body.Value()); len(names) > 0 {
		x.setHeader(headerIgnored, strings.Join(names, ", "))
	}
}

// nameIgnoredParameters names the parameters that the route's row lacks, such as colour, and values
// of include that it lacks, such as include.facets. A path without a row names none.
func (x *exchange) nameIgnoredParameters() {
	args := x.ctx.QueryArgs()
	if x.route.api.id == "" || args.Len() == 0 {
		return
	}
	var names []string
	for name, value := range args.All() {
		switch {
		case string(name) == includeParameter:
			names = x.route.appendUnknownIncludes(names, string(value))
		case string(name) == taxCountryParameter.Name && x.route.api.taxed && x.facts.Store.Country == commerce.Country{},
			!slices.ContainsFunc(x.route.api.query, func(p openapi.Parameter) bool { return isParameter(&p, string(name)) }):
			names = appendName(names, string(name))
		}
	}
	if len(names) > 0 {
		x.setHeader(headerUnknown, strings.Join(names, ", "))
	}
}

// isParameter reports whether a name in a query is that of a parameter. A list is read with and without
// brackets, a map only with a name in them.
func isParameter(p *openapi.Parameter, name string) bool {
	list, isList := strings.CutSuffix(p.Name, "[]")
	switch {
	case isList:
		return listName(name) == list
	case p.Brackets:
		return strings.HasPrefix(name, p.Name+"[")
	}
	return name == p.Name
}

// appendIgnored collects the paths of members that a shape does not have, such as lines.0.color,
// each once, at most maxIgnored.
func appendIgnored(names []string, shape *openapi.Schema, path string, value strictjson.Value) []string {
	shape = shape.NotNull()
	if items := shape.Items(); items != nil {
		for i, item := range value.Items() {
			names = appendIgnored(names, items, path+strconv.Itoa(i)+".", item)
		}
		return names
	}
	if shape.Fields() == nil {
		return names
	}
	for name, member := range value.Pairs() {
		switch field := fieldNamed(shape, name); {
		case field == nil:
			names = appendName(names, path+name.Text())
		case member.Kind() == strictjson.Object, member.Kind() == strictjson.Array:
			names = appendIgnored(names, field.Schema, path+field.Name+".", member)
		}
	}
	return names
}

// appendName adds a name that may appear in the header, unless it is there or the header is full.
func appendName(names []string, name string) []string {
	if len(names) < maxIgnored && nameable(name) && !slices.Contains(names, name) {
		names = append(names, name)
	}
	return names
}

func fieldNamed(shape *openapi.Schema, name strictjson.Value) *openapi.Field {
	fields := shape.Fields()
	for i := range fields {
		if name.Is(fields[i].Name) {
			return &fields[i]
		}
	}
	return nil
}

// nameable reports whether a name may appear in the header.
func nameable(name string) bool {
	for i := range len(name) {
		if c := name[i] | 0x20; (c < 'a' || c > 'z') && (name[i] < '0' || name[i] > '9') && name[i] != '_' && name[i] != '-' && name[i] != '.' {
			return false
		}
	}
	return name != "" && len(name) <= maxIgnoredName
}
