package records

import (
	"encoding/binary"
	"strconv"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence/redisdb"
)

// IdempotencyKey is the key of an entry, which expires after engine.IdempotencyTTL:
// {<store>}:once:<hash of scope and key>.
func IdempotencyKey(store uuid.UUID, name [16]byte) string { return HashKey(store, "once", name[:]) }

func storeIdempotencyKey(k engine.RecordKey, name [16]byte) string {
	return IdempotencyKey(k.Store, name)
}

// contactIdempotencyKey is an entry's key in the scope of a contact: {<store>}:once:<customer
// id>:<hash of key>.
func contactIdempotencyKey(k engine.RecordKey, name [16]byte) string {
	return HashKey(k.Store, "once:"+k.ID.String(), name[:])
}

// IdempotencyTTL is engine.IdempotencyTTL in milliseconds, as text for Redis.
var IdempotencyTTL = strconv.FormatInt(engine.IdempotencyTTL.Milliseconds(), 10)

// An entry begins like a record: format (1 byte), stamp (24); then hash of the request (16), status
// (2), id made (16).
const (
	entryFormat = 1
	entrySize   = HeadFrom + 16 + 2 + 16
)

// MakeEntry encodes the entry of one of a commit's requests.
func MakeEntry(e *engine.Effects, stamp engine.Stamp) []byte {
	dst := make([]byte, 0, entrySize)
	dst = AppendStamp(append(dst, entryFormat), stamp)
	dst = append(dst, e.Idempotency.Request[:]...)
	dst = binary.BigEndian.AppendUint16(dst, uint16(e.Idempotency.Status))
	return append(dst, e.Made[:]...)
}

// ParseEntry decodes an entry; nil if the text is empty.
func ParseEntry(text string) (*engine.IdempotencyEntry, error) {
	if text == "" {
		return nil, nil
	}
	r := reader{b: text}
	e := &engine.IdempotencyEntry{Text: text}
	_, e.Stamp = r.open(entryFormat)
	copy(e.Request[:], r.next(len(e.Request)))
	e.Status = int(r.byte())<<8 | int(r.byte())
	e.Made = r.uuid()
	if r.bad {
		return nil, redisdb.ErrCorrupt
	}
	return e, nil
}
