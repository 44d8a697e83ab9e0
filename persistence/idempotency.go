package persistence

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
)

// onceKey is what is remembered of a request under its Idempotency-Key, for
// commerce.IdempotencyTTL: {<store>}:once:<hash of scope and key>.
func onceKey(store uuid.UUID, name [16]byte) string {
	var key [longestKey]byte
	return string(hex.AppendEncode(appendKeyPrefix(key[:0], store, "once"), name[:]))
}

// contactOnceKey is onceKey in the scope of a contact: {<store>}:once:<customer
// id>:<hash of key>. The token script makes it too, for whom a token is stands only
// in Redis.
func contactOnceKey(k commerce.RecordKey, name [16]byte) string {
	return oncePrefix(k.Store) + k.ID.String() + ":" + hexText(name[:])
}

func oncePrefix(store uuid.UUID) string { return keyPrefix(store, "once") }

// onceTTL is IdempotencyTTL as the commit script takes it.
var onceTTL = strconv.FormatInt(commerce.IdempotencyTTL.Milliseconds(), 10)

// entrySize: hash of the request (16 bytes), status (2), stamp (24), id made (16).
const entrySize = 16 + 2 + stampSize + 16

// makeEntry is what a commit remembers of one of its requests.
func makeEntry(e *commerce.Effects, stamp commerce.Stamp) []byte {
	dst := make([]byte, 0, entrySize)
	dst = append(dst, e.Key.Request[:]...)
	dst = binary.BigEndian.AppendUint16(dst, uint16(e.Key.Status))
	dst = appendStamp(dst, stamp)
	return append(dst, e.Made[:]...)
}

// parseEntry reads an entry; nil where there is none.
func parseEntry(text string) (*commerce.IdempotencyEntry, error) {
	if text == "" {
		return nil, nil
	}
	r := reader{b: text}
	e := &commerce.IdempotencyEntry{}
	copy(e.Request[:], r.take(len(e.Request)))
	e.Status = int(r.byte())<<8 | int(r.byte())
	e.Stamp = r.stamp()
	e.Made = r.uuid()
	if r.bad {
		return nil, errCorrupt
	}
	return e, nil
}

func parseEntries(texts []string) ([]*commerce.IdempotencyEntry, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	entries := make([]*commerce.IdempotencyEntry, len(texts))
	for i, text := range texts {
		var err error
		if entries[i], err = parseEntry(text); err != nil {
			return nil, err
		}
	}
	return entries, nil
}
