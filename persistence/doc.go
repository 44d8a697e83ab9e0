// Package persistence keeps everything in Redis: records under a compare-and-set,
// store documents under a revision, customers, tokens and API keys; and it asks
// the request limiter in the same round trip in which a request is admitted.
//
// It knows no HTTP and no rule of commerce: it moves states and judges nothing but
// stamps. One noun's key, codec and script stand in one file.
//
// Open first: admit.go (the first round trip of a request), commit.go (the second),
// store.go (how a store is kept and followed). docs/operations.md lists every key.
package persistence
