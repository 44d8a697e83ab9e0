// Package persistence keeps everything in Redis: records under a compare-and-set,
// store documents under a revision, customers, tokens and API keys; and it asks
// the request limiter in the round trip in which it reads or writes a request's record.
//
// It knows no HTTP and no rule of commerce: it moves states and judges nothing but
// stamps. One noun's key, codec and script stand in one file.
//
// Open first: admit.go (a read's round trip, and what a write recalls), visit.go and wire.go (a
// write's), store.go (how a store is kept and followed). docs/operations.md lists every key.
package persistence
