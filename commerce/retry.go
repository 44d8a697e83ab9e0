package commerce

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"time"

	"github.com/google/uuid"
)

// IdempotencyTTL is how long a request is remembered under its Idempotency-Key.
const IdempotencyTTL = 24 * time.Hour

// IdempotencyKey is a client's word that a request, when it comes again, is the
// same one.
type IdempotencyKey struct {
	// Name is the hash of the key and its scope: the cart in the path, or the store
	// and its customer where there is none yet.
	Name [16]byte
	// Request is the hash of method, canonical route and body.
	Request [16]byte
	// Status is the HTTP status of the request's success.
	Status int
}

// IdempotencyEntry is what is remembered of a request that succeeded: no answer
// and no secret.
type IdempotencyEntry struct {
	Request [16]byte
	Status  int
	// Stamp is the commit's.
	Stamp Stamp
	// Made is the id that the request made; zero: none.
	Made uuid.UUID
}

// Settles reports whether an entry answers the request with this key: it is the
// same request again. The refusal is for another request under the same key.
func (e *IdempotencyEntry) Settles(k *IdempotencyKey) (bool, *Refusal) {
	switch {
	case e == nil || k == nil:
		return false, nil
	case e.Request != k.Request:
		return false, IdempotencyKeyReused
	}
	return true, nil
}

// Version is what a client is told of a record's stamp: its hash, never 0.
type Version uint64

// Version returns the version of the state that a command left: place is 0 for the
// last command of a commit, and for every read.
func (s Stamp) Version(place int) Version {
	var b [32]byte
	binary.BigEndian.PutUint64(b[:], s.Counter)
	binary.BigEndian.PutUint64(b[8:], s.Writer)
	binary.BigEndian.PutUint64(b[16:], s.Sequence)
	binary.BigEndian.PutUint64(b[24:], uint64(place))
	h := fnv.New64a()
	h.Write(b[:])
	return Version(max(h.Sum64(), 1))
}

// Match is an If-Match: the versions that the record must be at. Nil: any.
type Match struct {
	// Any is the asterisk: there only has to be a record.
	Any      bool
	Versions []Version
}

// allows reports whether a state of this version meets the condition; 0 is a state
// that no client has seen yet.
func (m *Match) allows(v Version) bool {
	return m == nil || m.Any || slices.Contains(m.Versions, v) && v != 0
}
