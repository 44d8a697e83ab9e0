package engine

import (
	"net/netip"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Request is one request from its decoding to its reply.
type Request struct {
	// Guards are the judgements of its route.
	Guards *Guards
	// KeyHash is the hash of the API key; nil if the request carries none.
	KeyHash *commerce.KeyHash
	// Caller is whom the limiter counts if no key resolves.
	Caller Caller
	// Token is the hash of X-Customer-Token; nil if none was sent.
	Token *commerce.KeyHash

	// CartID is the cart in the path, or the cart to be created; zero if there is none.
	CartID uuid.UUID
	// OfContact asks for the record of the token's contact. ContactID is that contact, or one
	// that was found by e-mail.
	OfContact bool
	ContactID uuid.UUID
	// QuoteToken is the token in the path, QuoteID the quote that it was found to name.
	QuoteToken string
	QuoteID    uuid.UUID
	// Part is the address that the answer shows; zero if it shows the whole record.
	Part uuid.UUID

	// CartCommand, ContactCommand and QuoteCommand are the change asked for; all nil for a read and
	// for a creation.
	CartCommand    commerce.Command[*commerce.Cart]
	ContactCommand commerce.Command[*commerce.Contact]
	QuoteCommand   commerce.Command[*commerce.Quote]
	// Fault is what the decoder found wrong with the body. It is judged in its place.
	Fault *commerce.Refusal
	// Idempotency is the request's Idempotency-Key, Match its If-Match; nil if not sent.
	Idempotency *IdempotencyKey
	Match       *Match

	// Began and Deadline bound the request, by the node's monotonic clock.
	Began, Deadline time.Time
	// Write: a visit will count the request and compare its facts, so that the node may judge it by
	// what it knows.
	Write bool
	// Timing notes the request's phases; nil if nobody asks.
	Timing *Timing

	Facts
}

// Caller is who sent a request, by address.
type Caller struct {
	Addr netip.Addr
	// Forwarded is true if a trusted proxy named the address, so that it is a visitor's own.
	// Without a trusted proxy all visitors of a storefront's server share one address.
	Forwarded bool
}

// Guards are the judgements of a route that need no record.
type Guards struct {
	// Quotes: the store must take requests for quotes. It is judged before the modules.
	Quotes bool
	// Modules must be enabled; the first that is not is named in the refusal.
	Modules []commerce.Module
	// Scopes of which the API key needs any one; none if every key may.
	Scopes commerce.Scopes
	// Token is the answer if X-Customer-Token is missing or does not resolve; nil if the token
	// is optional.
	Token *commerce.Refusal
	// Customers: no token resolves where the customers module is off, so that Token is the answer.
	Customers bool
	// SentToken is the answer if X-Customer-Token is sent, if only empty, and does not resolve, while
	// the store has the customers module; nil if such a token is nobody's.
	SentToken *commerce.Refusal
	// Fallback lets the node answer from what it knows, under its own window, while Redis is
	// away; not a request with a customer token, which only Redis can resolve.
	Fallback bool
	// TokenIgnored: X-Customer-Token is not looked at.
	TokenIgnored bool
}

// Reply is what a route answers from. Beside a refusal for a version that does not match it
// holds the record that stands there.
type Reply struct {
	Cart    *commerce.Cart
	Contact *commerce.Contact
	// Quote is the quote that was answered, or that a request for one has made; nil if that has to be
	// read.
	Quote *commerce.Quote
	// Part is the address that the answer shows; zero if it shows the whole record.
	Part uuid.UUID
	// Stamp is the record's. CommitIndex counts the command within its commit; it is 0 for the last
	// one and for every read.
	Stamp       Stamp
	CommitIndex int
	// Replayed is true if the request was applied before. Existing is true if another one was, and has
	// done what this one asks for.
	Replayed, Existing bool
	// Order is the order that was made; nil if it has to be read.
	Order *commerce.Order
	// Facts are what the request was judged by at last.
	Facts *Facts
	// Nested is a further limit that the request is under; zero if there is none.
	Nested Budget
	// Answered is told when the answer leaves the node; nil if nobody asks.
	Answered *Moment
	// Fold is what a claim's last commit has done beside its cart; nil if there was none. Report
	// is that of all its commits.
	Fold   *Fold
	Report []commerce.Folded
}

// Version is the version of the record that the reply shows.
func (r *Reply) Version() Version { return r.Stamp.Version(r.CommitIndex) }
