// Package bodies states every field of the requests' bodies once: its name, its schema, a sentence about it, its rule, and where its
// value goes.
//
// A body is a table of rows, one a field. The description of the API, the names of unknown fields, and the reading of a body all walk the
// rows. A kind of fields holds schema and rule together, made from the same limit of commerce. The package knows no route and no
// record: it reads what was sent, and collects the faults in the order of the rows.
//
// Rows are those of internal/field. Open first: body.go (how a body is read), line.go (tables of rows), plain.go (texts and numbers).
package bodies
