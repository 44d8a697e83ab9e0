// Package model says what the service should do, slowly and obviously: the
// records that the fault suite changes, the commands that change them, as rows of
// data, and what an answer has to add up to.
//
// It knows no process, no clock and nothing of how the service is built. A new
// command is a row in a table (carts.go), a new kind of record a Kind.
//
// Open first: command.go (what a row says), carts.go (the rows of carts).
package model
