package commerce

import (
	"math"
	"net/netip"
	"time"

	"github.com/google/uuid"
)

// SessionLifetime is how long an issued customer token resolves.
const SessionLifetime = 30 * 24 * time.Hour

// EndedSession is the session number of a token that was ended: no contact has it.
const EndedSession uint64 = math.MaxUint64

// Session is a customer token with what its key says.
type Session struct {
	Token KeyHash
	// ExpiresAt is in Unix milliseconds.
	ExpiresAt int64
	Number    uint64
}

// SessionMove carries one token over the end of all sessions.
type SessionMove struct{ From, To Session }

// SignedIn is the answer of login and registration: the only time that a token is
// shown.
type SignedIn struct {
	Token     string
	ExpiresAt time.Time
	Contact   *Contact
}

// Event is one message of the store's outbox, on its way to the webhooks.
type Event struct {
	Name string
	// Body is the event as JSON.
	Body []byte
}

// EventPasswordReset carries a reset's token to whoever mails it.
const EventPasswordReset = "contact.password_reset_requested"

// Wants reports whether a webhook of the store takes an event.
func (s *Store) Wants(event string) bool {
	for i := range s.Webhooks {
		for _, name := range s.Webhooks[i].Events {
			if name == event {
				return true
			}
		}
	}
	return false
}

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
	// Client is whose login failures are counted.
	Client netip.Addr
	// Began and Deadline bound the request, by the node's monotonic clock.
	Began, Deadline time.Time
}

// LoginFailures is how many logins of one caller with one e-mail address may fail
// within RateWindow.
const LoginFailures = 5
