// Package records owns the records of carts, contacts, quotes, orders and stores: their keys and
// codecs, and the script that compares and writes them (write.lua) with its visits and plans.
//
// It knows bytes and keys. It does not decide which effects a record has, and sends nothing.
//
// Open first: record.go (the form of a record and of a kind), coder.go (how fields are stated), visit.go
// (a call of the script), plan.go.
package records
