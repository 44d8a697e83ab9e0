// Package conformance checks exchanges of HTTP against the API's OpenAPI document, for tests.
//
// It knows the document only, and nothing of the server that wrote it: a test hands over the
// document and every exchange that it has seen. Fields that the document does not declare are
// faults too, and so are refusals that it does not list.
//
// Open first: checker.go.
package conformance
