package engine

import (
	"time"

	"github.com/google/uuid"
)

// IdempotencyTTL is how long a request is remembered under its Idempotency-Key.
const IdempotencyTTL = 24 * time.Hour

const (
	// MaxIdempotencyKey is how many characters an Idempotency-Key has at most, MinCreationKey how many
	// at least where it creates a cart: there the key is all that tells two visitors apart.
	MaxIdempotencyKey = 255
	MinCreationKey    = 16
)

// ValidIdempotencyKey reports whether a key can be used: printable ASCII of a good length.
func ValidIdempotencyKey(key []byte, creates bool) bool {
	shortest := 1
	if creates {
		shortest = MinCreationKey
	}
	for _, c := range key {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return len(key) >= shortest && len(key) <= MaxIdempotencyKey
}

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
	// Text is the entry as Redis holds it, which a visit compares.
	Text string
}
