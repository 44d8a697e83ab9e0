// Package answers states every field of the API's answers once: its name, its schema, a sentence about it, and how it is written.
//
// It owns the objects that the API, the events and the operator's commands show: carts, orders, quotes, contacts, products. An object
// is a table of rows, one a field; the description of the API and the encoder both walk the rows. The package knows no route, no
// header and no page of Redis. It judges nothing: what is shown was decided in commerce.
//
// Rows are those of internal/field. Open first: plain.go (the plain kinds), cart.go (a table of rows).
package answers
