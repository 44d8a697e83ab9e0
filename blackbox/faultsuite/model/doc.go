// Package model owns the expected behaviour of the service, in a slow and obvious form: the records
// that the fault suite changes, the commands as rows of data, and the checks of an answer's
// figures.
//
// It refuses to know processes, clocks and the parts of the service. A new command is a row in a
// table (carts.go), a new kind of record is a Kind.
//
// Open first: command.go (the fields of a row), carts.go (the rows of carts).
package model
