package httpserver

import (
	"slices"

	"cartd/internal/answers"
	"cartd/internal/openapi"
)

var cartDetails = include{answers.IncludeDetails, "adds what a page shows of a cart beside its envelope."}

// showsCart reports whether a success of the route has a cart envelope.
func (r *route) showsCart() bool {
	return r.api.out != nil && slices.ContainsFunc(r.api.out.Fields(), func(f openapi.Field) bool { return f.Name == answers.IncludeDetails })
}
