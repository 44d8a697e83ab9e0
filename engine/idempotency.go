package engine

import (
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
	// Text is the entry as Redis holds it, which a visit compares.
	Text string
}
