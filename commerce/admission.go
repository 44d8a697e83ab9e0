package commerce

import (
	"errors"
	"net/netip"
	"time"

	"github.com/google/uuid"
)

// Ask is what a request needs to know before its guards can judge it.
type Ask struct {
	// Key is the hash of the API key; nil: the request carries none.
	Key *KeyHash
	// Client is whom the limiter counts when no key resolves.
	Client netip.Addr
	// Cart is the cart in the path; zero: none.
	Cart uuid.UUID
	// Token is the hash of X-Customer-Token; nil: not sent.
	Token *KeyHash
	// Contact asks for the whole record of the token's contact.
	Contact bool
	// Once is the name of the request's Idempotency-Key; nil: not sent, or of no
	// record that is there already. Where Contact is asked for, its scope is the
	// token's contact, which the store adds to the name.
	Once *[16]byte
	// Began and Deadline bound the request, by the node's monotonic clock.
	Began, Deadline time.Time
	// Counted is what the request limit said when the request was counted already; nil:
	// it was not.
	Counted *Budget
	// Presume lets the node admit a write by what it knows, before Redis is asked.
	Presume bool
	// Fallback lets the node answer from what it knows, under its own window,
	// while Redis is away (me; ping is never admitted).
	Fallback bool
}

// Admission is the answer: one Redis round trip's worth of facts, all of one moment.
type Admission struct {
	// Presumed is not nil where Redis was not asked yet. Now is then what the node
	// makes of Redis's clock, Seen what it holds, and the request is counted with its
	// commit, if Redis agrees with all of it. Nothing but that commit's success, or that
	// it exceeds the request limit, may be answered to it (ErrPresumed).
	Presumed Presumption
	// Now is Redis's time, in milliseconds: the request's clock. Latest is, of a presumed
	// admission, what Now may have been at most: a trip's length later.
	Now, Latest time.Time
	Budget      Budget
	// Store and Key are nil where the API key does not resolve.
	Store   *Store
	Key     *APIKey
	Visitor Visitor
	// Seen is the cart in the path, where the request names one.
	Seen Sighting[*Cart]
	// Contact is the token's, where it was asked for and the token resolves.
	Contact Sighting[*Contact]
	// Entry is what is remembered under the asked Idempotency-Key; nil: nothing.
	Entry *IdempotencyEntry
}

// Presumption is the store as a node knows it, in persistence's own terms: a pointer, the
// same one for as long as that does not change.
type Presumption any

// Budget is the state of the request limit after this request.
// Spec: Limits, Rate-limit headers.
type Budget struct {
	Granted   bool
	Limit     int
	Remaining int
	// RetryAfter is until the next request can be granted; only where it was not.
	RetryAfter time.Duration
	// Reset is when the oldest counted request leaves the window; only where not granted.
	Reset time.Time
}

var (
	// ErrUnavailable means that nothing was done: 503.
	ErrUnavailable = errors.New("unavailable: nothing was done")
	// ErrPresumed means that nothing was done: a presumed admission does not carry the
	// answer, so ask for one that is not. What the limit said is told where it has
	// counted the request.
	ErrPresumed = errors.New("the admission was presumed")
	// ErrUnknownOutcome means that a write was sent and its fate is not known: 504.
	ErrUnknownOutcome = errors.New("the outcome of the write is not known")
)

// Reply is what a cart route answers from. Beside a refusal for a version that does
// not match it holds the cart that stands there.
type Reply struct {
	Cart *Cart
	// Stamp is the record's; Place counts the command within its commit, 0 for
	// the last one and for every read.
	Stamp Stamp
	Place int
	// Replayed: the request was applied before.
	Replayed bool
	// Budget is what the commit told of the request limit, where the admission was
	// presumed; zero: nothing. Beside TooManyAttempts it says when to come back, beside
	// ErrPresumed that the request is counted.
	Budget Budget
}

// CartRequest is one admitted request on a cart, as the engine serves it.
type CartRequest struct {
	Admission
	// Cart is the id in the path, or of the cart to be created.
	Cart uuid.UUID
	// Command is the change asked for; nil: a read, or a creation.
	Command Command
	// Fault is what the decoder found wrong with the body.
	Fault *Refusal
	// Key is the request's Idempotency-Key, Match its If-Match; nil: not sent.
	Key   *IdempotencyKey
	Match *Match
	// Began and Deadline bound the request, by the node's monotonic clock.
	Began, Deadline time.Time
}
