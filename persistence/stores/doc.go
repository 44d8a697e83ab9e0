// Package stores owns the store documents in Redis: the head, the packed settings, API keys, usage
// counts and the secret; their import, export, list and drop; and what a node has of them in memory.
//
// It serves no request and writes no cart. It parses no document: Decode is given to New.
//
// Open first: store.go (how a store is kept), stores.go (how a node follows it), import.go.
package stores
