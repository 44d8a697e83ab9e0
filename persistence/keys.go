package persistence

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// Every key of a store begins with its hash tag, so that all of them share a slot; one
// noun's keys stand in its file.

// longestKey is room for the longest key of a record or a hash: a tag, a kind, 64 digits.
const longestKey = 128

// singleKey is the one key of a kind that a store has.
func singleKey(store uuid.UUID, kind string) string { return "{" + store.String() + "}:" + kind }

// appendKeyPrefix begins the keys of a kind of which a store has many.
func appendKeyPrefix(dst []byte, store uuid.UUID, kind string) []byte {
	dst = append(commerce.AppendID(append(dst, '{'), store), "}:"...)
	return append(append(dst, kind...), ':')
}

// keyPrefix is what appendKeyPrefix writes.
func keyPrefix(store uuid.UUID, kind string) string { return singleKey(store, kind) + ":" }
