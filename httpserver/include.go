package httpserver

import (
	"slices"
	"strings"

	"cartd/internal/answers"
	"cartd/internal/openapi"
)

// includeParameter is the query parameter that lists additions to an answer, separated by commas.
const includeParameter = "include"

// include is an addition to the answers of a route.
type include struct{ name, about string }

// allIncludes returns the additions that the route has.
func (r *route) allIncludes() []include {
	all := slices.Clone(r.api.includes)
	if r.showsCart() {
		all = append(all, cartDetails, cartStock)
	}
	return append(all, include{answers.IncludeErrorCodes, "adds the codes of `errors` to a refusal that has them."})
}

// includeQuery describes the parameter include of the route.
func (r *route) includeQuery() openapi.Parameter {
	var names, about []string
	for _, i := range r.allIncludes() {
		names, about = append(names, i.name), append(about, "`"+i.name+"` "+i.about)
	}
	return openapi.Parameter{In: "query", Name: includeParameter, Commas: true, Schema: openapi.List(openapi.Names(names...)),
		About: "Additions to the answer, separated by commas. " + strings.Join(about, " ")}
}

// appendUnknownIncludes collects the values of a list that the route does not have.
func (r *route) appendUnknownIncludes(names []string, list string) []string {
	for value := range strings.SplitSeq(list, ",") {
		if value != "" && !slices.ContainsFunc(r.allIncludes(), func(i include) bool { return i.name == value }) {
			names = appendName(names, includeParameter+"."+value)
		}
	}
	return names
}

// includes reports whether the request asks for an addition.
func (x *exchange) includes(name string) bool {
	for value := range strings.SplitSeq(lastArg(x, includeParameter), ",") {
		if value == name {
			return true
		}
	}
	return false
}
