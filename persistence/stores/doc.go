// Package stores owns the store documents in Redis: the head, the packed settings, API keys,
// usage counts and the secret; their import, export, list and drop; and the stores in a node's
// memory.
//
// It serves no request and writes no cart. It parses no document: the decoder is an argument of
// New.
//
// Open first: head.go (which version is in force), loaded.go (the form of a store), stores.go and
// follow.go (how a node follows it), import.go.
package stores
