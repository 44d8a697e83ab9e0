package commerce

import (
	"time"

	"github.com/google/uuid"
)

// ContactRequest is one admitted request on a contact, as the engine serves it.
type ContactRequest struct {
	Admission
	// Contact is the contact's id: the token's, or one found by e-mail.
	Contact uuid.UUID
	// Command is the change asked for; nil: a read.
	Command ContactCommand
	// Fault is what the decoder found wrong with the body.
	Fault *Refusal
	// Key is the request's Idempotency-Key, Match its If-Match; nil: not sent.
	Key   *IdempotencyKey
	Match *Match
	// Began and Deadline bound the request, by the node's monotonic clock.
	Began, Deadline time.Time
}

// ContactReply is what a contact route answers from, as Reply is for carts.
type ContactReply struct {
	Contact *Contact
	// Address is the address that the answer shows; zero: none.
	Address  uuid.UUID
	Stamp    Stamp
	Place    int
	Replayed bool
}

// AccountRequest is one admitted request on an account that is named by its
// e-mail address, or by the token where there is one.
type AccountRequest struct {
	Admission
	// Email is valid and lower-cased.
	Email               string
	FirstName, LastName string
	// Current is the password in force, Password the new one, or at a login the one
	// to be checked: clear text, never logged and never kept.
	Current, Password string
	// ResetToken is the hash of the token that opens a reset.
	ResetToken KeyHash
	// Caller is whose login failures are counted.
	Caller Caller
	// Began and Deadline bound the request, by the node's monotonic clock.
	Began, Deadline time.Time
}
