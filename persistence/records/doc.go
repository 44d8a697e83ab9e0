// Package records owns the records of carts, contacts, quotes and orders: their keys and codecs, and
// the script that compares and writes them (write.lua) with its visits and plans.
//
// It knows bytes and keys. It does not decide what is written beside a record, and sends nothing.
//
// Open first: record.go (what a record is), codec.go, visit.go (a call of the script), plan.go.
package records
