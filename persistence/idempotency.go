package persistence

import (
	"crypto/rand"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// Some writes have no record but the idempotency entry of their request: adjustments of stock, requests
// for codes. A change set writes its entry with the head of the store.

// unkeyedFor is how long such a request without an Idempotency-Key is remembered: far longer
// than it may be resent after a lost reply.
const unkeyedFor = 10 * time.Minute

// entryVisit is a visit of which the record is the idempotency entry itself; key is nil if the request
// has none.
func entryVisit(store uuid.UUID, key *engine.IdempotencyKey, now time.Time) records.Visit {
	keptFor := engine.IdempotencyTTL
	if key == nil {
		key, keptFor = &engine.IdempotencyKey{}, unkeyedFor
		rand.Read(key.Name[:])
	}
	return records.Visit{
		Key: records.IdempotencyKey(store, key.Name), Record: newEntry(&engine.Effects{Idempotency: key}), Expiry: records.Millis(now.Add(keptFor)),
	}
}

// newEntry is an entry that no record's commit writes.
func newEntry(e *engine.Effects) string {
	return string(records.MakeEntry(e, engine.Stamp{Counter: 1, Writer: records.NewWriter(), Sequence: 1}))
}

// earlier reads the entry that an earlier request with the same Idempotency-Key has left. Errors:
// IdempotencyKeyReused if it was another request, ErrUnavailable.
func (d *DB) earlier(r *engine.Request, key, text string) (*engine.IdempotencyEntry, error) {
	entry, err := records.ParseEntry(text)
	switch {
	case err != nil || entry == nil:
		return nil, d.client.Unreadable(redisdb.BrokenKey(key), key)
	case r.Idempotency == nil || entry.Request != r.Idempotency.Request:
		return nil, commerce.IdempotencyKeyReused
	}
	return entry, nil
}
