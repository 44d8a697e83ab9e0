// Package openapi writes an HTTP API down as an OpenAPI 3.1 document.
//
// It owns schemas as values that are declared in a few words, and the document's form: which
// parts are shared, and the order of all members. It knows no route, no request and no rule of
// the engine: package httpserver says what there is.
//
// Open first: schema.go (how a shape is declared), document.go (what a document is made of).
package openapi
