// Package operator has what the commands of cartd do to the records of a store: it finds carts, orders,
// quotes, customers and stock, erases a customer's personal data, approves accounts, checks all records
// of a Redis, and leaves numbers of orders out.
//
// It runs beside the nodes that serve the store. It reads records from Redis, never from a node's memory,
// and changes one by the compare-and-set that every other write is. It knows no flag and prints nothing.
//
// Open first: lookup.go (to find a record), rewrite.go (to change one).
package operator

import "cartd/persistence"

// Operator carries out an operator's commands.
type Operator struct{ *persistence.DB }

// New returns the operator of a Redis.
func New(db *persistence.DB) Operator { return Operator{db} }
