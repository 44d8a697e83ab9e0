// Package unpaid ends orders that nobody has paid in time. The node that leases a store in the outbox's
// index has a turn at the store's unpaid orders; a batch of orders is ended on a goroutine of its own, so
// that deliveries go on. Each order is ended by the compare-and-set of every other write: of a payment and
// an end at one moment exactly one wins.
//
// It knows no script: package persistence carries out the visits.
//
// Open first: unpaid.go (the turns), batch.go (the ends).
package unpaid
