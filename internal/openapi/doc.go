// Package openapi describes an HTTP API as an OpenAPI 3.1 document.
//
// It owns the declaration of schemas as Go values, and the form of the document: which parts are
// shared, and the order of all members. It knows no route, no request and no rule of the engine;
// packages answers and httpserver pass them in.
//
// Open first: schema.go (the declaration of a shape), document.go (the parts of a document).
package openapi
