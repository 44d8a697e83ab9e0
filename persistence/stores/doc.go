// Package stores owns the store documents in Redis: the head, the packed settings, API keys,
// usage counts and the secret; their import, export, list and drop; and the stores in a node's
// memory.
//
// It serves no request and writes no cart. It judges no document: an import gets one that was judged, and change sets are
// judged by engine.StoreSets.
//
// Open first: record.go (the commit of a version), loaded.go (the head, which says what version is in force, and the
// form of a store), stores.go and follow.go (how a node follows it), import.go, change_set.go (what a commit of change sets writes).
package stores
