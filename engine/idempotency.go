package engine

import (
	"time"

	"github.com/google/uuid"
)

// IdempotencyTTL is the lifetime of an idempotency entry.
const IdempotencyTTL = 24 * time.Hour

const (
	// MaxIdempotencyKey and MinCreationKey bound the characters of an Idempotency-Key. The minimum
	// holds where a cart is created: there the key alone separates two visitors.
	MaxIdempotencyKey = 255
	MinCreationKey    = 16
)

// ValidIdempotencyKey reports whether a key is printable ASCII of a valid length.
func ValidIdempotencyKey(key []byte, creates bool) bool {
	minLength := 1
	if creates {
		minLength = MinCreationKey
	}
	for _, c := range key {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return len(key) >= minLength && len(key) <= MaxIdempotencyKey
}

// IdempotencyKey identifies a request that a client may repeat.
type IdempotencyKey struct {
	// Name is the hash of the key and its scope. The scope is the cart in the path; without one, the
	// store and its customer.
	Name [16]byte
	// Request is the hash of method, canonical route and body.
	Request [16]byte
	// Status is the HTTP status of the request's success.
	Status int
	// Customer is the one in the scope of a creation; zero if there is none.
	Customer uuid.UUID
}

// IdempotencyEntry is the stored trace of a request that succeeded. It has no answer and no secret.
type IdempotencyEntry struct {
	Request [16]byte
	Status  int
	// Stamp is the commit's.
	Stamp Stamp
	// Made is the id that the request made; zero if it made none.
	Made uuid.UUID
	// Text is the entry's value in Redis, which a visit compares.
	Text string
}
