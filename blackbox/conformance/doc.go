// Package conformance owns the comparison of HTTP exchanges with the API's OpenAPI document, for
// tests. Undeclared fields and unlisted refusals are faults.
//
// It refuses to know the server that wrote the document: a test passes the document and its
// exchanges.
//
// Open first: checker.go.
package conformance
