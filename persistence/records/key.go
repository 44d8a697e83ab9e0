package records

import (
	"encoding/hex"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// All keys of a store begin with its hash tag, so that they share a slot. The keys of one noun
// stand in the noun's file.

// SingleKey is a key that a store has once.
func SingleKey(store uuid.UUID, kind string) string { return "{" + store.String() + "}:" + kind }

// KeyPrefix is the beginning of the keys that a store has many of.
func KeyPrefix(store uuid.UUID, kind string) string { return SingleKey(store, kind) + ":" }

// maxKey is room for the longest key of a record or a hash: a tag, a kind, 64 digits.
const maxKey = 128

// idKey is a key that ends with an id.
func idKey(k engine.RecordKey, kind string) string {
	var key [maxKey]byte
	return string(appendIDKey(key[:0], k, kind))
}

// appendIDKey appends a key that ends with an id.
func appendIDKey(dst []byte, k engine.RecordKey, kind string) []byte {
	return commerce.AppendID(appendPrefix(dst, k.Store, kind), k.ID)
}

// HashKey is a key that ends with a hash, in hexadecimal digits.
func HashKey(store uuid.UUID, kind string, hash []byte) string {
	var key [maxKey]byte
	return string(hex.AppendEncode(appendPrefix(key[:0], store, kind), hash))
}

func appendPrefix(dst []byte, store uuid.UUID, kind string) []byte {
	dst = append(commerce.AppendID(append(dst, '{'), store), "}:"...)
	return append(append(dst, kind...), ':')
}

// Millis is a time as an argument of a script; empty for the zero time.
func Millis(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.UnixMilli(), 10)
}
