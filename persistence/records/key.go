package records

import (
	"encoding/hex"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// Every key of a store begins with its hash tag, so that all of them share a slot; one
// noun's keys stand in its file.

// SingleKey is the one key of a kind that a store has.
func SingleKey(store uuid.UUID, kind string) string { return "{" + store.String() + "}:" + kind }

// KeyPrefix begins the keys of a kind of which a store has many.
func KeyPrefix(store uuid.UUID, kind string) string { return SingleKey(store, kind) + ":" }

// maxKey is room for the longest key of a record or a hash: a tag, a kind, 64 digits.
const maxKey = 128

// IDKey is the key of a kind that has an id.
func IDKey(k engine.RecordKey, kind string) string {
	var key [maxKey]byte
	return string(commerce.AppendID(appendPrefix(key[:0], k.Store, kind), k.ID))
}

// HashKey is the key of a kind that has a hash, in hexadecimal digits.
func HashKey(store uuid.UUID, kind string, hash []byte) string {
	var key [maxKey]byte
	return string(hex.AppendEncode(appendPrefix(key[:0], store, kind), hash))
}

func appendPrefix(dst []byte, store uuid.UUID, kind string) []byte {
	dst = append(commerce.AppendID(append(dst, '{'), store), "}:"...)
	return append(append(dst, kind...), ':')
}

// Millis is a time as scripts take it; empty for none.
func Millis(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.UnixMilli(), 10)
}
